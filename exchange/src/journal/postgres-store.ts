/**
 * The journal that hearts share, in PostgreSQL. Replication and the choice of the primary are others' work; here it is only made sure that a frame counts as durable
 * when its commit has waited for what `synchronous_standby_names` asks for, which names somebody, and that no epoch but the newest appends.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  framesOfPacked,
  type JournalStore,
  lastSeqOf,
  type Leader,
  segmentOf,
  type StoredFrame,
  type StoredLink,
  StoreLost,
  WriterDeposed,
} from '@orrery/sequencer';
import { type Connection, isLost, openSession, type Session, WRITER_NAME } from './session.ts';
import { StandbyWatch, type WithoutStandby } from './standby-watch.ts';
import { StartError } from '../start-error.ts';
import {
  APPEND,
  CONFIRM,
  END_WRITERS,
  HAS_COPY,
  LINK,
  OLDEST,
  PACK,
  PACKED,
  PACKED_TABLE,
  READ,
  TABLES,
  TABLES_LOCK,
  TAKE,
  WAITS_NOW,
  WRITTEN_TO,
} from './statements.ts';

/** So long a frame may be on its way over broken connections: a fail-over of the primary takes less. */
const PATIENCE_MS = 30_000;
const AGAIN_MS = 100;
const TRIES_TO_BEGIN = 5;
/** Without a notification a follower looks again. */
const LOOK_MS = 250;

export interface PostgresStoreOptions {
  /** One for each host. */
  readonly urls: readonly string[];
  readonly withoutStandby: WithoutStandby;
  /** Called once when there is no standby and the program must stop then. */
  readonly onNoStandby: (error: Error) => void;
  readonly log: (line: string) => void;
}

interface FrameRow {
  readonly first_seq: string;
  readonly last_seq: string;
  readonly epoch: number;
  readonly previous: Uint8Array;
  readonly hash: Uint8Array;
  readonly frame: Uint8Array;
}

/** What a commit waited for, as the server's process that made it knew. */
interface WaitsFor {
  /** Empty: for nobody. */
  readonly names: string;
  /** When it last read its configuration. */
  readonly loaded: string;
}

interface WaitsNow extends WaitsFor {
  /** A standby that counts has what is written; true without a look where the configuration is old enough. */
  readonly has_copy: boolean;
}

export interface PackTerms {
  /** The newest commands, which stay as they are: those are what followers read. At least one. */
  readonly kept: number;
  /** At most this number of frames becomes one row, */
  readonly frames: number;
  /** or about this number of their bytes. Fewer than either are left. */
  readonly bytes: number;
}

export class PostgresStore implements JournalStore {
  readonly #options: PostgresStoreOptions;
  readonly #watch: StandbyWatch;
  #opening: Promise<Session> | undefined;
  #session: Session | undefined;
  #bell = Promise.withResolvers<void>();
  #isNotifying = false;
  #isClosed = false;
  /** The last frames that were read are packed: those behind them most likely too. */
  #readsPacked = false;

  private constructor(options: PostgresStoreOptions) {
    this.#options = options;
    this.#watch = new StandbyWatch(options, async (text) => (await (await this.#connected()).other.ask(text)).rows);
  }

  /** Makes the tables when they are missing. @throws StoreLost when no server takes writes; StartError when there must be a standby and is none */
  static async open(options: PostgresStoreOptions): Promise<PostgresStore> {
    const store = new PostgresStore(options);
    try {
      await store.#begin();
      return store;
    } catch (cause) {
      await store.close();
      throw cause;
    }
  }

