/** What a frame's body lists: commands in the order of history, and now and then the hash of the state they led to. */
import { readCommand, Reader, writeCommand } from '@orrery/protocol';
import type { Command, Sequenced, Writer } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';
import type { Millis } from '@orrery/units';
import type { Frame } from './frame.ts';

/** `poisoned` says that applying the command threw: it changed nothing, and on replay it is not tried again. */
export type Entry =
  | { readonly kind: 'command' | 'poisoned'; readonly sequenced: Sequenced }
  | ({ readonly kind: 'stateHash' } & StateHash)
  | ({ readonly kind: 'runningHash' } & RunningHash);

/** SHA-256 of the state after the command before it, written in this layout. */
export interface StateHash {
  readonly layout: number;
  readonly hash: Uint8Array;
}

/** What the engine's running hash was after the command before it. It covers the commands since the running hash before it. */
export interface RunningHash {
  /** False when the writer did not apply all of these commands with one engine: then there is nothing to compare. */
  readonly isWhole: boolean;
  readonly hash: Uint8Array;
}

const COMMAND = 1;
const POISONED = 2;
/** Of layout 1, which it does not name. It is read only. */
const STATE_HASH_OF_LAYOUT_1 = 3;
const STATE_HASH = 4;
const RUNNING_HASH = 5;
const HASH_SIZE = 32;
const RUNNING_HASH_SIZE = 8;

export function writeCommandEntry(writer: Writer, at: Millis, command: Command): void {
  writer.byte(COMMAND);
  writer.uint(at);
  writeCommand(writer, command);
}

/** Turns the command entry that begins at `start` into a poisoned one. */
export function poisonEntry(writer: Writer, start: number): void {
  writer.bytes[start] = POISONED;
}

export function writeStateHash(writer: Writer, { layout, hash }: StateHash): void {
  writer.byte(STATE_HASH);
  writer.uint(layout);
  writer.raw(hash);
}

export function writeRunningHash(writer: Writer, { isWhole, hash }: RunningHash): void {
  writer.byte(RUNNING_HASH);
  writer.byte(isWhole ? 1 : 0);
  writer.raw(hash);
}

/** The entries of one frame. */
export function entriesOf(bytes: Uint8Array, frame: Pick<Frame, 'bodyStart' | 'bodyEnd' | 'firstSeq'>): readonly Entry[] {
  const reader = new Reader(bytes);
  reader.reset(bytes, frame.bodyStart, frame.bodyEnd);
  const entries: Entry[] = [];
  let next = frame.firstSeq;
  while (!reader.atEnd) {
    const entry = readEntry(reader, next);
    if (isCommand(entry)) next += 1;
    entries.push(entry);
  }
  return entries;
}

export const isCommand = (entry: Entry): entry is Extract<Entry, { kind: 'command' | 'poisoned' }> =>
  entry.kind === 'command' || entry.kind === 'poisoned';

function readEntry(reader: Reader, next: number): Entry {
  const kind = reader.byte();
  switch (kind) {
    case COMMAND:
    case POISONED: {
      const at = millis(reader.uint());
      const sequenced = { seq: seq(next), at, command: readCommand(reader) };
      return { kind: kind === COMMAND ? 'command' : 'poisoned', sequenced };
    }
    case STATE_HASH_OF_LAYOUT_1:
      return { kind: 'stateHash', layout: 1, hash: reader.raw(HASH_SIZE).slice() };
    case STATE_HASH:
      return { kind: 'stateHash', layout: reader.uint(), hash: reader.raw(HASH_SIZE).slice() };
    case RUNNING_HASH:
      return { kind: 'runningHash', isWhole: reader.byte() === 1, hash: reader.raw(RUNNING_HASH_SIZE).slice() };
    default:
      throw new RangeError(`an entry of unknown kind ${kind}`);
  }
}
