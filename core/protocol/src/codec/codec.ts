/**
 * Commands and events as bytes: a version, the number of the type, the fields.
 * Equal values have equal bytes, and nothing but a whole valid record is read back.
 */
import type { Command } from '../commands.ts';
import type { Event } from '../events.ts';
import { commandCodec } from './command-codec.ts';
import { eventCodec } from './event-codec.ts';
import { DecodeError, Reader } from './reader.ts';
import type { UnionCodec } from './record.ts';
import { Writer } from './writer.ts';

/** The version of the bytes of commands and events. */
export const CODEC_VERSION = 1;

/** The bytes of one record are made here before they are copied out: a writer of its own for each would cost more than the record. */
const scratch = new Writer();

export const encodeCommand = (command: Command): Uint8Array<ArrayBuffer> => encode(commandCodec, command);
export const decodeCommand = (bytes: Uint8Array): Command => decode(commandCodec, bytes);
export const encodeEvent = (event: Event): Uint8Array<ArrayBuffer> => encode(eventCodec, event);
export const decodeEvent = (bytes: Uint8Array): Event => decode(eventCodec, bytes);

/** Appends to what the writer holds: for records within records. */
export function writeCommand(writer: Writer, command: Command): void {
  writer.byte(CODEC_VERSION);
  commandCodec.write(writer, command);
}

/** Appends to what the writer holds. */
export function writeEvent(writer: Writer, event: Event): void {
  writer.byte(CODEC_VERSION);
  eventCodec.write(writer, event);
}

/** Reads one command and leaves the reader behind it. */
export const readCommand = (reader: Reader): Command => read(commandCodec, reader);

function encode<Union>(codec: UnionCodec<Union>, value: Union): Uint8Array<ArrayBuffer> {
  scratch.clear();
  scratch.byte(CODEC_VERSION);
  codec.write(scratch, value);
  return scratch.take();
}

function decode<Union>(codec: UnionCodec<Union>, bytes: Uint8Array): Union {
  const reader = new Reader(bytes);
  const value = read(codec, reader);
  if (!reader.atEnd) throw new DecodeError('bytes after the end of the record');
  return value;
}

function read<Union>(codec: UnionCodec<Union>, reader: Reader): Union {
  const version = reader.byte();
  if (version !== CODEC_VERSION) throw new DecodeError(`version ${version} of the codec is not known here`);
  return codec.read(reader);
}
