/** The thread that writes history: see `history-thread.ts`. */
import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type Lease, Leases, type LeaseTables, noLease, sqlLeases } from '@orrery/foundation';
import { type ExportWriter, type Projector, type ProjectorTables, startExportWriter, startProjector } from '@orrery/projector';
import { DEFAULT_LIMITS, followFolder, nodeDisk, ReplayDiffers } from '@orrery/sequencer';
import { seq } from '@orrery/units';
import type { Kysely } from 'kysely';
import { IDLE_IN_TRANSACTION_MS, openDatabase } from '../database.ts';
import { ENGINES } from '../engines.ts';
import { DurableSeq } from './durable-seq.ts';
import { giveWay, NICENESS } from './give-way.ts';
import { HeartLoad } from './heart-load.ts';
import { type FromHistoryThread, HISTORY_LEASE, type HistoryThreadData, type ToHistoryThread } from './thread-messages.ts';

/** One to write, one for exports, one for the lease, and one to spare, should the first be cut. */
const CONNECTIONS = 4;

const post = (message: FromHistoryThread): void => parentPort?.postMessage(message);

/** The database process that writes for us, where it runs on this machine and its priority may be set. */
function letGiveWay(pid: number): void {
  try {
    setPriority(pid, NICENESS);
    // PostgreSQL makes each of its processes a session, and where Linux shares processors by session, niceness counts within one only.
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(NICENESS));
  } catch {
    // Of another person, gone already, or not shared by session: it keeps its priority.
  }
}

interface Running extends Projector {
  readonly exports: ExportWriter | undefined;
}

async function start(data: HistoryThreadData): Promise<Running> {
  const { directory, database, place, isProjector, durableSeq, heartLoad, houseAddresses, startedAt } = data;
  giveWay();
  const { sql } = await openDatabase<ProjectorTables & LeaseTables>(database, {
    connections: CONNECTIONS,
    idleInTransactionMs: IDLE_IN_TRANSACTION_MS,
    ...('host' in database ? { onConnect: letGiveWay } : {}),
  });
  const load = new HeartLoad(heartLoad);
  const log = (line: string): void => post({ type: 'log', line });
  const source = followFolder({
    directory,
    disk: nodeDisk,
    engines: ENGINES,
    end: new DurableSeq(durableSeq),
    log,
    proofs: {
      limits: DEFAULT_LIMITS,
      monotonicMs: () => performance.now(),
      onProof: ({ seq: proved, hash }) => post({ type: 'proof', seq: proved, hash }),
    },
  });
  const leaseDb = 'host' in database ? undefined : (sql as unknown as Kysely<LeaseTables>);
  const { lease, giveBack } = isProjector ? await openLease(leaseDb, place) : LEFT_TO_OTHERS;
  const projector = await startProjector({
    source,
    db: sql,
    ...(lease !== undefined && { lease }),
    houseAddresses,
    isBusy: () => load.isBusy(),
    onTrouble: (error) =>
      post(error instanceof ReplayDiffers ? { type: 'diverged', sentence: error.message } : { type: 'trouble', sentence: String(error) }),
    onProgress(progress) {
      post({ type: 'progress', seq: progress.seq, failure: progress.failure });
      // Another process may be able to go on.
      if (progress.failure !== undefined) void giveBack();
    },
  });
  const exports = !isProjector
    ? undefined
    : startExportWriter({
        db: sql,
        listed: () => projector.listed(),
        isBusy: () => load.isBusy(),
        // From there on by the clock that only grows.
        now: () => Math.round(startedAt + performance.now()),
        onTrouble: (error) => post({ type: 'trouble', sentence: `exports: ${String(error)}` }),
      });
  return {
    exports,
    status: () => projector.status(),
    reached: (wanted) => projector.reached(wanted),
    async stop() {
      await exports?.stop();
      await projector.stop();
      await giveBack();
      await sql.destroy();
    },
  };
}

interface OpenedLease {
  /** Undefined where the database belongs to this process alone, which needs none. */
  readonly lease: Lease | undefined;
  readonly giveBack: () => Promise<void>;
}

const LEFT_TO_OTHERS: OpenedLease = { lease: noLease(HISTORY_LEASE), giveBack: () => Promise.resolve() };

/** @param db undefined where the database belongs to this process alone */
async function openLease(db: Kysely<LeaseTables> | undefined, place: string): Promise<OpenedLease> {
  if (db === undefined) {
    post({ type: 'lease', isHeld: true });
    return { lease: undefined, giveBack: () => Promise.resolve() };
  }
  const leases = new Leases({
    store: sqlLeases(db),
    holder: `${place}${randomUUID()}`,
    place,
    monotonicMs: () => performance.now(),
    onTrouble: (error) => post({ type: 'trouble', sentence: `leases: ${String(error)}` }),
  });
  const lease = await leases.open(HISTORY_LEASE);
  const report = (): void => {
    const hold = lease.hold();
    if (hold === undefined) return;
    post({ type: 'lease', isHeld: true });
    hold.signal.addEventListener('abort', () => post({ type: 'lease', isHeld: false }), { once: true });
  };
  lease.onTaken(report);
  report();
  return { lease, giveBack: () => leases.stop() };
}

let running: Running | undefined;
let isStopping = false;

async function stop(): Promise<void> {
  isStopping = true;
  await running?.stop();
  post({ type: 'stopped' });
}

parentPort?.on('message', (message: ToHistoryThread) => {
  switch (message.type) {
    case 'stop':
      void stop();
      break;
    case 'export':
      running?.exports?.wake();
      break;
    case 'wanted':
      // The waiting reader is notified by the progress message; here the wait only shortens the pause between two batches.
      running?.reached(seq(message.seq)).catch(() => undefined);
      break;
  }
});

try {
  const started = await start(workerData as HistoryThreadData);
  if (isStopping) await started.stop();
  running = started;
  post({ type: 'started', refusal: undefined });
} catch (error) {
  post({ type: 'started', refusal: error instanceof Error ? error.message : String(error) });
}
