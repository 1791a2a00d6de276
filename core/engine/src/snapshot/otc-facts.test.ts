/** The desk as facts: what a view needs that has not seen history. And R1: the running hash sees what balances do not show. */
import { expect, test } from 'vitest';
import { advertisementId, cents, fiatPrice, millis, seq, type Millis } from '@orrery/units';
import type { Command, Event } from '@orrery/protocol';
import { createEngine } from '../engine.ts';
import { opening, Table } from '../testing/tape.ts';
import { parseCommand } from '../testing/tape-command.ts';
import { OTC_TERMS, PAY_WINDOW_MS } from '../testing/tape-otc.ts';

const COMMANDS = [
  ['exchange', 'otc opens'],
  ['exchange', 'otc assist BTC 7.50 usd'],
  ['alice', 'transfer 500 BTC spot>funding t'],
  ['carol', 'transfer 9000 USDC spot>funding t'],
  ['alice', 'otc sells 100 BTC @ 7.50 usd 10-500 as a1'],
  ['alice', 'otc sells 100 BTC @ +1% usd 10-500 as a2'],
  ['alice', 'otc pauses 2'],
  ['bob', 'otc takes 1 20 BTC @ 7.50 as o1'],
  ['bob', 'otc takes 1 10 BTC @ 7.50 as o2'],
  ['bob', 'otc paid 1'],
  ['alice', 'otc ends 1'],
  ['carol', 'otc deposits k'],
] as const;

function scene(): Table {
  const table = new Table();
  for (const [who, words] of COMMANDS) table.give(parseCommand(who, words.split(' ')));
  return table;
}

const factsOf = (table: Table): readonly Event[] => table.engine.facts().filter(({ type }) => /^(Otc|Assist|Advert|Merchant)/.test(type));

test('facts are the terms, the prices, live advertisements and those that open orders name, open orders and deposits', () => {
  const table = scene();
  const paidAt = table.at;
  expect(factsOf(table).map(({ type }) => type)).toEqual([
    'OtcTermsSet',
    'AssistPricesSet',
    'AdvertisementPublished',
    'AdvertisementPublished',
    'OtcOrderCreated',
    'OtcOrderStepped',
    'OtcOrderCreated',
    'MerchantDeposited',
  ]);
  const [, , ended, paused, first, paid, second] = factsOf(table);
  expect(ended).toMatchObject({ advertisement: 1, state: 'TAKEN_DOWN', available: 0n });
  expect(paused).toMatchObject({ advertisement: 2, state: 'PAUSED', available: 100n, clientAdvertisementId: 'a2' });
  expect(first).toMatchObject({ order: 1, clientOrderId: 'o1', total: cents(15_000n), price: fiatPrice(75_000n), deadline: 0 });
  expect(paid).toMatchObject({ order: 1, status: 'PAID', at: paidAt, disputableAt: paidAt + OTC_TERMS.disputeAfterMs });
  expect(paid).toMatchObject({ deadline: paidAt + OTC_TERMS.autoDisputeMs });
  expect(second).toMatchObject({ order: 2, createdAt: paidAt, deadline: paidAt + PAY_WINDOW_MS });
});

test('a dispute is among them with its decision, and with its appeal', () => {
  const table = scene();
  const give = (who: string, words: string): void => void table.give(parseCommand(who, words.split(' ')));
  const disputed = (): readonly Event[] =>
    factsOf(table)
      .filter((event) => 'order' in event && event.order === 1)
      .slice(1);
  table.line('clock 1800');
  give('bob', 'otc disputes 1');
  expect(disputed()).toMatchObject([{ type: 'OtcOrderStepped', status: 'DISPUTED', deadline: 0, disputableAt: 0 }]);
  give('exchange', 'otc decides 1 RETURNED');
  const executesAt = table.at + OTC_TERMS.appealWindowMs;
  expect(disputed()).toMatchObject([{ status: 'DISPUTED' }, { type: 'OtcDisputeDecided', outcome: 'RETURNED', executesAt }]);
  give('bob', 'otc appeals 1');
  expect(disputed()).toMatchObject([
    { status: 'DISPUTED', deadline: 0 },
    { type: 'OtcDecisionAppealed', by: 2 },
  ]);
  give('exchange', 'otc decides 1 RELEASED again');
  expect(disputed()).toEqual([]);
});

/** The running hash of one command behind the others. */
function hashOf(command: Command, at: Millis): string {
  const engine = createEngine();
  const before = [...COMMANDS].map(([who, words]) => parseCommand(who, words.split(' ')));
  const all = [...opening(), { type: 'UpgradeRules', version: 9 } as const, ...before];
  all.forEach((one, index) => engine.apply({ seq: seq(index + 1), at: millis(1_000_000), command: one }));
  engine.takeRunningHash();
  const events = engine.apply({ seq: seq(all.length + 1), at, command });
  expect(events[0]?.type).not.toBe('CommandRejected');
  return Buffer.from(engine.takeRunningHash()).toString('hex');
}

const NOW = millis(1_000_000);
const LATER = millis(2_900_000);
const changed = { pricing: { kind: 'FIXED', price: fiatPrice(80_000n) }, minTotal: cents(1_000n), maxTotal: cents(50_000n) } as const;
const update = { type: 'UpdateAdvertisement', account: 1, advertisement: advertisementId(2), payWindowMs: 1_000, amount: 100n, ...changed };
const PAIRS: readonly (readonly [string, object, object, Millis])[] = [
  ['terms', { type: 'SetOtcTerms', ...OTC_TERMS }, { type: 'SetOtcTerms', ...OTC_TERMS, holdMs: 1 }, NOW],
  ['price', update, { ...update, pricing: { kind: 'FIXED', price: fiatPrice(80_001n) } }, NOW],
  ['premium', { ...update, pricing: { kind: 'FLOATING', premium: 1 } }, { ...update, pricing: { kind: 'FLOATING', premium: 2 } }, NOW],
  ['limit', update, { ...update, maxTotal: cents(50_001n) }, NOW],
  ['window', update, { ...update, payWindowMs: 1_001 }, NOW],
  ['order', { type: 'DisputeOtcOrder', account: 1, order: 1 }, { type: 'DisputeOtcOrder', account: 2, order: 1 }, LATER],
];

test.each(PAIRS)('R1: the running hash differs where the desk does: %s', (_, one, other, at) => {
  expect(hashOf(one as Command, at)).toBe(hashOf(one as Command, at));
  expect(hashOf(one as Command, at)).not.toBe(hashOf(other as Command, at));
});