  /** A heart that takes its epoch meanwhile ends the connection of each writer, this one's too; then it begins again. */
  async #begin(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#make();
        await this.#watch.begin();
        return;
      } catch (cause) {
        if (cause instanceof StartError) throw cause;
        await this.#lost(cause);
        if (tries === TRIES_TO_BEGIN) throw asLost(cause);
        await pause(AGAIN_MS);
      }
    }
  }

  async historyId(): Promise<string> {
    const [row] = await this.#rows<{ readonly history: string }>('select history from orrery_journal.epoch');
    return row?.history ?? '';
  }

  async takeEpoch(seen: number): Promise<number | undefined> {
    const holder = randomUUID();
    // A broken connection leaves open whether it was taken: then its holder says so.
    for (let isAgain = false; ; isAgain = true) {
      try {
        const { writer } = await this.#connected();
        if (!(isAgain && (await this.#isHeldBy(holder, seen + 1)))) {
          if ((await this.leader()).epoch !== seen) return undefined;
          await writer.ask(END_WRITERS, [WRITER_NAME]);
          const { rowCount } = await writer.ask(TAKE, [seen, holder]);
          // A commit that was waiting when its connection broke is seen once that is ended.
          if (rowCount !== 1 && !(await this.#isHeldBy(holder, seen + 1))) return undefined;
        }
        await this.#confirm(writer, seen + 1);
        return seen + 1;
      } catch (cause) {
        if (cause instanceof WriterDeposed) return undefined;
        await this.#lost(cause);
        if (isAgain) throw asLost(cause);
      }
    }
  }

  async append(frame: StoredFrame): Promise<void> {
    // While there is no connection: the wait for a standby has no limit.
    let until: number | undefined;
    for (;;) {
      try {
        const session = await this.#connected();
        until = undefined;
        const { writer } = session;
        writer.hasWarned = false;
        const { firstSeq, epoch, previous, hash, bytes } = frame;
        const appending = writer.queryPrepared<WaitsFor>('append', APPEND, [
          firstSeq,
          lastSeqOf(frame),
          epoch,
          ...[previous, hash, bytes].map(asBuffer),
        ]);
        if (!(await this.#hasWaited(writer, appending)) || writer.hasWarned) await this.#settle(session, frame);
        this.#notify(session);
        return;
      } catch (cause) {
        await this.#lost(cause);
        until ??= performance.now() + PATIENCE_MS;
        if (performance.now() > until) throw asLost(cause);
        await pause(AGAIN_MS);
      }
    }
  }

  /**
   * Whether a row was written and a standby has it. A server that is to wait for nobody any more lets go of the commits that wait, without a word: so it must have
   * been waiting for somebody before the commit and after it, by one configuration. It is asked behind the commit, without waiting for the answer of that.
   */
  async #hasWaited(writer: Connection, committing: Promise<{ readonly rows: readonly WaitsFor[] }>): Promise<boolean> {
    if (this.#options.withoutStandby === 'allow') return (await committing).rows.length === 1;
    const [commit, behind] = await Promise.all([committing, writer.queryPrepared<WaitsNow>('waits', WAITS_NOW, [])]);
    const [[before], [after]] = [commit.rows, behind.rows];
    if (before === undefined || after === undefined || before.names === '') return false;
    return after.names === before.names && after.loaded === before.loaded && after.has_copy;
  }

  /**
   * Until a standby has all that this server has committed, however long there is none: by what the standby says that it has.
   * @throws WriterDeposed when another heart has taken an epoch
   */
  async #confirm(writer: Connection, epoch: number): Promise<void> {
    writer.hasWarned = false;
    if ((await writer.query(CONFIRM, [epoch])).rowCount !== 1) throw new WriterDeposed(epoch);
    if (this.#options.withoutStandby === 'allow') {
      if (writer.hasWarned) throw new StoreLost('a commit did not wait for the standby');
      return;
    }
    const [end] = (await writer.query<{ lsn: string }>(WRITTEN_TO)).rows;
    for (;;) {
      const [found] = (await writer.query<{ has_copy: boolean }>(HAS_COPY, [end?.lsn])).rows;
      if (found?.has_copy === true) return;
      await pause(AGAIN_MS);
    }
  }

  /**
   * It was not inserted, or nobody knows whether a standby has it. When it is there, a commit behind it waits for the standby.
   * @throws WriterDeposed when another heart has taken an epoch
   */
  async #settle({ writer }: Session, { firstSeq, epoch, hash }: StoredFrame): Promise<void> {
    const { rows } = await writer.query<FrameRow>('select hash from orrery_journal.frames where first_seq = $1', [firstSeq]);
    const isOurs = rows[0] !== undefined && Buffer.compare(rows[0].hash, hash) === 0;
    await this.#confirm(writer, epoch);
    if (!isOurs) throw new JournalBroken(`the frame of command ${firstSeq} does not follow what the journal store has`);
  }

  async read(after: number): Promise<readonly StoredFrame[]> {
    if (this.#readsPacked) {
      const older = await this.#packedBehind(after);
      if (older.length > 0) return older;
    }
    const frames = (await this.#rows<FrameRow>(READ, [after])).map(frameOf);
    // The newest frames are never packed: where there are none, nothing follows.
    this.#readsPacked = frames[0] !== undefined && frames[0].firstSeq !== after + 1;
    const older = this.#readsPacked ? await this.#packedBehind(after) : [];
    return older.length > 0 ? older : frames;
  }

  async #packedBehind(after: number): Promise<readonly StoredFrame[]> {
    return (await this.#packedWith(after + 1)).filter(({ firstSeq }) => firstSeq > after);
  }

  async linkOf(seq: number): Promise<StoredLink | undefined> {
    const [row] = await this.#rows<FrameRow>(LINK, [seq]);
    if (row === undefined) return (await this.#packedWith(seq)).find((frame) => frame.firstSeq <= seq && seq <= lastSeqOf(frame));
    if (Number(row.last_seq) < seq) return undefined;
    return { ...linkOf(row), hash: row.hash };
  }

  /** The frames that were packed together with that of this command. */
  async #packedWith(seq: number): Promise<readonly StoredFrame[]> {
    const [row] = await this.#rows<{ readonly segment: Uint8Array }>(PACKED, [seq]);
    return row === undefined ? [] : framesOfPacked(row.segment);
  }

  /**
   * Puts the oldest frames into one packed row. Readers find each frame in one of the two places; of several that pack the same frames one succeeds.
   * @param pack of a segment, as `packSegment`
   * @returns the last command that was packed; undefined while there are too few frames. @throws StoreLost
   */
  async packOldest(
    { kept, frames: most, bytes }: PackTerms,
    pack: (segment: Uint8Array) => Promise<Uint8Array>,
  ): Promise<number | undefined> {
    const oldest = (await this.#rows<FrameRow>(OLDEST, [kept, most, bytes])).map(frameOf);
    const [first, last] = [oldest[0], oldest.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const lastSeq = lastSeqOf(last);
    if (lastSeq - first.firstSeq + 1 !== oldest.reduce((sum, { commands }) => sum + commands, 0))
      throw new JournalBroken(`frames are missing between the commands ${first.firstSeq} and ${lastSeq}`);
    const packed = await pack(segmentOf(oldest));
    await this.#rows(PACK, [first.firstSeq, lastSeq, oldest.length, asBuffer(packed)]);
    return lastSeq;
  }

  async leader(): Promise<Leader> {
    const [row] = await this.#rows<{ readonly epoch: number; readonly beats: string; readonly has_resigned: boolean }>(
      'select epoch, beats, has_resigned from orrery_journal.leader',
    );
    return { epoch: row?.epoch ?? 0, beats: Number(row?.beats ?? 0), hasResigned: row?.has_resigned ?? true };
  }

  async beat(epoch: number): Promise<void> {
    const rows = await this.#rows('update orrery_journal.leader set beats = beats + 1 where epoch = $1 returning beats', [epoch]);
    if (rows.length === 0) throw new WriterDeposed(epoch);
  }

  async resign(epoch: number): Promise<void> {
    await this.#rows('update orrery_journal.leader set has_resigned = true where epoch = $1', [epoch]);
  }

  async importHistory(frames: Iterable<StoredFrame>): Promise<void> {
    const { writer } = await this.#connected();
    await writer.query('begin');
    try {
      await writer.query('lock table orrery_journal.frames in exclusive mode');
      const { rowCount } = await writer.query('select from orrery_journal.frames union all select from orrery_journal.packed limit 1');
      if (rowCount !== 0) throw new JournalBroken('the journal store has a history already');
      let newest = 0;
      for (const frame of frames) {
        newest = frame.epoch;
        await writer.query(
          'insert into orrery_journal.frames (first_seq, last_seq, epoch, previous, hash, frame) values ($1, $2, $3, $4, $5, $6)',
          [frame.firstSeq, lastSeqOf(frame), frame.epoch, ...[frame.previous, frame.hash, frame.bytes].map(asBuffer)],
        );
      }
      await writer.query('update orrery_journal.epoch set epoch = greatest(epoch, $1)', [newest]);
      await writer.query('update orrery_journal.leader set epoch = greatest(epoch, $1), has_resigned = true', [newest]);
      await writer.query('commit');
      // The folder that it came from is no journal any more behind this.
      await this.#confirm(writer, (await this.leader()).epoch);
    } catch (cause) {
      // What was begun ends with its connection.
      this.#forget();
      throw cause;
    }
  }

  async grown(): Promise<void> {
    const waiting = new AbortController();
    await Promise.race([this.#bell.promise, pause(LOOK_MS, undefined, { signal: waiting.signal }).catch(() => undefined)]);
    waiting.abort();
  }

  shortage(): string | undefined {
    return this.#watch.shortage();
  }

  /** Standbys that have each frame before it counts as durable; undefined when nobody knows. */
  standbys(): number | undefined {
    return this.#watch.standbys;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.end();
    await this.#opening?.catch(() => undefined);
    this.#forget();
    this.#ring();
  }

  async #make(): Promise<void> {
    const { writer } = await this.#connected();
    const { rows } = await writer.ask<{ readonly journal: boolean; readonly packed: boolean }>(
      `select to_regclass('orrery_journal.leader') is not null as journal, to_regclass('orrery_journal.packed') is not null as packed`,
    );
    const missing = `${rows[0]?.journal === true ? '' : TABLES}${rows[0]?.packed === true ? '' : PACKED_TABLE}`;
    if (missing !== '') await writer.ask(`begin; select pg_advisory_xact_lock(${TABLES_LOCK}); ${missing} commit`);
  }

  async #isHeldBy(holder: string, epoch: number): Promise<boolean> {
    const rows = await this.#rows('select from orrery_journal.epoch where holder = $1 and epoch = $2', [holder, epoch]);
    return rows.length === 1;
  }

  /** @throws StoreLost when there is no answer */
  async #rows<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    try {
      const { rows } = await (await this.#connected()).other.ask<Row>(text, values);
      return rows;
    } catch (cause) {
      await this.#lost(cause);
      throw asLost(cause);
    }
  }

  /** For readers that are not asked by the heart that leads. */
  #notify({ other }: Session): void {
    if (this.#isNotifying) return;
    this.#isNotifying = true;
    other
      .ask(`notify orrery_journal`)
      .catch(() => undefined)
      .finally(() => {
        this.#isNotifying = false;
      });
  }

  async #connected(): Promise<Session> {
    if (this.#isClosed) throw new StoreLost('the journal store is closed');
    const session = this.#session;
    if (session !== undefined && !session.writer.isBroken && !session.other.isBroken) return session;
    this.#forget();
    this.#opening ??= openSession(this.#options.urls, () => this.#ring())
      .then((opened) => {
        this.#session = opened;
        return opened;
      })
      .finally(() => {
        this.#opening = undefined;
      });
    return this.#opening;
  }

  /** @throws the cause unless the same may be tried again */
  async #lost(cause: unknown): Promise<void> {
    if (!isLost(cause) || cause instanceof WriterDeposed || cause instanceof JournalBroken || this.#isClosed) throw cause;
    this.#forget();
    await Promise.resolve();
  }

  #forget(): void {
    this.#session?.writer.destroy();
    this.#session?.other.destroy();
    this.#session = undefined;
  }

  #ring(): void {
    this.#bell.resolve();
    this.#bell = Promise.withResolvers<void>();
  }
}

/** The store holds something else than it should: a person has to look. */
export class JournalBroken extends Error {
  override readonly name = 'JournalBroken';
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const asLost = (cause: unknown): StoreLost =>
  cause instanceof StoreLost ? cause : new StoreLost(cause instanceof Error ? cause.message : String(cause), { cause });

const frameOf = ({ previous, hash, frame, ...row }: FrameRow): StoredFrame => ({ ...linkOf(row), previous, hash, bytes: frame });

function linkOf({ first_seq, last_seq, epoch }: Pick<FrameRow, 'first_seq' | 'last_seq' | 'epoch'>): Omit<StoredLink, 'hash'> {
  const firstSeq = Number(first_seq);
  return { firstSeq, commands: Number(last_seq) - firstSeq + 1, epoch };
}
