import { describe, expect, test } from 'vitest';
import {
  addressOf,
  ALICE,
  boardGround,
  BOB,
  call,
  CAROL,
  DAVE,
  ERIN,
  FRANK,
  HOUSE,
  MINUTE,
  SECOND,
  THIS_WEEK,
} from '../testing/board-ground.ts';

const ground = boardGround();
const { trade, ranking, reopen, accountOf, principalOf, setIndexPrice } = ground;

const own = async (n: number) => {
  const body = { walletAddress: addressOf(n), campaignId: THIS_WEEK };
  const ranks = await ground.board.handlers.ownLeaderboardRank(call({ principal: principalOf(n), body }));
  return ranks.find(({ board }) => board === 'PNL');
};

describe('F4: [T12] profit is ranked', () => {
  test('with five counterparties; until then its owner reads how many there are', async () => {
    for (const [index, other] of [BOB, CAROL, DAVE, ERIN].entries()) {
      await trade(ALICE, other, { hundredths: 10 });
      expect(await ranking('PNL')).toEqual([]);
      expect(await own(ALICE)).toMatchObject({ rank: null, profit: { counted: 'NOTHING', counterparties: index + 1, needed: 5 } });
    }
    await trade(ALICE, FRANK, { hundredths: 10 });
    await setIndexPrice(2);
    expect(await ranking('PNL')).toEqual(['2: 24950 → 500']);
    expect(await own(ALICE)).toMatchObject({ rank: 1, value: '24950', points: 500, profit: { counted: 'ALL', counterparties: 5 } });
    expect(await own(BOB)).toMatchObject({ rank: null, value: '-5002.5', profit: { counted: 'NOTHING', counterparties: 1 } });
  });

  test('at once by what was earned from the exchange, and the rest with five others', async () => {
    await trade(ALICE, HOUSE, { hundredths: 10 });
    await trade(ALICE, BOB, { hundredths: 10 });
    await setIndexPrice(2);
    expect(await ranking('PNL')).toEqual(['2: 4990 → 500']);
    expect(await own(ALICE)).toMatchObject({ rank: 1, value: '4990', profit: { counted: 'HOUSE', counterparties: 2 } });
    await setIndexPrice(1);
    for (const other of [CAROL, DAVE, ERIN]) await trade(ALICE, other, { hundredths: 1 });
    await setIndexPrice(2);
    expect((await ranking('PNL'))[0]).toBe('2: 11477 → 500');
  });

  test('F4: without what another gave by a price far from the outside price, also when history is read again', async () => {
    await trade(HOUSE, FRANK, { hundredths: 1 });
    for (const other of [CAROL, DAVE, ERIN, FRANK]) await trade(ALICE, other, { hundredths: 1 });
    await setIndexPrice(1);
    await reopen();
    // 2 % below the outside price: 100 USDC are given, of which 25 are within half a percent.
    await trade(ALICE, BOB, { hundredths: 10, price: 490_000 });
    await setIndexPrice(1);
    const before = await ranking('PNL');
    // 25 less the fees of all.
    expect(before[0]).toBe('2: 18 → 500');
    await ground.db.sql.deleteFrom('campaign_flow_offset').execute();
    await reopen();
    expect(await ranking('PNL')).toEqual(before);
    // An outside price of more than a minute ago says nothing about a trade.
    ground.clock.now += 2 * MINUTE;
    await trade(ALICE, BOB, { hundredths: 1, price: 490_000 });
    await setIndexPrice(1);
    expect((await ranking('PNL'))[0]).toBe('2: 27.5 → 500');
  });
});

describe('F4: an account that trades with one other alone', () => {
  test('is of one hand with it: what they traded counts for nobody', async () => {
    for (let n = 0; n < 30; n += 1) await trade(DAVE, HOUSE, { hundredths: 1, side: n % 2 === 0 ? 'buy' : 'sell' });
    for (const other of [CAROL, DAVE, ERIN, FRANK, HOUSE]) await trade(ALICE, other, { hundredths: 1 });
    await setIndexPrice(1);
    // Three trades, slowly: too few and too slow to be a ring.
    for (let n = 0; n < 3; n += 1) await trade(ALICE, BOB, { hundredths: 50, price: 498_000, ageMs: 20 * SECOND });
    await setIndexPrice(1);
    expect((await ranking('PNL')).map((line) => line.split(':')[0])).not.toContain('3');
    expect(await own(ALICE)).toMatchObject({ value: '-2.5', profit: { counted: 'ALL', counterparties: 5 } });
    const withheld = await ground.board.handlers.withheldAwards(
      call({ principal: principalOf(BOB), body: { walletAddress: addressOf(BOB), campaignId: THIS_WEEK } }),
    );
    expect(withheld).toMatchObject({ others: 1, evidence: ['CAPTIVE'] });
  });
});

describe('F4: pairs', () => {
  test('of which one won what the other lost are shown to operators, with what they traded', async () => {
    await trade(ALICE, BOB, { hundredths: 50 });
    await trade(CAROL, HOUSE, { hundredths: 10 });
    await setIndexPrice(2);
    await ranking();
    const [pair, ...others] = await ground.board.operations.board.pairs();
    expect(others).toEqual([]);
    expect(pair).toEqual({
      campaignId: THIS_WEEK,
      winner: { account: accountOf(ALICE), address: addressOf(ALICE) },
      loser: { account: accountOf(BOB), address: addressOf(BOB) },
      kind: 'DIRECT',
      won: '24950',
      lost: '25012.5',
      between: '24950',
      trades: 1,
    });
    const query = { campaignId: THIS_WEEK, winner: accountOf(ALICE), loser: accountOf(BOB) };
    expect(ground.board.operations.board.pairTrades(query)).toEqual([
      {
        at: Date.UTC(2026, 10, 18, 8),
        symbol: 'BTC_USDC',
        trades: 1,
        volume: '25000',
        winnerBought: '25000',
        loserBought: '-24987.5',
      },
    ]);
  });

  test('also by opposite trades with others, at two times at least', async () => {
    const bet = async (side: 'buy' | 'sell') => {
      await trade(ALICE, HOUSE, { hundredths: 50, side });
      await trade(BOB, HOUSE, { hundredths: 50, side: side === 'buy' ? 'sell' : 'buy' });
    };
    await bet('buy');
    ground.clock.now += 240 * MINUTE;
    await bet('buy');
    await setIndexPrice(2);
    await ranking();
    expect(await ground.board.operations.board.pairs()).toMatchObject([
      { winner: { account: accountOf(ALICE) }, loser: { account: accountOf(BOB) }, kind: 'OPPOSITE', trades: 0, between: '0' },
    ]);
  });
});
