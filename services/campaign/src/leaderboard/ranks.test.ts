import { assetId, atoms } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { addressOf, ALICE, boardGround, BOB, call, CAROL, DAVE, HOUSE, reasonOf, SECOND, THIS_WEEK } from '../testing/board-ground.ts';

const ground = boardGround();
const { trade, reopen, ranking, accountOf, principalOf, setIndexPrice } = ground;

describe('[T12] ranks', () => {
  test('count what was traded in the period, and nothing before or after; the house and the blocked are not ranked', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(HOUSE, BOB, { hundredths: 20 });
    await trade(CAROL, HOUSE, { hundredths: 30 });
    await ground.heart.submit({ type: 'SetAccountFlag', account: accountOf(CAROL), flag: 'blocked', value: true });
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
    ground.clock.now = Date.UTC(2026, 10, 23) - 10 * SECOND;
    await trade(DAVE, HOUSE, { hundredths: 50 });
    expect(await ranking('VOLUME', 'week-2026-11-23')).toEqual(['5: 25000 → 500']);
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
  });

  test('a fund is ranked on no board, what its leader trades with it counts nowhere, and a fund of the house is the house', async () => {
    await trade(DAVE, BOB, { hundredths: 10 });
    await trade(DAVE, CAROL, { hundredths: 30 });
    await trade(ALICE, HOUSE, { hundredths: 5 });
    expect(await ranking()).toEqual(['5: 20000 → 500', '4: 15000 → 100', '3: 5000 → 100', '2: 2500 → 0']);
    ground.funds = [{ fund: DAVE, leader: CAROL }];
    expect(await ranking()).toEqual(['3: 5000 → 500', '2: 2500 → 100']);
    expect(await ranking('PNL')).toEqual(['2: -2.5 → 0']);
    ground.funds = [{ fund: ALICE, leader: CAROL }];
    expect(await ranking('PNL')).toEqual([]);
    ground.funds = [{ fund: DAVE, leader: HOUSE }];
    expect(await ranking()).toEqual(['4: 15000 → 500', '3: 5000 → 100', '2: 2500 → 100']);
  });

  test('of profit follow the outside price; deposits are none', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(BOB, HOUSE, { hundredths: 10, side: 'sell' });
    await ground.heart.submit({
      type: 'CreditDeposit',
      key: 'more',
      address: addressOf(BOB),
      asset: assetId(1),
      amount: atoms(10n ** 12n),
    });
    await setIndexPrice(2);
    expect(await ranking('PNL')).toEqual(['2: 4990 → 500', '3: -5005 → 0']);
  });

  test('are listed in pages, and each caller sees their own rank', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(BOB, HOUSE, { hundredths: 20 });
    expect(await ranking()).toHaveLength(2);
    const page = (number: number) =>
      ground.board.handlers.leaderboardRanking(call({ query: { campaignId: THIS_WEEK, board: 'VOLUME', page: number, pageSize: 10 } }));
    expect(await page(1)).toMatchObject({
      total: 2,
      list: [
        { rank: 1, address: addressOf(BOB) },
        { rank: 2, address: addressOf(ALICE) },
      ],
    });
    expect(await page(2)).toEqual({ total: 2, list: [] });
    const own = (n: number, walletAddress = addressOf(n)) =>
      Promise.resolve(
        ground.board.handlers.ownLeaderboardRank(call({ principal: principalOf(n), body: { walletAddress, campaignId: THIS_WEEK } })),
      );
    expect(await own(ALICE)).toMatchObject([
      { board: 'VOLUME', rank: 2, value: '5000', points: 100, profit: null },
      { board: 'PNL', rank: 1, points: 0, profit: { counted: 'ALL', counterparties: 1, needed: 5 } },
    ]);
    expect(await own(DAVE)).toEqual([
      { board: 'VOLUME', rank: null, value: '0', points: 0, profit: null },
      { board: 'PNL', rank: null, value: '0', points: 0, profit: null },
    ]);
    expect(await reasonOf(own(ALICE, addressOf(BOB)))).toBe('NotYours walletAddress');
    const unknown = async () => ground.board.handlers.leaderboardRanking(call({ query: { campaignId: 'nothing', board: 'VOLUME' } }));
    expect(await reasonOf(unknown())).toBe('UnknownThing campaignId');
  });

  test('are the same after a restart, and each trade counts once', async () => {
    for (let n = 0; n < 5; n += 1) {
      await trade(ALICE, HOUSE, { hundredths: 10 });
      if (n % 2 === 0) await reopen();
    }
    expect(await ranking()).toEqual(['2: 25000 → 500']);
    await reopen();
    expect(await ranking()).toEqual(['2: 25000 → 500']);
  });

  test('are folded again from the first command where the offset of the flows is missing', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(HOUSE, BOB, { hundredths: 20 });
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
    await ground.db.sql.deleteFrom('campaign_flow_offset').execute();
    await reopen();
    expect(await ranking()).toEqual(['3: 10000 → 500', '2: 5000 → 100']);
  });
});
