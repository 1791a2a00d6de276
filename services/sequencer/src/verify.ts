/**
 * Replays a folder's whole history from its first command, with nothing taken on trust, and prints where it ends:
 * `node services/sequencer/src/verify.ts <folder>`. It reads only; while an exchange runs on the folder the newest group may be missing.
 */
import { existsSync } from 'node:fs';
import { createEngine, decodeState } from '@orrery/engine';
import { hasHash, stateHash } from './engine-factory.ts';
import type { EngineFactory } from './engine-factory.ts';
import { journalDirectory, snapshotDirectory } from './history.ts';
import { walkJournal } from './journal-walk.ts';
import { nodeDisk } from './node-disk.ts';
import { Replay } from './replay.ts';
import { decodeSnapshot, listSnapshots } from './snapshot.ts';
import { ReplayDiffers } from './damage.ts';

export interface Verdict {
  readonly seq: number;
  readonly stateHash: string;
  /** By layout: the hash of the last state in each layout in which it can be written. */
  readonly stateHashes: ReadonlyMap<number, string>;
  /** Hashes in the journal and in snapshots that were compared. */
  readonly checked: number;
  /** State hashes in the journal of layouts in which the state of that command cannot be written here. */
  readonly skipped: number;
  /** Frames in the journal, and those that carry the hash of the one before; the others are of format 1. */
  readonly frames: { readonly read: number; readonly chained: number };
  /** Bytes at the end that a crash left half written. */
  readonly tornBytes: number;
}

/**
 * @param published hashes by command, as a running exchange published them in its status; each must be the replay's own.
 * @throws HistoryDamaged, ReplayDiffers, or an Error when there is no history in the folder, with one sentence.
 */
export function verifyFolder(directory: string, engines: EngineFactory, published: ReadonlyMap<number, string> = new Map()): Verdict {
  const archive = { disk: nodeDisk, directory, engines, log: () => undefined };
  const journal = journalDirectory(archive);
  if (!existsSync(journal)) throw new Error(`there is no history in ${directory}: no ${journal}`);
  const snapshots = new Map(listSnapshots(nodeDisk, snapshotDirectory(archive)).map(({ path, seq }) => [seq, path]));
  const replay = new Replay(engines, undefined);
  const walk = walkJournal(nodeDisk, journal, 0);
  let checked = 0;
  let step = walk.next();
  for (; step.done !== true; step = walk.next()) {
    const isCommand = replay.take(step.value) !== undefined;
    const hash = isCommand ? published.get(replay.seq) : undefined;
    if (hash !== undefined) {
      compareHash(hash, replay);
      checked += 1;
    }
    const path = isCommand ? snapshots.get(replay.seq) : undefined;
    if (path !== undefined) {
      compareSnapshot(path, replay);
      checked += 1;
    }
  }
  return {
    seq: replay.seq,
    stateHash: hashOf(replay),
    stateHashes: new Map(replay.engine.stateLayouts().map((layout) => [layout, hashOf(replay, layout)])),
    checked: checked + replay.hashes.checked,
    skipped: replay.hashes.skipped,
    frames: step.value.frames,
    tornBytes: step.value.last?.tornBytes ?? 0,
  };
}

const hashOf = ({ engine }: Replay, layout?: number): string => Buffer.from(stateHash(engine.encodeState(layout))).toString('hex');

function compareHash(published: string, replay: Replay): void {
  if (!hasHash(replay.engine, Buffer.from(published, 'hex')))
    throw new ReplayDiffers(`replay reaches another state than was published at command ${replay.seq}`);
}

function compareSnapshot(path: string, replay: Replay): void {
  const { hash } = decodeSnapshot(nodeDisk.read(path));
  if (!hasHash(replay.engine, hash)) {
    throw new ReplayDiffers(`replay reaches another state than the snapshot ${path} at command ${replay.seq}`);
  }
}

function main(directory: string | undefined): number {
  if (directory === undefined) {
    console.error('usage: node services/sequencer/src/verify.ts <folder with journal and snapshots>');
    return 2;
  }
  try {
    const { seq, stateHash, checked, skipped, frames, tornBytes } = verifyFolder(directory, { createEngine, decodeState });
    if (tornBytes > 0) console.log(`the last group is torn (${tornBytes} bytes) and was left out`);
    if (skipped > 0) console.log(`${skipped} state hashes are of layouts in which the state cannot be written here and were not compared`);
    if (frames.chained < frames.read)
      console.log(`${frames.read - frames.chained} of ${frames.read} frames are of format 1 and carry no hash`);
    console.log(`seq ${seq} state ${stateHash} (${checked} hashes compared on the way)`);
    return 0;
  } catch (cause) {
    console.error(cause instanceof Error ? cause.message : String(cause));
    return 1;
  }
}

if (import.meta.main) process.exitCode = main(process.argv[2]);
