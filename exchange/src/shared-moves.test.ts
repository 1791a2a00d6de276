/** Two processes on one database: a tester asks at one of them, and the one that submits prices follows. */
import { CHANNEL, type Lease } from '@orrery/foundation';
import { ContractRounds, MoveTaken } from '@orrery/prices';
import { marketId, millis, seq, ticks } from '@orrery/units';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type ChangeConnection, listenForChanges } from './changes.ts';
import { CONTRACTS } from './listing.ts';
import { moveMigrations, type MoveTables, SharedMoves } from './shared-moves.ts';
import { type LeasedProcess, type TwoProcesses, twoProcesses } from './testing/two-processes.ts';

const SOON = { timeout: 10_000, interval: 5 };
const START = 1_795_000_000_000;
const MINUTE = 60_000;
const OUTSIDE = 100_000;
const contract = CONTRACTS[0]!;
const { market } = contract;

interface Process {
  readonly moves: SharedMoves;
  /** Prices of its rounds. */
  readonly submitted: number[];
  readonly leased: LeasedProcess;
  round(): Promise<void>;
  stop(): Promise<void>;
}

let processes: TwoProcesses<MoveTables>;
let clock: { now: number };
let troubles: unknown[];
let one: Process;
let other: Process;
const running: Process[] = [];

beforeEach(async () => {
  clock = { now: START };
  troubles = [];
  processes = await twoProcesses<MoveTables>({ ...moveMigrations });
  one = await start(processes.one);
  other = await start(processes.other);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((each) => each.stop()));
  await processes.close();
});

async function start(leased: LeasedProcess): Promise<Process> {
  const lease: Lease = await leased.leases.open('outside prices');
  const onTrouble = (error: unknown): void => void troubles.push(error);
  const changes: ChangeConnection = await listenForChanges(processes.db.address, { monotonicMs: () => performance.now(), onTrouble });
  const moves = new SharedMoves({ db: processes.db.sql, changes, lease, onTrouble });
  await moves.load();
  const submitted: number[] = [];
  const rounds = new ContractRounds({
    source: { round: () => ({ index: [{ source: 'a', price: ticks(OUTSIDE), ageMs: 0, weight: 1 }], external: [] }) },
    contracts: [contract],
    moves,
    heart: {
      submit: (command) => {
        if (command.type === 'SubmitPrices') submitted.push(command.index[0]?.price ?? 0);
        return Promise.resolve({ seq: seq(1), at: millis(clock.now), events: [] });
      },
    },
    lease,
    now: () => millis(clock.now),
    log: () => undefined,
  });
  const process = {
    moves,
    submitted,
    leased,
    round: () => rounds.round(),
    async stop() {
      await moves.stop();
      await changes.close();
    },
  };
  running.push(process);
  return process;
}

const ask = ({ moves }: Process, ppm: number, minutes = 1, hunt?: string): Promise<void> =>
  moves.move({ market, ppm, endsAt: millis(clock.now + minutes * MINUTE), ...(hunt !== undefined && { hunt }) }, millis(clock.now));

const rows = () => processes.db.sql.selectFrom('exchange_price_move').selectAll().execute() as Promise<{ shift_ppm: number }[]>;

/** The move has reached the process by what the database sends. */
const heard = (process: Process, shift: number): Promise<void> => expect.poll(() => process.moves.shift(market), SOON).toBe(shift);

/** Until the row says so. */
const saved = (shift: number): Promise<void> => expect.poll(async () => (await rows()).map((row) => row.shift_ppm), SOON).toEqual([shift]);

/** A round of the process that submits, once what was asked for has reached it. */
async function rounds(process: Process, count: number): Promise<readonly number[]> {
  const before = process.submitted.length;
  for (let round = 0; round < count; round += 1) await process.round();
  return process.submitted.slice(before);
}

test('a move that is asked for at the other process leads the prices of the one that submits them, and its row is gone when it has ended', async () => {
  await ask(other, -100_000);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(96_000);
  expect(await rounds(one, 3)).toEqual([92_160, 90_000, 90_000]);
  expect(other.submitted).toEqual([]);
  await heard(other, -100_000);
  clock.now += MINUTE;
  expect(await rounds(one, 4)).toEqual([93_600, 97_344, 100_000, 100_000]);
  await expect.poll(rows, SOON).toEqual([]);
  await heard(other, 0);
  expect(troubles).toEqual([]);
});

