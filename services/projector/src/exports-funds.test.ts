/** Exports of people who have shares of funds, of those who lead them, and of the accounts of the funds themselves. */
import { createEngine } from '@orrery/engine';
import { accountId, type AccountId, millis, seq } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { RandomFunds } from '../../../core/engine/src/testing/random-funds.ts';
import { MemoryHeart } from '../../../exchange/src/testing/memory-heart.ts';
import { ExportJobs } from './index.ts';
import { startExportWriter } from './export-writer.ts';
import { importCoinTracking, importKoinly, parseCsv, unitsOf } from './testing/importers.ts';
import { Room } from './testing/room.ts';

const seed = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const COMMANDS = 6_000;
const [LEADER, FIRST_FUND] = [1, 9];
const SAVERS = [3, 4, 5, 6, 7];
/** All that funds do to a wallet: a round of a fund that closes is a redemption for no shares. */
const WANTED = ['subscription', 'redemption', 'performance_fee', 'round'];
/** One run may see no fee and no round: further ones are played, up to this number. */
const RUNS_MAX = 12;

let room: Room;
beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

test('M2: the exports of everybody around funds add up to what they have, and layouts of other programs to their coins', async () => {
  console.log(`ORRERY_SEED=${seed}`);
  const seen = new Set<string>();
  for (let run = 0; run < RUNS_MAX && !WANTED.every((what) => seen.has(what)); run += 1) await play(seed + run, seen);
  expect(WANTED.filter((what) => !seen.has(what))).toEqual([]);
});

/** Funds are opened, traded, redeemed and closed; then everybody exports. */
async function play(given: number, seen: Set<string>): Promise<void> {
  await room.begin();
  const clock = { now: 0 };
  const heart = new MemoryHeart(() => clock.now);
  const random = new RandomFunds(new Chance(given));
  // What is due the sequencer places; here an engine beside the heart says it.
  const engine = createEngine();
  let count = 0;
  const submit = async (command: Command): Promise<void> => {
    count += 1;
    const events = engine.apply({ seq: seq(count), at: millis(clock.now), command });
    await heart.submit(command);
    random.follow(events);
    for (const event of events) if (event.type === 'FundPaidOut' && event.shares === 0n && event.amount > 0n) seen.add('round');
    for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) await submit(next);
  };
  for (let index = 0; index < COMMANDS; index += 1) {
    const { at, command } = random.next();
    clock.now = Math.max(clock.now, at);
    for (let due = engine.due(millis(clock.now)); due !== undefined; due = engine.due(millis(clock.now))) await submit(due);
    await submit(command);
  }
  const projector = await room.start(heart);
  await projector.reached(heart.status().seq);
  let wall = 1_800_000_000_000 + given;
  const jobs = new ExportJobs({
    db: room.db.sql,
    seq: () => heart.status().seq,
    now: () => wall,
    linkKey: Buffer.alloc(32, 7),
    onWaiting: () => writer.wake(),
  });
  const writer = startExportWriter({
    db: room.db.sql,
    listed: () => projector.listed(),
    onTrouble: (error) => room.troubles.push(error),
    now: () => wall,
  });
  const file = async (account: AccountId, layout: 'ORRERY' | 'KOINLY' | 'COINTRACKING', name: 'bills' | 'koinly' | 'cointracking') => {
    wall += 86_400_000;
    const { exportId } = await jobs.create(account, { layout, ...(layout === 'ORRERY' ? { kinds: ['BILLS'] } : {}) });
    await expect.poll(async () => (await jobs.list(account)).find((one) => one.exportId === exportId)?.state).toBe('READY');
    const { url } = await jobs.link(account, { exportId, file: name });
    const query = Object.fromEntries(new URLSearchParams(url.split('?', 2)[1]));
    const pieces: Uint8Array[] = [];
    for await (const piece of (await jobs.download({ ...query, expires: Number(query['expires']) } as never)).pieces) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  for (const account of [LEADER, ...SAVERS, FIRST_FUND].map(accountId)) {
    const sums = new Map<string, bigint>();
    const add = (to: Map<string, bigint>, key: string, amount: bigint): void => void to.set(key, (to.get(key) ?? 0n) + amount);
    for (const row of parseCsv(await file(account, 'ORRERY', 'bills'))) {
      seen.add(row['type'] ?? '');
      add(sums, row['coin'] ?? '', unitsOf(row['amount'] ?? ''));
    }
    const held = new Map<string, bigint>();
    const coins = new Map<string, bigint>();
    const view = heart.open();
    view.close();
    for (const fact of view.facts) {
      if (fact.type !== 'BalanceChanged' || fact.account !== account) continue;
      const { code = '', decimals = 0, kind = 'chain' } = projector.listed().markets.asset(fact.asset) ?? {};
      const units = (fact.free + fact.held) * 10n ** BigInt(18 - decimals);
      add(held, code, units);
      if (kind === 'chain') add(coins, code, units);
    }
    expect(nonZero(sums), `account ${account}`).toEqual(nonZero(held));
    expect(nonZero(importKoinly(await file(account, 'KOINLY', 'koinly')))).toEqual(nonZero(coins));
    expect(nonZero(importCoinTracking(await file(account, 'COINTRACKING', 'cointracking')))).toEqual(nonZero(coins));
  }
  await writer.stop();
  await projector.stop();
  expect(room.troubles).toEqual([]);
}

const nonZero = (sums: ReadonlyMap<string, bigint>): ReadonlyMap<string, bigint> =>
  new Map([...sums].filter(([, sum]) => sum !== 0n).sort(([a], [b]) => (a < b ? -1 : 1)));
