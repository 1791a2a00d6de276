/** The program dies after any command of a subscription, a redemption and an end, and the client, who knows nothing, asks again by its key. */
import { expect, test } from 'vitest';
import { assert, seq } from '@orrery/units';
import type { Command, Event, Sequenced } from '@orrery/protocol';
import { createEngine, decodeState } from '../engine.ts';
import { usdc } from '../testing/contract-scene.ts';
import { BTC_PERP, eventsOf, FUND, FundScene, PRICE } from '../testing/fund-scene.ts';

const DAY_MS = 24 * 3_600_000;

/** What the sequencer places by itself. */
const isPlaced = ({ type }: Command): boolean =>
  type === 'ValueFund' || type === 'ContinueFund' || type === 'SettleFunding' || type === 'ContinueFunding';

/** The events of a history that breaks off before the `cut`-th command: it goes on from a snapshot, with the commands of `again`, and what is due is placed once more. */
function afterDeath(history: readonly Sequenced[], cut: number, again: readonly Command[]): readonly Event[] {
  const events: Event[] = [];
  const before = createEngine();
  for (const applied of history.slice(0, cut)) events.push(...before.apply(applied));
  const engine = decodeState(before.encodeState());
  let place = cut;
  const give = (at: Sequenced['at'], command: Command): void => {
    place += 1;
    events.push(...engine.apply({ seq: seq(place), at, command }));
  };
  const goOn = (at: Sequenced['at']): void => {
    for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) give(at, next);
  };
  const [next] = history.slice(cut);
  assert(next !== undefined, 'something comes after the cut');
  goOn(next.at);
  for (const command of again) give(next.at, command);
  for (const { at, command } of history.slice(cut)) {
    if (isPlaced(command)) continue;
    for (let due = engine.due(at); due !== undefined; due = engine.due(at)) {
      give(at, due);
      goOn(at);
    }
    give(at, command);
    goOn(at);
  }
  return events;
}

test('M6, R1: whatever command is the last before a crash, a request by one key is executed once and paid once', () => {
  const scene = new FundScene();
  const anna = scene.saver(1_000);
  const subscribe = { type: 'SubscribeToFund', fund: FUND, account: anna, subscriptionId: 'in', amount: usdc(1_000) } as const;
  const redeem = { type: 'RedeemFromFund', fund: FUND, account: anna, redemptionId: 'out', shares: usdc(600) } as const;
  const beginning = scene.history.length;
  scene.must(subscribe);
  scene.pass(PRICE);
  scene.arm('futures', 2_000);
  scene.trade(scene.manager, scene.street, 80_000, PRICE, { market: BTC_PERP });
  scene.at += DAY_MS;
  scene.pass(12_500);
  const middle = scene.history.length;
  scene.must(redeem);
  scene.pass(12_500);
  scene.must(scene.order(scene.street, 'buy', 1_000_000, 12_500, { market: BTC_PERP }));
  scene.must({ type: 'CloseFund', fund: FUND });
  scene.pass(12_500);
  const expected = afterDeath(scene.history, 0, []);
  expect(eventsOf(expected, 'FundEnded')).toHaveLength(1);
  for (let cut = beginning; cut < scene.history.length; cut += 1) {
    const events = afterDeath(scene.history, cut, cut < middle ? [subscribe] : [subscribe, redeem]);
    for (const type of ['FundSubscribed', 'FundRedeemed', 'FundPaidOut', 'FundEnded'] as const)
      expect(eventsOf(events, type), `${type}, cut before command ${cut}`).toEqual(eventsOf(expected, type));
  }
});

test('M6, R1: whatever command is the last before a crash, each round of a fund that finds no buyer is paid once', () => {
  const scene = new FundScene();
  const anna = scene.saver(1_000);
  scene.subscribe(anna, 1_000);
  scene.pass(PRICE);
  scene.arm('spot', 500);
  scene.must(scene.spotOrder(scene.street, 'sell', 50_000, PRICE));
  scene.must(scene.spotOrder(scene.manager, 'buy', 50_000, PRICE));
  const beginning = scene.history.length;
  scene.must({ type: 'CloseFund', fund: FUND });
  scene.at += DAY_MS;
  scene.pass(PRICE);
  scene.must(scene.spotOrder(scene.street, 'buy', 20_000, PRICE));
  scene.at += DAY_MS;
  scene.pass(PRICE);
  scene.must(scene.spotOrder(scene.street, 'buy', 30_000, PRICE));
  scene.pass(PRICE);
  const expected = afterDeath(scene.history, 0, []);
  expect(eventsOf(expected, 'FundPaidOut')).toHaveLength(6);
  expect(eventsOf(expected, 'FundEnded')).toHaveLength(1);
  for (let cut = beginning; cut < scene.history.length; cut += 1) {
    const events = afterDeath(scene.history, cut, []);
    for (const type of ['FundPaidOut', 'FundEnded'] as const)
      expect(eventsOf(events, type), `${type}, cut before command ${cut}`).toEqual(eventsOf(expected, type));
  }
});
