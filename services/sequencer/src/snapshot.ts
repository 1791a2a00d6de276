/**
 * States kept on disk, so that a restart replays only what came after. A snapshot proves itself: its hash must be that of its bytes,
 * and the engine read from it must write the same bytes again.
 *
 * File, little-endian: `ORRERYSN`, format version u32, seq u64, at u64, length of the state u64, SHA-256 of the state, CRC-32 of all that, the state.
 */
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { crc32 } from 'node:zlib';
import type { Engine } from '@orrery/engine';
import { Reader, Writer } from '@orrery/protocol';
import { createWhole, writeWhole } from './disk.ts';
import type { Disk } from './disk.ts';
import { hasHash, sameBytes, stateHash } from './engine-factory.ts';
import type { EngineFactory } from './engine-factory.ts';

export interface Snapshot {
  readonly seq: number;
  readonly at: number;
  readonly hash: Uint8Array;
  readonly state: Uint8Array;
}

/** An engine as it was after the command `seq`. */
export interface Restored {
  readonly engine: Engine;
  readonly seq: number;
  readonly at: number;
  readonly hash: Uint8Array;
}

const MAGIC = Buffer.from('ORRERYSN', 'latin1');
const FORMAT_VERSION = 1;
const HASH_SIZE = 32;
const HEADER_SIZE = 8 + 4 + 8 + 8 + 8 + HASH_SIZE + 4;
const CHUNK = 1 << 20;
const KEPT = 2;
const SNAPSHOT_NAME = /^([0-9]{16})\.snapshot$/;

interface SnapshotFile {
  readonly path: string;
  readonly seq: number;
}

/** Newest first. */
export function listSnapshots(disk: Disk, directory: string): readonly SnapshotFile[] {
  return disk
    .list(directory)
    .flatMap((name) => {
      const digits = SNAPSHOT_NAME.exec(name)?.[1];
      return digits === undefined ? [] : [{ path: join(directory, name), seq: Number(digits) }];
    })
    .toReversed();
}

/** Writes beside the others, makes it durable, and only then removes all but the newest two. */
export async function saveSnapshot(disk: Disk, directory: string, snapshot: Snapshot): Promise<void> {
  const path = join(directory, `${String(snapshot.seq).padStart(16, '0')}.snapshot`);
  await createWhole(disk, path, async (file) => {
    const header = encodeHeader(snapshot);
    writeWhole(file, header, 0);
    for (let offset = 0; offset < snapshot.state.length; offset += CHUNK) {
      writeWhole(file, snapshot.state.subarray(offset, offset + CHUNK), header.length + offset);
      await nextTurn();
    }
  });
  for (const old of listSnapshots(disk, directory).slice(KEPT)) disk.remove(old.path);
}

/** The newest good one that is not later than `notAfter`. `onDamaged` hears about each one that was passed over. */
export function newestSnapshot(
  from: { readonly disk: Disk; readonly directory: string; readonly engines: EngineFactory; readonly notAfter: number },
  onDamaged: (sentence: string) => void,
): Restored | undefined {
  for (const { path, seq } of listSnapshots(from.disk, from.directory)) {
    if (seq > from.notAfter) continue;
    try {
      return restore(decodeSnapshot(from.disk.read(path)), from.engines);
    } catch (cause) {
      onDamaged(`the snapshot ${path} is damaged and is passed over: ${cause instanceof Error ? cause.message : String(cause)}`);
    }
  }
  return undefined;
}

function restore({ seq, at, hash, state }: Snapshot, engines: EngineFactory): Restored {
  const engine = engines.decodeState(state);
  if (!hasHash(engine, hash)) throw new Error('the state read from it is not the state that was written');
  return { engine, seq, at, hash };
}

function encodeHeader({ seq, at, hash, state }: Snapshot): Uint8Array {
  const writer = new Writer(HEADER_SIZE);
  writer.raw(MAGIC);
  writer.uint32(FORMAT_VERSION);
  writer.uint64(seq);
  writer.uint64(at);
  writer.uint64(state.length);
  writer.raw(hash);
  writer.uint32(crc32(writer.bytes));
  return writer.take();
}

export function decodeSnapshot(bytes: Uint8Array): Snapshot {
  if (bytes.length < HEADER_SIZE) throw new Error('it is shorter than its header');
  const reader = new Reader(bytes);
  if (!MAGIC.equals(reader.raw(MAGIC.length))) throw new Error('it is no snapshot');
  const version = reader.uint32();
  if (version !== FORMAT_VERSION) throw new Error(`version ${version} of its format is not known here`);
  const seq = reader.uint64();
  const at = reader.uint64();
  const length = reader.uint64();
  const hash = reader.raw(HASH_SIZE).slice();
  if (crc32(bytes.subarray(0, HEADER_SIZE - 4)) !== reader.uint32()) throw new Error('the checksum of its header is wrong');
  const state = bytes.subarray(HEADER_SIZE);
  if (state.length !== length || !sameBytes(stateHash(state), hash)) throw new Error('its bytes do not have the hash that it names');
  return { seq, at, hash, state };
}
