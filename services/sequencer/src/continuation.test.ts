/** Work that one command leaves over is continued by journaled commands, in order and once, whatever waits and wherever the process ends. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState } from '@orrery/engine';
import type { Applied, Command, PlaceOrder } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, NO_ATOMS, ppm, seq, ticks } from '@orrery/units';
import { LATEST_RULES } from '@orrery/rules';
import { MARKET, opening } from '../../../core/engine/src/testing/tape.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';
import type { Sequencer } from './sequencer.ts';
import { verifyFolder } from './verify.ts';

afterEach(removeFolders);

const engines = { createEngine, decodeState };
const STOPS = 100;

const order = (account: number, terms: Partial<PlaceOrder>): PlaceOrder => ({
  type: 'PlaceOrder',
  account: accountId(account),
  market: marketId(1),
  clientOrderId: '',
  side: 'buy',
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(100),
  size: lots(1),
  funds: NO_ATOMS,
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  ...terms,
});

/** A hundred stops of bob at 101, and alice's offer there. */
const PREPARED: readonly Command[] = [
  ...opening({ minNotional: NO_ATOMS, limitBandPpm: ppm(900_000) }),
  { type: 'UpgradeRules', version: 2 },
  ...Array.from({ length: STOPS }, () => order(2, { orderType: 'stopLimit', price: ticks(105), triggerPrice: ticks(101) })),
  order(1, { side: 'sell', price: ticks(101) }),
];
const REACHING = order(3, { price: ticks(101) });

async function historyOf(heart: Sequencer): Promise<readonly Applied[]> {
  const all: Applied[] = [];
  for await (const batch of heart.subscribe(seq(0))) all.push(...batch);
  return all;
}

const triggered = (applied: readonly Applied[]): readonly number[] =>
  applied.flatMap(({ events }) => events.flatMap((event) => (event.type === 'OrderTriggered' ? [event.orderId] : [])));

test('O10: continuations stand in the journal before what waits, and trigger each order once', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines });
  await Promise.all(PREPARED.map((command) => heart.submit(command)));
  const late: Command = { type: 'SetIndexPrice', market: marketId(1), price: ticks(101) };
  await heart.submit(REACHING);
  const answered = await heart.submit(late);
  await heart.stop();
  const history = await historyOf(heart);
  const fired = triggered(history);
  expect(fired).toEqual(Array.from({ length: STOPS }, (_, index) => index + 1));
  // What came meanwhile waited for one group of continuations, not for all of them to be done one by one with it.
  expect(history[answered.seq - 2]?.command.type).toBe('ContinueTriggers');
  expect(history.filter(({ command }) => command.type === 'ContinueTriggers').length).toBeGreaterThanOrEqual(Math.ceil(STOPS / 16) - 1);
  expect(verifyFolder(folder, engines).seq).toBe(history.length);
});

test('R4: a folder that a crash left between a command and its continuation goes on with it', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines });
  await Promise.all(PREPARED.map((command) => heart.submit(command)));
  const copy = join(newFolder(), 'copy');
  const copied = heart.submit(REACHING).then(() => cpSync(folder, copy, { recursive: true }));
  await copied;
  await heart.stop();
  const { heart: restarted } = await openHeart(copy, { engines, lockFolder: () => Promise.resolve({ release: () => Promise.resolve() }) });
  await restarted.submit({ type: 'ExpireOrders' });
  await restarted.stop();
  expect(triggered(await historyOf(restarted))).toEqual(Array.from({ length: STOPS }, (_, index) => index + 1));
  expect(triggered(await historyOf(heart))).toEqual(triggered(await historyOf(restarted)));
});

test('X4: the commands of an opening stand before what a crash left over, once for each opening', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines });
  await Promise.all(PREPARED.map((command) => heart.submit(command)));
  const copy = join(newFolder(), 'copy');
  const reached = await heart.submit(REACHING);
  cpSync(folder, copy, { recursive: true });
  await heart.stop();
  const lockFolder = () => Promise.resolve({ release: () => Promise.resolve() });
  const opening = (): readonly Command[] => [{ type: 'ExpireOrders' }];
  const { heart: restarted } = await openHeart(copy, { engines, lockFolder, opening });
  await restarted.submit(order(3, { price: ticks(90) }));
  await restarted.stop();
  const { heart: idle } = await openHeart(copy, { engines, lockFolder, opening });
  await idle.stop();
  const kinds = (await historyOf(idle)).slice(reached.seq).map(({ command }) => command.type);
  expect(kinds.slice(0, 2)).toEqual(['ExpireOrders', 'ContinueTriggers']);
  expect(kinds.at(-1)).toBe('ExpireOrders');
  expect(kinds.filter((kind) => kind === 'ExpireOrders')).toHaveLength(2);
});

/** Six hundred offers of one lot by bob, which a single order of carol takes. */
const DEEP: readonly Command[] = [
  ...opening({ minNotional: NO_ATOMS, maxNotional: atoms(1_000_000n), maxSize: lots(1_000), maxOpenOrders: 1_000 }),
  { type: 'RegisterMarket', ...MARKET, market: marketId(2), symbol: 'BTC_OTHER', minNotional: NO_ATOMS },
  { type: 'UpgradeRules', version: LATEST_RULES },
  ...Array.from({ length: 600 }, () => order(2, { side: 'sell' })),
];

test('R1, R4: an unfinished order goes on before anything else in its market, other markets meanwhile, and after a crash between its commands', async () => {
  const folder = newFolder();
  const { heart } = await openHeart(folder, { engines });
  await Promise.all(DEEP.map((command) => heart.submit(command)));
  const copy = join(newFolder(), 'copy');
  const taken = heart.submit(order(3, { size: lots(600) }));
  const same = heart.submit(order(1, { price: ticks(90) }));
  const other = heart.submit(order(2, { price: ticks(90), market: marketId(2) }));
  const { seq: at, events } = await taken;
  cpSync(folder, copy, { recursive: true });
  expect(events.filter(({ type }) => type === 'Trade')).toHaveLength(500);
  expect((await same).events[0]?.type).toBe('OrderAccepted');
  expect((await other).seq).toBe(at + 1);
  await heart.stop();
  const history = await historyOf(heart);
  expect(history.slice(at - 1).map(({ command }) => command.type)).toEqual(['PlaceOrder', 'PlaceOrder', 'ContinueMatching', 'PlaceOrder']);
  expect(verifyFolder(folder, engines).seq).toBe(history.length);
  const { heart: restarted } = await openHeart(copy, { engines, lockFolder: () => Promise.resolve({ release: () => Promise.resolve() }) });
  await restarted.submit({ type: 'ExpireOrders' });
  await restarted.stop();
  const kinds = (await historyOf(restarted)).slice(at).map(({ command }) => command.type);
  expect(kinds.filter((kind) => kind === 'ContinueMatching')).toHaveLength(1);
  expect(kinds.indexOf('ContinueMatching')).toBeLessThan(kinds.indexOf('ExpireOrders'));
});
