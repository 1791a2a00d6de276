/**
 * History for a reader in another thread or process: derived from the folder by an engine of its own, which checks on the way that it reaches
 * the states that the journal proves. It takes nothing from the heart but how far history is durable.
 */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { Applied, Heart } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';
import { coversHistory } from './covers.ts';
import { type Archive, entriesBetween, journalDirectory, replayFromSnapshot, snapshotDirectory } from './history.ts';
import { JournalTail } from './journal-tail.ts';
import { Prover, type ProverOptions } from './prover.ts';
import type { Replay } from './replay.ts';
import { listSnapshots } from './snapshot.ts';

/** How far history is durable. */
export interface HistoryEnd {
  seq(): Seq;
  /** Resolves when there may be more than `after`. */
  grown(after: Seq): Promise<void>;
}

export interface FolderFollower extends Pick<Heart, 'subscribe'> {
  seq(): Seq;
  /** Whether every command after `after` can be read. */
  covers(after: number): boolean;
  /** What is true at the end of history. */
  present(): { readonly seq: Seq; readonly facts: ReturnType<Replay['engine']['facts']> };
}

const BATCH = 1_024;

/** What a follower needs to make proofs beside the replay of one of its readers. */
export type Proofs = Omit<ProverOptions, 'disk' | 'directory' | 'log'>;

export interface FollowOptions extends Archive {
  readonly end: HistoryEnd;
  readonly proofs?: Proofs;
}

export function followFolder({ end, proofs, ...archive }: FollowOptions): FolderFollower {
  // One reader at a time makes them: the next one does when it ends.
  let free = proofs;
  async function* subscribe(after: Seq): AsyncGenerator<readonly Applied[], void> {
    const taken = free;
    free = undefined;
    try {
      yield* read({ archive, end, after, proofs: taken });
    } finally {
      free ??= taken;
    }
  }
  return {
    seq: () => end.seq(),
    covers: (after) => coversHistory(archive, after),
    present() {
      const last = end.seq();
      const replay = replayFromSnapshot(archive, last);
      for (const located of entriesBetween(archive, { after: replay.seq, last })) replay.take(located);
      return { seq: last, facts: replay.engine.facts() };
    },
    subscribe,
  };
}

interface Reading {
  readonly archive: Archive;
  readonly end: HistoryEnd;
  readonly after: Seq;
  readonly proofs: Proofs | undefined;
}

async function* read({ archive, end, after, proofs }: Reading): AsyncGenerator<readonly Applied[], void> {
  const replay = replayFromSnapshot(archive, after);
  const tail = new JournalTail({ disk: archive.disk, directory: journalDirectory(archive), after: replay.seq });
  const directory = snapshotDirectory(archive);
  const kept = listSnapshots(archive.disk, directory)[0]?.seq ?? 0;
  const prover = proofs === undefined ? undefined : new Prover({ ...archive, ...proofs, directory }, kept);
  for (;;) {
    const last = end.seq();
    let batch: Applied[] = [];
    let taken = 0;
    for (const located of tail.upTo(last)) {
      const applied = replay.take(located);
      if (applied !== undefined && applied.seq > after) batch.push(applied);
      if (batch.length === BATCH) {
        yield batch;
        batch = [];
      }
      taken += 1;
      if (taken % BATCH === 0) await nextTurn();
    }
    if (batch.length > 0) yield batch;
    await prover?.proveWhenDue(replay);
    await moreOrProved(end.grown(seq(Math.max(last, replay.seq))), replay, prover);
  }
}

/** Waits for more. A state that has had nothing to read for a while is proved meanwhile. */
async function moreOrProved(grown: Promise<void>, replay: Replay, prover: Prover | undefined): Promise<void> {
  // A timer may ring a moment before its time: then there is a little left to wait.
  for (let inMs = prover?.idleProofInMs(replay); inMs !== undefined; inMs = prover?.idleProofInMs(replay)) {
    const timer = new AbortController();
    const isIdle = await Promise.race([
      grown.then(() => false),
      sleep(inMs, true, { signal: timer.signal, ref: false }).catch(() => false),
    ]);
    timer.abort();
    if (!isIdle) break;
    await prover?.proveIdle(replay);
  }
  return grown;
}
