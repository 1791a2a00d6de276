import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from 'kysely';
import type { Database } from '../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { currentHold, type Hold, type Lease, LeaseLost, whileHeld } from './lease.ts';
import { leaseMigrations, type LeaseTables, sqlLeases } from './lease-table.ts';
import { Leases } from './leases.ts';
import { statements } from './migration.ts';
import { repeat } from './repeat.ts';

interface Tables extends LeaseTables {
  /** What a holder did, in the order of the commits. */
  effect: { id: number; holder: string; term: number };
}

const TERMS = { termMs: 20_000, marginMs: 5_000, renewMs: 4_000 };
const KIND = 'payouts';

let db: Database<Tables>;

beforeAll(async () => {
  db = await temporaryDatabase<Tables>({
    ...leaseMigrations,
    'test-effects': statements(['create table effect (id bigserial primary key, holder text not null, term bigint not null)']),
  });
});

beforeEach(async () => {
  await db.sql.deleteFrom('foundation_lease').execute();
  await db.sql.deleteFrom('effect').execute();
});

afterAll(() => db.close());

/** Of every clock of the test: what passes, passes for the database too. */
async function pass(processes: readonly Process[], ms: number): Promise<void> {
  for (const one of processes) one.clockMs += ms * one.speed;
  await sql`update foundation_lease set expires = expires - ${ms}::float8 * interval '1 millisecond'`.execute(db.sql);
}

/** Renews when the test says so. */
class Process {
  clockMs = 0;
  /** Of its clock beside the database's. */
  speed = 1;
  readonly name: string;
  readonly leases: Leases;
  readonly troubles: unknown[] = [];

  constructor(name: string, place = name) {
    this.name = name;
    this.leases = new Leases({
      store: sqlLeases(db.sql),
      holder: name,
      place,
      monotonicMs: () => this.clockMs,
      onTrouble: (error) => this.troubles.push(error),
      timer: () => () => undefined,
      terms: TERMS,
    });
  }

  isHeld(): boolean {
    return this.leases.held().some(({ isHeld }) => isHeld);
  }
}

const write = ({ holder, term }: Hold) =>
  db.sql
    .insertInto('effect')
    .values({ holder: holder ?? 'none', term } as never)
    .execute();
const effects = async () =>
  (await db.sql.selectFrom('effect').selectAll().orderBy('id').execute()).map(({ holder, term }) => `${holder} ${term}`);

test('of two processes one holds the lease; after its term the other has the next term', async () => {
  const [one, other] = [new Process('one'), new Process('other')];
  const mine = await one.leases.open(KIND);
  const theirs = await other.leases.open(KIND);
  expect([mine.hold()?.term, theirs.hold()?.term]).toEqual([1, undefined]);
  await pass([one, other], 14_000);
  await one.leases.renew();
  await other.leases.renew();
  expect([mine.hold()?.term, theirs.hold()?.term]).toEqual([1, undefined]);
  // From here on the first one is silent.
  await pass([one, other], 14_999);
  expect(mine.hold()?.term).toBe(1);
  await pass([one, other], 1);
  await other.leases.renew();
  expect([mine.hold()?.term, theirs.hold()?.term]).toEqual([undefined, undefined]);
  await pass([one, other], 5_000);
  await other.leases.renew();
  expect([mine.hold()?.term, theirs.hold()?.term]).toEqual([undefined, 2]);
});

test('who gives its leases back has a successor at once', async () => {
  const [one, other] = [new Process('one'), new Process('other')];
  const lease = await one.leases.open(KIND);
  const hold = lease.hold();
  await one.leases.stop();
  expect(hold?.signal.aborted).toBe(true);
  expect((await other.leases.open(KIND)).hold()?.term).toBe(2);
});

test('the next process of a place replaces the one before it at once, and is not replaced by it', async () => {
  const [before, after] = [new Process('folder/1', 'folder/'), new Process('folder/2', 'folder/')];
  const old = await before.leases.open(KIND);
  const lease = await after.leases.open(KIND);
  expect(lease.hold()?.term).toBe(2);
  await before.leases.renew();
  expect([old.hold(), lease.hold()?.term]).toEqual([undefined, 2]);
});

test('a loss in the middle of the work stops it before its next effect, and is no failure', async () => {
  const [one, other] = [new Process('one'), new Process('other')];
  const lease = await one.leases.open(KIND);
  await other.leases.open(KIND);
  await whileHeld(lease, async (hold) => {
    await write(hold);
    await pass([one, other], 20_000);
    await other.leases.renew();
    await write(hold);
  });
  expect(await effects()).toEqual(['one 1']);
  expect(currentHold()).toBeUndefined();
});

test('a paused process whose clock stood still writes nothing: SQL compares the term', async () => {
  const [one, other] = [new Process('one'), new Process('other')];
  const lease = await one.leases.open(KIND);
  await other.leases.open(KIND);
  one.speed = 0;
  for (const inTransaction of [true, false]) {
    await whileHeld(lease, async (hold) => {
      await pass([one, other], 20_000);
      await other.leases.renew();
      expect(hold.signal.aborted).toBe(false);
      const late = inTransaction
        ? db.sql.transaction().execute((tx) =>
            tx
              .insertInto('effect')
              .values({ holder: 'one', term: hold.term } as never)
              .execute(),
          )
        : write(hold);
      await expect(late).rejects.toThrow(LeaseLost);
    });
  }
  expect(await effects()).toEqual([]);
});

