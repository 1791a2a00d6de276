/** Several processes on one database: the one that holds the lease writes history, and every one of them knows how far it is written. */
import { type Hold, type Lease, LeaseLost, type LeaseTables } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { assetId, marketId, ticks } from '@orrery/units';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyProjection } from './index.ts';
import { seededRandom, trade } from './testing/market-day.ts';
import { Rests } from './testing/rests.ts';
import { Room, type StartedProjector } from './testing/room.ts';

const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const KIND = 'history';
const PROCESSES = 3;

class PassedHold implements Hold {
  readonly kind = KIND;
  readonly term: number;
  readonly holder: string;
  readonly #ending = new AbortController();

  constructor(term: number, holder: string) {
    this.term = term;
    this.holder = holder;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  check(): void {
    if (this.signal.aborted) throw new LeaseLost(KIND);
  }

  end(): void {
    this.#ending.abort();
  }
}

/** A lease that the test passes on. */
class PassedLease implements Lease {
  readonly kind = KIND;
  readonly #listeners = new Set<() => void>();
  #hold: PassedHold | undefined;

  hold(): Hold | undefined {
    return this.#hold?.signal.aborted === false ? this.#hold : undefined;
  }

  onTaken(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  take(hold: PassedHold): void {
    this.#hold?.end();
    this.#hold = hold;
    for (const listener of this.#listeners) listener();
  }

  lose(): void {
    this.#hold?.end();
  }
}

let room: Room;

beforeAll(async () => {
  room = await Room.open();
});
afterAll(() => room.db.close());

/** Of the database: from here on nothing is committed under an earlier term. */
async function give(term: number, holder: string): Promise<PassedHold> {
  const db = room.db.sql as unknown as Kysely<LeaseTables>;
  await sql`insert into foundation_lease (kind, holder, term, expires) values (${KIND}, ${holder}, ${term}, now() + interval '1 day')
    on conflict (kind) do update set holder = excluded.holder, term = excluded.term`.execute(db);
  return new PassedHold(term, holder);
}

async function begin(): Promise<{ leases: PassedLease[]; projectors: StartedProjector[] }> {
  const heart = await room.begin();
  const leases = Array.from({ length: PROCESSES }, () => new PassedLease());
  const projectors = await Promise.all(leases.map((lease) => room.start(heart, { lease })));
  return { leases, projectors };
}

/** How far history is written, in SQL. */
async function offset(): Promise<number> {
  const { seq } = await room.db.sql.selectFrom('projector_offset').select('seq').executeTakeFirstOrThrow();
  return seq;
}

async function oneMore(): Promise<void> {
  await room.heart.submit({ type: 'SetIndexPrice', market: marketId(1), price: ticks(1_000_000) });
}

/** The heart. @param onOpen is called when a projector has read SQL, as it then reads what is listed. */
const watched = (heart: Heart, onOpen: () => void): Heart => ({
  submit: (command) => heart.submit(command),
  status: () => heart.status(),
  end: () => heart.end(),
  subscribe: (after) => heart.subscribe(after),
  open() {
    onOpen();
    return heart.open();
  },
});

test(`J1, J4: the holder of the lease writes history, each command once, and everybody knows of it (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const { leases, projectors } = await begin();
  let holder = -1;
  for (let term = 1; term <= 14; term += 1) {
    const next = Math.floor(random() * PROCESSES);
    const hold = await give(term, `process ${next}`);
    // A holder that stands still does not know that it has lost the lease.
    if (random() < 0.5) leases[holder]?.lose();
    leases[next]?.take(hold);
    holder = next;
    await trade(room.heart, { random, commands: 40 + Math.floor(random() * 120), label: `t${term}` });
    if (random() < 0.3) await trade(room.heart, { random, commands: 20, label: `u${term}` });
    const reader = projectors[Math.floor(random() * PROCESSES)];
    if (random() < 0.6) await reader?.reached(room.heart.status().seq);
    for (const [at, lease] of leases.entries()) if (at !== holder) lease.lose();
  }
  for (const projector of projectors) await room.caughtUp(projector);
  await Promise.all(projectors.map((projector) => projector.stop()));
  // What a holder began that stood still is refused, by the offset or by the term.
  for (const trouble of room.troubles) expect(String(trouble)).toMatch(/the offset of history is not at|the lease of history is lost/);
  const written = await room.everything();
  expect(written['projector_fill']?.length).toBeGreaterThan(100);

  await emptyProjection(room.db.sql);
  const alone = await room.start();
  await room.caughtUp(alone);
  expect(await room.everything()).toEqual(written);
  await alone.stop();
});

test('J1: while nobody holds the lease nothing is written, and the next holder goes on where the last one stopped', async () => {
  const { leases, projectors } = await begin();
  const [first, second] = projectors;
  leases[0]?.take(await give(1, 'first'));
  await trade(room.heart, { random: seededRandom(SEED + 1), commands: 100, label: 'one' });
  const before = room.heart.status().seq;
  await second?.reached(before);
  leases[0]?.lose();
  await trade(room.heart, { random: seededRandom(SEED + 2), commands: 100, label: 'two' });
  expect(first?.status().lag).toBe(room.heart.status().seq - before);
  let isReached = false;
  const waiting = first?.reached(room.heart.status().seq).then(() => {
    isReached = true;
  });
  await second?.reached(before);
  expect(isReached).toBe(false);
  leases[1]?.take(await give(2, 'second'));
  await waiting;
  for (const projector of projectors) await room.caughtUp(projector);
  await Promise.all(projectors.map((projector) => projector.stop()));
  expect(room.troubles).toEqual([]);
});

test('J1: what is listed while another process writes is known here', async () => {
  const { leases, projectors } = await begin();
  leases[0]?.take(await give(1, 'first'));
  const [, other] = projectors;
  const [known] = other?.listed().markets.markets() ?? [];
  expect(known).toBeDefined();
  const { events } = await room.heart.submit({ type: 'RegisterAsset', asset: assetId(200), code: 'FRESH', decimals: 6, kind: 'chain' });
  expect(events).toMatchObject([{ type: 'AssetRegistered' }]);
  await other?.reached(room.heart.status().seq);
  await expect.poll(() => other?.listed().markets.assetByCode('FRESH')).toBeDefined();
  await Promise.all(projectors.map((projector) => projector.stop()));
});

test('J1: what a holder that stood still would write is refused once its term is taken, and it reads SQL again', async () => {
  let onOpen: () => void = () => undefined;
  const heart = await room.begin();
  const leases = { former: new PassedLease(), next: new PassedLease() };
  leases.former.take(await give(1, 'former'));
  const former = await room.start(
    watched(heart, () => onOpen()),
    { lease: leases.former },
  );
  const next = await room.start(heart, { lease: leases.next });
  await room.caughtUp(former);
  const before = heart.status().seq;

  // Of this the former holder hears nothing.
  const hold = await give(2, 'next');
  const refused = Promise.withResolvers<'refused'>();
  onOpen = () => refused.resolve('refused');
  await trade(heart, { random: seededRandom(SEED + 3), commands: 50, label: 'after' });
  const { seq } = heart.status();
  const written = former.reached(seq).then(() => 'written');
  expect(await Promise.race([written, refused.promise])).toBe('refused');
  expect(await offset()).toBe(before);
  expect(former.status().seq).toBe(before);

  await former.stop();
  leases.next.take(hold);
  await room.caughtUp(next);
  expect(await offset()).toBe(seq);
  await next.stop();
  expect(room.troubles).toEqual([]);
});

test('J1: a holder that loses the lease while nothing is to be written does not write what comes then', async () => {
  const heart = await room.begin();
  const lease = new PassedLease();
  lease.take(await give(1, 'first'));
  const rests = new Rests();
  const projector = await room.start(heart, { lease, timer: rests.timer });
  await room.caughtUp(projector);
  const before = heart.status().seq;
  // It waits for the next command.
  await rests.end();
  lease.lose();
  await oneMore();
  await rests.begun();
  expect(projector.status().lag).toBe(1);
  expect(await offset()).toBe(before);
  await projector.stop();
  expect(room.troubles).toEqual([]);
});

test('J1: a holder that has not seen that others held the lease meanwhile goes on from what they wrote', async () => {
  const heart = await room.begin();
  const leases = { first: new PassedLease(), second: new PassedLease() };
  leases.first.take(await give(1, 'first'));
  const rests = new Rests();
  const first = await room.start(heart, { lease: leases.first, timer: rests.timer });
  // A wait for what is written ends a rest: it begins before the first one.
  await room.caughtUp(first);
  await rests.begun();
  const second = await room.start(heart, { lease: leases.second });

  leases.first.lose();
  leases.second.take(await give(2, 'second'));
  await oneMore();
  await room.caughtUp(second);
  leases.second.lose();
  leases.first.take(await give(3, 'first'));
  await rests.free();
  await oneMore();
  await room.caughtUp(first);
  await Promise.all([first.stop(), second.stop()]);
  expect(room.troubles).toEqual([]);
});

test('a process that holds the lease when it starts reads SQL once', async () => {
  let opened = 0;
  const heart = await room.begin();
  const lease = new PassedLease();
  lease.take(await give(1, 'first'));
  const projector = await room.start(
    watched(heart, () => (opened += 1)),
    { lease },
  );
  const atStart = opened;
  await room.caughtUp(projector);
  expect(opened).toBe(atStart);
  await projector.stop();
});
