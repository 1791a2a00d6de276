/** What rots or is written over on a disk: done to files that were durable, and put right again when it was noticed. */
import type { HistoryDamaged } from '@orrery/sequencer';
import { frameAt, SEGMENT_HEADER_SIZE, type Frame } from '../../../services/sequencer/src/frame.ts';
import type { Inode, Platter } from './platter.ts';
import { SECTOR } from './platter.ts';

export interface Damage {
  readonly place: string;
  /** It lies behind the newest snapshot, so that every start reads it. */
  readonly mustBeRefused: boolean;
  explains(error: HistoryDamaged): boolean;
  repair(): void;
}

interface Placed {
  readonly path: string;
  readonly inode: Inode;
  readonly frame: Frame;
}

/** Something within a frame that has a good frame behind it: nothing that a crash could do. Undefined when there is no such frame. */
export function damageJournal(
  platter: Platter,
  { where, what }: { readonly where: number; readonly what: 'bit' | 'misdirectedSector' },
): Damage | undefined {
  const frames = [...framesOf(platter)];
  const victim = frames[Math.floor(where * (frames.length - 1))];
  const other = frames[0];
  if (victim === undefined || other === undefined || frames.length < 2) return undefined;
  const { path, inode, frame } = victim;
  const last = frames.at(-1);
  const at = frame.offset + Math.floor((frame.bodyEnd - frame.offset) * ((where * 7919) % 1));
  // Damage that includes the newest frames looks like a torn end: a single copy cannot distinguish them.
  const end = (Math.floor(at / SECTOR) + 1) * SECTOR;
  if (last?.inode === inode && last.frame.offset < end) return undefined;
  const original = inode.bytes.slice(0, inode.length);
  const isChanged = what === 'bit' ? flipBit(inode, at) : misdirect({ from: other.inode, to: inode, at });
  if (!isChanged) return undefined;
  const newest = newestSnapshot(platter);
  return {
    place: `${path} at ${at}, in the frame at ${frame.offset}`,
    mustBeRefused: frame.firstSeq > newest,
    explains: (error) => error.file === path && error.offset <= at + SECTOR,
    repair: () => {
      inode.bytes.set(original);
      inode.durable.set(original.subarray(0, inode.durable.length));
    },
  };
}

/** One bit of the newest snapshot. Answers whether there was one. */
export function damageSnapshot(platter: Platter, where: number): boolean {
  const path = snapshots(platter).at(-1);
  const inode = path === undefined ? undefined : platter.names.get(path);
  if (inode === undefined || inode.length === 0) return false;
  return flipBit(inode, Math.floor(where * inode.length));
}

function* framesOf(platter: Platter): Generator<Placed> {
  for (const path of [...platter.names.keys()].filter((name) => name.endsWith('.segment')).sort()) {
    const inode = platter.names.get(path);
    if (inode === undefined) continue;
    const bytes = inode.bytes.subarray(0, inode.length);
    let offset = SEGMENT_HEADER_SIZE;
    for (let frame = frameAt(bytes, offset); frame !== undefined; frame = frameAt(bytes, offset)) {
      yield { path, inode, frame };
      offset = frame.end;
    }
  }
}

const snapshots = (platter: Platter): readonly string[] => [...platter.names.keys()].filter((path) => path.endsWith('.snapshot')).sort();

const newestSnapshot = (platter: Platter): number => Number(/([0-9]{16})\.snapshot$/.exec(snapshots(platter).at(-1) ?? '')?.[1] ?? 0);

function flipBit({ bytes, durable }: Inode, at: number): boolean {
  bytes[at] = (bytes[at] ?? 0) ^ 0x10;
  if (at < durable.length) durable[at] = bytes[at] ?? 0;
  return true;
}

/** A sector that was meant for another place. */
function misdirect({ from, to, at }: { from: Inode; to: Inode; at: number }): boolean {
  const sector = from.bytes.slice(0, SECTOR);
  const place = Math.floor(at / SECTOR) * SECTOR;
  const before = to.bytes.slice(place, place + SECTOR);
  if (before.every((byte, index) => byte === sector[index])) return false;
  to.bytes.set(sector, place);
  if (place + SECTOR <= to.durable.length) to.durable.set(sector, place);
  return true;
}
