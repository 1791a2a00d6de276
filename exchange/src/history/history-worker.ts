/** The thread that writes history: see `history-thread.ts`. */
import { readlinkSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { type ExportWriter, type Projector, type ProjectorTables, startExportWriter, startProjector } from '@orrery/projector';
import { DEFAULT_LIMITS, followFolder, nodeDisk, ReplayDiffers } from '@orrery/sequencer';
import { seq } from '@orrery/units';
import { IDLE_IN_TRANSACTION_MS, openDatabase } from '../database.ts';
import { ENGINES } from '../engines.ts';
import { DurableSeq } from './durable-seq.ts';
import { HeartLoad } from './heart-load.ts';
import type { FromHistoryThread, HistoryThreadData, ToHistoryThread } from './thread-messages.ts';

/** 0 is usual, 19 the least: where processors are short, those who wait for an answer go first. */
const NICENESS = 10;

/** One to write, one for exports, and one to spare, should the first be cut. */
const CONNECTIONS = 3;

const post = (message: FromHistoryThread): void => parentPort?.postMessage(message);

function giveWay(): void {
  // On Linux a thread has a priority of its own, under its number in /proc; elsewhere it keeps the program's.
  if (process.platform !== 'linux') return;
  const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  setPriority(thread, NICENESS);
}

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
  readonly exports: ExportWriter;
}

async function start({ directory, database, durableSeq, heartLoad, startedAt }: HistoryThreadData): Promise<Running> {
  giveWay();
  const { sql } = await openDatabase<ProjectorTables>(database, {
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
  const projector = await startProjector({
    source,
    db: sql,
    isBusy: () => load.isBusy(),
    onTrouble: (error) =>
      post(error instanceof ReplayDiffers ? { type: 'diverged', sentence: error.message } : { type: 'trouble', sentence: String(error) }),
    onProgress: (progress) => post({ type: 'progress', seq: progress.seq, failure: progress.failure }),
  });
  const exports = startExportWriter({
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
      await exports.stop();
      await projector.stop();
      await sql.destroy();
    },
  };
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
      running?.exports.wake();
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