test('of moves at both at once one counts, the same in both, and a contract has one row', async () => {
  for (let times = 0; times < 10; times += 1)
    await Promise.all([ask(one, -20_000 - times), ask(other, 20_000 + times), ask(one, 10_000), ask(other, -10_000)]);
  const found = await rows();
  expect(found).toHaveLength(1);
  const { ppm } = found[0] as unknown as { ppm: number };
  await rounds(one, 1);
  await saved(ppm);
  await heard(other, ppm);
});

test('who takes over after a kill goes on from where prices are, and nobody sees a price that jumps', async () => {
  await ask(other, -100_000, 5);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(96_000);
  await rounds(one, 1);
  await saved(-78_400);
  one.leased.isKilled = true;
  await processes.pass(40);
  expect(await rounds(other, 2)).toEqual([90_000, 90_000]);
  // The one that was killed comes again, and has nothing to say.
  await rounds(one, 1);
  await heard(one, -100_000);
  clock.now += 5 * MINUTE;
  expect(await rounds(other, 3)).toEqual([93_600, 97_344, 100_000]);
  await expect.poll(rows, SOON).toEqual([]);
});

test('a process that starts while a price is moved goes on with it', async () => {
  await ask(other, 30_000, 5);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(103_000);
  await saved(30_000);
  const again = await start(processes.other);
  expect(again.moves.shift(market)).toBe(30_000);
});

test('a move that is asked for while its process hears nothing counts when it hears again', async () => {
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and (query = ${`listen ${CHANNEL}`} or query = 'select 1')`.execute(
    processes.db.sql,
  );
  await ask(other, 20_000);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(102_000);
});

test('while SQL writes nothing prices go on, and what was not written is written afterwards', async () => {
  await ask(other, -100_000);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(96_000);
  await saved(-40_000);
  await sql.raw('alter table exchange_price_move add constraint broken check (shift_ppm = -40000) not valid').execute(processes.db.sql);
  expect(await rounds(one, 2)).toEqual([92_160, 90_000]);
  await expect.poll(() => troubles.length, SOON).toBeGreaterThan(0);
  await sql.raw('alter table exchange_price_move drop constraint broken').execute(processes.db.sql);
  await expect
    .poll(async () => {
      await rounds(one, 1);
      return (await rows()).map((row) => row.shift_ppm);
    }, SOON)
    .toEqual([-100_000]);
});

test('what a hold could not write is not written under a later one, in which others know more', async () => {
  await ask(other, -100_000, 5);
  await expect.poll(async () => (await rounds(one, 1))[0], SOON).toBe(96_000);
  await saved(-40_000);
  await sql.raw('alter table exchange_price_move add constraint broken check (shift_ppm = -40000) not valid').execute(processes.db.sql);
  await rounds(one, 1);
  await expect.poll(() => troubles.length, SOON).toBeGreaterThan(0);
  await sql.raw('alter table exchange_price_move drop constraint broken').execute(processes.db.sql);
  one.leased.isKilled = true;
  await processes.pass(40);
  await expect.poll(async () => (await rounds(other, 1)).at(-1), SOON).toBe(90_000);
  await saved(-100_000);
  await heard(one, -100_000);
  one.leased.isKilled = false;
  other.leased.isKilled = true;
  await processes.pass(40);
  await expect.poll(async () => (await rounds(one, 1)).at(-1), SOON).toBe(90_000);
  await rounds(one, 1);
  await one.moves.stop();
  expect((await rows()).map((row) => row.shift_ppm)).toEqual([-100_000]);
});

test('of two hunts in one contract at two processes the second waits until the first has ended', async () => {
  await ask(one, -50_000, 4, 'first');
  await expect(ask(other, 50_000, 4, 'second')).rejects.toBeInstanceOf(MoveTaken);
  await ask(one, -60_000, 4, 'first');
  clock.now += 4 * MINUTE;
  await ask(other, 50_000, 4, 'second');
  await expect(ask(one, -50_000, 4, 'first')).rejects.toBeInstanceOf(MoveTaken);
});

test('what is no move is refused before anything is written', async () => {
  await expect(ask(other, 500_001)).rejects.toThrow('ppm must be');
  await expect(ask(other, 1, 11)).rejects.toThrow('endsAt must be in the next 10 minutes');
  expect(await rows()).toEqual([]);
  expect(marketId(market)).toBe(market);
});
