/** What a frame's body lists: commands in the order of history, and now and then the hash of the state they led to. */
import { readCommand, Reader, writeCommand } from '@orrery/protocol';
import type { Command, Sequenced, Writer } from '@orrery/protocol';
import { millis, seq } from '@orrery/units';
import type { Millis } from '@orrery/units';
import type { Frame } from './frame.ts';

/** `poisoned` says that applying the command threw: it changed nothing, and on replay it is not tried again. */
export type Entry = { readonly kind: 'command' | 'poisoned'; readonly sequenced: Sequenced } | ({ readonly kind: 'stateHash' } & StateHash);

/** SHA-256 of the state after the command before it, written in this layout. */
export interface StateHash {
  readonly layout: number;
  readonly hash: Uint8Array;
}

const COMMAND = 1;
const POISONED = 2;
/** Of layout 1, which it does not name. It is read only. */
const STATE_HASH_OF_LAYOUT_1 = 3;
const STATE_HASH = 4;
const HASH_SIZE = 32;

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

/** The entries of one frame. */
export function entriesOf(bytes: Uint8Array, frame: Pick<Frame, 'bodyStart' | 'bodyEnd' | 'firstSeq'>): readonly Entry[] {
  const reader = new Reader(bytes);
  reader.reset(bytes, frame.bodyStart, frame.bodyEnd);
  const entries: Entry[] = [];
  let next = frame.firstSeq;
  while (!reader.atEnd) {
    const entry = readEntry(reader, next);
    if (entry.kind !== 'stateHash') next += 1;
    entries.push(entry);
  }
  return entries;
}

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
    default:
      throw new RangeError(`an entry of unknown kind ${kind}`);
  }
}
