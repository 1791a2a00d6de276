/** What is due at a time stands in the journal before the first command of that time or later, whenever the clock asks for it. */
import { afterEach, expect, test } from 'vitest';
import { createEngine, decodeState } from '@orrery/engine';
import type { Applied, Command, PlaceTwap } from '@orrery/protocol';
import { atoms, lots, millis, seq } from '@orrery/units';
import { ContractsScene, linearContract } from '../../../core/engine/src/testing/contracts-scene.ts';
import { newFolder, openHeart, removeFolders } from './testing/open-heart.ts';
import type { Sequencer } from './sequencer.ts';
import { verifyFolder } from './verify.ts';

afterEach(removeFolders);

const engines = { createEngine, decodeState };
const HOUR = 3_600_000;
const BOUNDARY = 1_700_000_000_000 - (1_700_000_000_000 % HOUR) + HOUR;
const MONEY = atoms(100_000_000_000n);

/** Two people hold 1 BTC against each other five seconds before the hour, two others nothing; every command with its time. */
function beforeTheHour() {
  const scene = new ContractsScene([linearContract(1, 'BTC')]);
  scene.at = BOUNDARY - 60_000;
  scene.liquidator();
  const [long, short, late, later] = [scene.person(MONEY), scene.person(MONEY), scene.person(MONEY), scene.person(MONEY)];
  scene.all(600_000, 6);
  scene.trade(long, short, 100_000, 600_000);
  scene.at = BOUNDARY - 5_000;
  scene.all(600_000);
  return { scene, long, short, late, later };
}

interface Opened {
  readonly heart: Sequencer;
  readonly folder: string;
  readonly give: (at: number, ...commands: readonly Command[]) => Promise<unknown>;
}

async function opened({ history }: ContractsScene): Promise<Opened> {
  let now = BOUNDARY - HOUR;
  const folder = newFolder();
  const { heart } = await openHeart(folder, {
    engines,
    clock: { wallMs: () => now, monotonicMs: () => now },
    limits: { recentCommands: 1_000 },
  });
  const give = (at: number, ...commands: readonly Command[]): Promise<unknown> => {
    now = at;
    return Promise.all(commands.map((command) => heart.submit(command)));
  };
  // The sequencer makes continuations of its own.
  for (const { at, command } of history) if (!command.type.startsWith('Continue')) await give(at, command);
  return { heart, folder, give };
}

async function historyOf(heart: Sequencer): Promise<readonly Applied[]> {
  const all: Applied[] = [];
  for await (const batch of heart.subscribe(seq(0))) all.push(...batch);
  return all;
}

const paidBy = (history: readonly Applied[]): readonly number[] =>
  history
    .flatMap(({ events }) => events.flatMap((event) => (event.type === 'FundingPaid' ? [event.account] : [])))
    .toSorted((left, right) => left - right);

test('R8: a position that opens 166 ms after the hour does not pay for the hour before', async () => {
  const { scene, long, short, late, later } = beforeTheHour();
  const { heart, folder, give } = await opened(scene);
  await give(BOUNDARY + 166, scene.order(late, 'sell', 100_000, 600_000), scene.order(later, 'buy', 100_000, 600_000));
  await give(BOUNDARY + 277, { type: 'SettleFunding', market: scene.contracts[0]!.market, interval: millis(BOUNDARY) });
  await heart.stop();
  const history = await historyOf(heart);
  const atHour = history.filter(({ at }) => at >= BOUNDARY);
  expect(atHour.slice(0, 2).map(({ at, command }) => [at - BOUNDARY, command.type])).toEqual([
    [166, 'SettleFunding'],
    [166, 'PlaceContractOrder'],
  ]);
  expect(atHour.findLast(({ command }) => command.type === 'SettleFunding')?.events[0]?.type).toBe('CommandRepeated');
  expect(paidBy(history)).toEqual([long, short]);
  expect(verifyFolder(folder, engines).seq).toBe(history.length);
});

test('a position that closes just after the hour pays for it', async () => {
  const { scene, long, short, late } = beforeTheHour();
  const { heart, give } = await opened(scene);
  await give(BOUNDARY + 1, scene.order(late, 'buy', 100_000, 600_000), scene.order(long, 'sell', 100_000, 600_000));
  await heart.stop();
  expect(paidBy(await historyOf(heart))).toEqual([long, short]);
});

test('a slice of a TWAP order and a scheduled cancel act before the first command of their time', async () => {
  const { scene, long, short } = beforeTheHour();
  const { heart, give } = await opened(scene);
  const twap: PlaceTwap = {
    type: 'PlaceTwap',
    account: long,
    market: scene.contracts[0]!.market,
    key: 'twap',
    side: 'buy',
    positionSide: 'both',
    size: lots(100_000),
    minutes: 5,
    reduceOnly: false,
    seed: 0,
  };
  const at = BOUNDARY - 4_000;
  await give(at, twap, { type: 'ScheduleCancel', account: short, at: millis(at + 40_000) }, scene.order(short, 'sell', 50_000, 605_000));
  await give(at + 39_999, { type: 'ScheduleCancel', account: long, at: millis(0) });
  await give(at + 40_000, scene.order(long, 'buy', 50_000, 605_000));
  await heart.stop();
  const history = await historyOf(heart);
  const after = history.filter((applied) => applied.at >= at);
  const kinds = after.map(({ command }) => command.type);
  // The first slice is due at once, the second one 30 s later.
  expect(kinds.indexOf('RunTimers')).toBeLessThan(kinds.indexOf('ScheduleCancel'));
  const last = after.findLastIndex(({ command }) => command.type === 'PlaceContractOrder');
  expect(after[last - 1]?.command.type).toBe('RunTimers');
  expect(after[last - 1]?.events).toContainEqual(expect.objectContaining({ type: 'OrderClosed', reason: 'scheduledCancel' }));
  expect(after[last]?.events).not.toContainEqual(expect.objectContaining({ type: 'Trade' }));
});
