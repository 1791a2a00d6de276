import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Command, Event, PlaceContractOrder, Side } from '@orrery/protocol';
import type { Sequencer } from '@orrery/sequencer';
import { LATEST_RULES } from '@orrery/rules';
import { accountId, lots, marketId, NO_ATOMS, NO_TICKS, ppm, ticks } from '@orrery/units';
import { addressOf } from '../../core/engine/src/testing/random-commands.ts';
import { RandomFutures } from '../../core/engine/src/testing/random-futures.ts';
import { Closing } from './closing.ts';
import { readConfig } from './config.ts';
import { registerListing, USUAL_LISTING } from './listing.ts';
import { historyDirectory, openingAlone, resetPrices, startHeart } from './start-heart.ts';

const MARKET = marketId(2);
const NO_TRIGGER = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'orrery-start-heart-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

async function start(dataDirectory: string, opening = resetPrices): Promise<{ readonly heart: Sequencer; readonly closing: Closing }> {
  const raise = (error: unknown): never => {
    throw error;
  };
  const closing = new Closing((_, error) => raise(error));
  const config = { ...readConfig({}), dataDirectory };
  const { heart } = await startHeart({ config, closing, log: pino({ enabled: false }), onFatal: raise }, { opening });
  return { heart, closing };
}

async function must(heart: Sequencer, command: Command): Promise<readonly Event[]> {
  const { events } = await heart.submit(command);
  expect(events.filter(({ type }) => type === 'CommandRejected')).toEqual([]);
  return events;
}

/** Three exchanges with this price, in ticks of 0.1 USDC. @returns how often a liquidation took a step */
async function round(heart: Sequencer, price: number): Promise<number> {
  const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
  const events = await must(heart, { type: 'SubmitPrices', market: MARKET, index, external: [] });
  return events.filter(({ type }) => type === 'LiquidationStep').length;
}

const order = (account: number, side: Side): PlaceContractOrder => ({
  type: 'PlaceContractOrder',
  account: accountId(account),
  market: MARKET,
  clientOrderId: '',
  side,
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(600_000),
  size: lots(700_000),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  contract: {
    positionSide: 'both',
    reduceOnly: false,
    closePosition: false,
    triggerBy: 'last',
    trailingPpm: ppm(0),
    source: 'plain',
  },
  takeProfit: NO_TRIGGER,
  stopLoss: NO_TRIGGER,
});

/** One account is long 7 BTC and one short, at 40x with 15,000 USDC and collateral for 6,000 each, after four rounds at 60,000. */
async function positioned(heart: Sequencer): Promise<void> {
  for (const { command } of new RandomFutures(1).opening()) await must(heart, command);
  for (let count = 0; count < 4; count += 1) await round(heart, 600_000);
  for (const account of [2, 3])
    await must(heart, { type: 'SetLeverage', account: accountId(account), market: MARKET, positionSide: 'both', leverage: 40 });
  await must(heart, order(3, 'sell'));
  await must(heart, order(2, 'buy'));
}

/** At 57,100 the long has lost 20,300. */
const FALLEN = 571_000;

async function expectThreeRounds(heart: Sequencer): Promise<void> {
  expect([await round(heart, FALLEN), await round(heart, FALLEN)]).toEqual([0, 0]);
  expect(await round(heart, FALLEN)).toBeGreaterThan(0);
}

test('a position that falls below its maintenance is liquidated by the next round', async () => {
  const { heart, closing } = await start(join(parent, 'data'));
  await positioned(heart);
  expect(await round(heart, FALLEN)).toBeGreaterThan(0);
  await closing.run();
});

test('X4: after a stop and a start nothing is liquidated before three fresh rounds', async () => {
  const first = await start(join(parent, 'data'));
  await positioned(first.heart);
  await first.closing.run();
  const { heart, closing } = await start(join(parent, 'data'));
  await expectThreeRounds(heart);
  await closing.run();
});

test('X4: after kill -9, which leaves no snapshot, nothing is liquidated before three fresh rounds', async () => {
  const first = await start(join(parent, 'data'));
  await positioned(first.heart);
  // The bytes as they are on the disk while the program runs; the file of the lock names a process that would be gone.
  cpSync(join(parent, 'data'), join(parent, 'killed'), { recursive: true });
  rmSync(join(historyDirectory(join(parent, 'killed')), 'lock'));
  await first.closing.run();
  const { heart, closing } = await start(join(parent, 'killed'));
  await expectThreeRounds(heart);
  await closing.run();
});

test('a history without contracts begins with nothing', async () => {
  const { heart, closing } = await start(join(parent, 'data'));
  expect((await heart.submit({ type: 'ExpireOrders' })).seq).toBe(1);
  await closing.run();
});

test('a heart in a process of its own switches history to its rules, once, and a gateway of a later version leaves that to it', async () => {
  const rulesOf = (heart: Sequencer): readonly Event[] => {
    const view = heart.open();
    view.close();
    return view.facts.filter(({ type }) => type === 'RulesUpgraded');
  };
  const before = await start(parent);
  await registerListing(before.heart, { ...USUAL_LISTING, contracts: [], collaterals: [], markets: [], withdrawalCaps: [] }, 'other');
  expect(rulesOf(before.heart)).toEqual([]);
  await before.closing.run();
  for (const seq of [1, 0]) {
    const { heart, closing } = await start(parent, openingAlone);
    const from = heart.status().seq;
    await must(heart, { type: 'OpenAccount', address: addressOf(seq + 1) });
    expect(rulesOf(heart)).toEqual([{ type: 'RulesUpgraded', version: LATEST_RULES }]);
    expect(heart.status().seq - from).toBe(1 + seq);
    await closing.run();
  }
});
