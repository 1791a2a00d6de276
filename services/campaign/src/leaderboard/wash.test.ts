import { describe, expect, test } from 'vitest';
import { addressOf, ALICE, boardGround, BOB, CAROL, DAVE, HOUSE, NOW, SECOND, THIS_WEEK } from '../testing/board-ground.ts';

const ground = boardGround();
const { trade, ranking, accountOf } = ground;

describe('F4: wash', () => {
  const washes = async (times: number) => {
    for (let n = 0; n < times; n += 1) await trade(ALICE, BOB, { hundredths: 1, side: n % 2 === 0 ? 'buy' : 'sell', ageMs: SECOND });
  };

  test('trades of a ring do not count, and the operator sees the ring', async () => {
    // Enough others that trade, for chance to be measured by.
    for (let n = 0; n < 60; n += 1) await trade(DAVE, HOUSE, { hundredths: 1, side: n % 2 === 0 ? 'buy' : 'sell' });
    await trade(CAROL, HOUSE, { hundredths: 10 });
    await trade(ALICE, HOUSE, { hundredths: 1 });
    await washes(12);
    expect(await ranking()).toEqual(['5: 30000 → 500', '4: 5000 → 100', '2: 500 → 100']);
    const [ring, ...others] = await ground.board.operations.board.clusters();
    expect(others).toEqual([]);
    expect(ring).toMatchObject({ campaignId: THIS_WEEK, evidence: ['TRADING'], trades: 12, volume: '6000' });
    expect(ring?.members.map(({ address, isWasher }) => [address, isWasher])).toEqual([
      [addressOf(ALICE), true],
      [addressOf(BOB), true],
    ]);
  });

  test('two who trade with one another because hardly anybody else is there are no ring', async () => {
    await washes(40);
    await trade(CAROL, HOUSE, { hundredths: 1 });
    expect(await ranking()).toEqual(['2: 20000 → 500', '3: 20000 → 100', '4: 500 → 100']);
    expect(await ground.board.operations.board.clusters()).toEqual([]);
  });

  test('two on one device trade for nothing with one another; two in one network do not, for that alone', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    await trade(CAROL, DAVE, { hundredths: 20 });
    ground.traces = [
      ...[ALICE, BOB].map((n) => ({ account: accountOf(n), kind: 'DEVICE' as const, mark: 'a laptop' })),
      ...[CAROL, DAVE].map((n) => ({ account: accountOf(n), kind: 'NETWORK' as const, mark: 'an office' })),
    ];
    expect(await ranking()).toEqual(['4: 10000 → 500', '5: 10000 → 100']);
  });

  test('accounts whose money comes from one address trade for nothing with one another; the house joins no accounts', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    await trade(CAROL, DAVE, { hundredths: 20 });
    const purse = addressOf(0xaa);
    ground.links = [
      ...[ALICE, BOB].map((n) => ({ address: addressOf(n), counterparty: purse })),
      ...[CAROL, DAVE].map((n) => ({ address: addressOf(n), counterparty: addressOf(HOUSE) })),
    ];
    expect(await ranking()).toEqual(['4: 10000 → 500', '5: 10000 → 100']);
    expect(await ground.board.operations.board.clusters()).toEqual([]);
  });

  test('a small invite tree trades for nothing within itself', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    await ground.db.sql
      .insertInto('campaign_invite')
      .values({ invited: accountOf(BOB), inviter: accountOf(ALICE), bound_at: NOW })
      .execute();
    await trade(CAROL, HOUSE, { hundredths: 1 });
    expect(await ranking()).toEqual(['4: 500 → 500']);
  });

  test('one who paid in for another is of one hand with them', async () => {
    await trade(ALICE, BOB, { hundredths: 10 });
    ground.links = [{ address: addressOf(ALICE), counterparty: addressOf(BOB) }];
    await trade(CAROL, HOUSE, { hundredths: 1 });
    expect(await ranking()).toEqual(['4: 500 → 500']);
  });
});
