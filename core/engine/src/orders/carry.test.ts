import { describe, expect, test } from 'vitest';
import { ppm, type AccountId } from '@orrery/units';
import type { Event } from '@orrery/protocol';
import { ContractScene, usdc } from '../testing/contract-scene.ts';

/** Alice has 1,000 USDC and is long 0.4 BTC at 60,000 with 40 times leverage: 600 USDC of initial margin. There are no fees. */
function longScene(): { market: ContractScene; alice: AccountId; bob: AccountId } {
  const market = new ContractScene({ takerFeePpm: ppm(0), makerFeePpm: ppm(0) });
  const alice = market.person('alice', usdc(1_000));
  const bob = market.person('bob', usdc(1_000_000));
  for (let round = 0; round < 3; round += 1) market.prices(600_000);
  market.must({ type: 'SetLeverage', account: alice, market: market.market, positionSide: 'both', leverage: 40 });
  market.trade(alice, bob, 40_000, 600_000);
  return { market, alice, bob };
}

const endsOf = (account: AccountId, events: readonly Event[]): readonly unknown[] =>
  events.flatMap((event) => (event.type === 'OrderClosed' && event.account === account ? [[event.price, event.reason, event.filled]] : []));

describe('a fill that grows a position', () => {
  test('P6: at the mark or better it needs the initial margin too: without it the order closes before it trades', () => {
    const { market, alice, bob } = longScene();
    market.must(market.order(alice, 'buy', 20_000, 594_500));
    // 216 USDC are lost: of 784 the position and the bid need 892. The bid is better than the mark.
    market.walk(600_000, 594_600, 20_000);
    const events = market.must(market.order(bob, 'sell', 20_000, 594_500));
    expect(endsOf(alice, events)).toEqual([[594_500, 'marginMissing', 0]]);
    expect(market.position(alice)?.size).toBe(40_000);
    market.replay();
  });

  test('P6: an order that closes needs nothing any more: the next one of its account may be carried', () => {
    const { market, alice, bob } = longScene();
    for (const price of [594_900, 594_800]) market.must(market.order(alice, 'buy', 10_000, price));
    // 200 USDC are lost: of 800 the position needs 595, and each bid 149.
    market.walk(600_000, 595_000, 20_000);
    const events = market.must(market.order(bob, 'sell', 20_000, 594_800));
    expect(endsOf(alice, events)).toEqual([
      [594_900, 'marginMissing', 0],
      [594_800, 'filled', 10_000],
    ]);
  });

  test('P6: of an order that comes in it needs the initial margin too, however much less the other orders need by it', () => {
    const { market, alice, bob } = longScene();
    market.must(market.order(alice, 'sell', 60_000, 601_000));
    // 216 USDC are lost: of 784 the position needs 595, and what the sell opens beyond it 301. With 0.1 BTC more they are 743 and 150.
    market.walk(600_000, 594_600, 20_000);
    market.must(market.order(bob, 'sell', 10_000, 594_600));
    expect(market.give(market.order(alice, 'buy', 10_000, 594_600))).toMatchObject([{ reason: 'InsufficientMargin', field: '' }]);
    market.replay();
  });

  test('one that only closes at the mark or better is not looked at', () => {
    const { market, alice, bob } = longScene();
    market.walk(600_000, 594_600, 20_000);
    market.must(market.order(alice, 'sell', 40_000, 594_700));
    expect(endsOf(alice, market.must(market.order(bob, 'buy', 40_000, 594_700)))).toEqual([[594_700, 'filled', 40_000]]);
  });
});