test('a process whose own clock ended its hold takes a new term, and what it had begun is lost', async () => {
  const one = new Process('one');
  const lease = await one.leases.open(KIND);
  const before = lease.hold();
  one.clockMs += 15_000;
  await one.leases.renew();
  expect(lease.hold()?.term).toBe(2);
  expect(() => before?.check()).toThrow(LeaseLost);
});

test('who waits for a lease looks again at the moment at which it ends, not at its next time', async () => {
  const one = new Process('one');
  const pauses: number[] = [];
  let next: () => void = () => undefined;
  const leases = new Leases({
    store: sqlLeases(db.sql),
    holder: 'other',
    place: 'other',
    monotonicMs: () => one.clockMs,
    onTrouble: (error) => one.troubles.push(error),
    timer: (run, ms) => {
      pauses.push(ms);
      next = run;
      return () => undefined;
    },
    terms: TERMS,
  });
  await one.leases.open(KIND);
  await leases.open(KIND);
  const look = async (): Promise<number> => {
    const before = pauses.length;
    next();
    await expect.poll(() => pauses.length).toBe(before + 1);
    return pauses.at(-1) ?? 0;
  };
  expect(await look()).toBe(TERMS.renewMs);
  await pass([one], 18_500);
  const pause = await look();
  expect([pause > 20, pause <= 1_520]).toEqual([true, true]);
  expect(one.troubles).toEqual([]);
});

test('a database that does not answer leaves what is held until its end', async () => {
  const broken = {
    renew: () => Promise.reject(new Error('away')),
    endsIn: () => Promise.resolve(undefined),
    release: () => Promise.resolve(),
  };
  const troubles: unknown[] = [];
  const leases = new Leases({
    store: broken,
    holder: 'one',
    place: 'one',
    monotonicMs: () => 0,
    onTrouble: (error) => troubles.push(error),
    timer: () => () => undefined,
  });
  expect((await leases.open(KIND)).hold()).toBeUndefined();
  expect(troubles).toHaveLength(1);
});

test('what repeats runs where the lease is, catches up when it is taken, and is waited for at the stop', async () => {
  const [one, other] = [new Process('one'), new Process('other')];
  const done: string[] = [];
  const never = '0 0 29 2 *';
  const start = async (process: Process) => {
    const lease = await process.leases.open(KIND);
    const work = async (): Promise<void> => {
      const hold = currentHold();
      if (hold !== undefined) await write(hold);
      done.push(process.name);
    };
    return repeat({ every: never, lease, work, onTrouble: (error) => process.troubles.push(error) });
  };
  const [mine, theirs] = [await start(one), await start(other)];
  await one.leases.stop();
  await other.leases.renew();
  await theirs.stop();
  await mine.stop();
  expect(done).toEqual(['other']);
  expect([...one.troubles, ...other.troubles]).toEqual([]);
});

test('drawn pauses, clocks and losses: two never hold at once, and effects are of terms that only grow', async () => {
  const seed = Number(process.env['SEED'] ?? randomInt(2 ** 31));
  console.log(`leases: SEED=${seed}`);
  const draw = drawing(seed);
  const processes = ['ann', 'ben', 'cid'].map((name) => new Process(name));
  const leases = new Map<Process, Lease>();
  for (const one of processes) {
    // No clock of a machine is off by more.
    one.speed = 1 + (draw(2_001) - 1_000) / 100_000;
    leases.set(one, await one.leases.open(KIND));
  }
  const paused = new Set<Process>();
  let taken = 0;
  for (let step = 0; step < 400; step += 1) {
    await pass(processes, draw(8) === 0 ? draw(25_000) : draw(3_000));
    const one = processes[draw(processes.length)] ?? expect.fail('one is drawn');
    if (draw(4) === 0) paused.add(one);
    else paused.delete(one);
    // Who is paused believes what it believed, and writes when it goes on: one time in two its clock stood still too.
    const lease = leases.get(one);
    if (paused.has(one) && lease !== undefined) await pausedWrite(lease, { processes, paused: one, stands: draw(2) === 0 });
    else await one.leases.renew();
    if (lease !== undefined) await whileHeld(lease, async (hold) => void (await write(hold)));
    const holders = processes.filter((each) => each.isHeld());
    expect(holders.length, `step ${step}`).toBeLessThanOrEqual(1);
    taken += holders.length;
  }
  const terms = (await db.sql.selectFrom('effect').select(['holder', 'term']).orderBy('id').execute()).map(({ holder, term }) => ({
    holder,
    term,
  }));
  expect(terms.map(({ term }) => term)).toEqual(terms.map(({ term }) => term).toSorted((left, right) => left - right));
  const holderOf = new Map(terms.map(({ term, holder }) => [term, holder]));
  expect(terms.every(({ term, holder }) => holderOf.get(term) === holder)).toBe(true);
  expect(taken).toBeGreaterThan(0);
  expect(holderOf.size).toBeGreaterThan(5);
  expect(processes.flatMap(({ troubles }) => troubles)).toEqual([]);
});

/** In the middle of its work the process is paused for longer than the term, and the others take over. */
async function pausedWrite(
  lease: Lease,
  { processes, paused, stands }: { processes: readonly Process[]; paused: Process; stands: boolean },
): Promise<void> {
  await whileHeld(lease, async (hold) => {
    const { speed } = paused;
    paused.speed = stands ? 0 : speed;
    await pass(processes, 21_000);
    paused.speed = speed;
    for (const each of processes) if (each !== paused) await each.leases.renew();
    await write(hold);
  });
  // It learns what happened before anything else begins.
  await paused.leases.renew();
}

/** Whole numbers below a bound, by a seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
