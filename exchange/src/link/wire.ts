/** What a heart that leads and the processes around it send to each other by NATS. */
import { type Command, HeartError, type HeartFailure, readCommand, Reader, writeCommand, Writer } from '@orrery/protocol';
import { type Seq, seq } from '@orrery/units';

/** Of every message: another version of the program may listen. */
const VERSION = 1;
export const KEY_BYTES = 16;

/** Where a command is sent. Each epoch has a subject of its own: a deposed heart hears nothing of what is meant for the next one. */
export const submitSubject = (prefix: string, epoch: number): string => `${prefix}.submit.${epoch}`;
/** Where is asked how far history is durable; the answer is that of a command which was taken there. */
export const endSubject = (prefix: string, epoch: number): string => `${prefix}.end.${epoch}`;
export const beatSubject = (prefix: string): string => `${prefix}.beat`;

export interface Sent {
  /** Of this command and its repetitions. */
  readonly key: Uint8Array;
  /** By the time of history, unix milliseconds: later it may not be taken. */
  readonly notAfter: number;
  readonly command: Command;
}

/** `late`: it was not taken, because its time was over; of an earlier sending under its key nothing is known any more. */
export type Answer = { readonly seq: Seq } | { readonly error: HeartError } | 'late';

/** What the heart that leads says of itself, a few times a second. */
export interface Beat {
  readonly epoch: number;
  readonly seq: Seq;
  /** The time of history, unix milliseconds. */
  readonly nowMs: number;
  /** Milliseconds. */
  readonly clockAheadMs: number;
  readonly unready: string | undefined;
}

const TAKEN = 0;
const FAILED = 1;
const LATE = 2;
const FAILURES: readonly HeartFailure[] = ['stopped', 'overloaded', 'cancelsOnly', 'unencodable', 'readOnly'];

class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';
}

/** @throws when the command has text or a number that no message can hold */
export function encodeSent({ key, notAfter, command }: Sent): Uint8Array {
  const writer = begun();
  writer.raw(key);
  writer.uint(notAfter);
  writeCommand(writer, command);
  return writer.take();
}

/** @throws DecodeError or UnknownVersion when these bytes are something else */
export function decodeSent(bytes: Uint8Array): Sent {
  const reader = opened(bytes);
  return { key: reader.raw(KEY_BYTES).slice(), notAfter: reader.uint(), command: readCommand(reader) };
}

export function encodeAnswer(answer: Answer): Uint8Array {
  const writer = begun();
  if (answer === 'late') {
    writer.byte(LATE);
    return writer.take();
  }
  if ('seq' in answer) {
    writer.byte(TAKEN);
    writer.uint(answer.seq);
    return writer.take();
  }
  const { failure, outcomeUnknown, message } = answer.error;
  writer.byte(FAILED);
  writer.byte(FAILURES.indexOf(failure));
  writer.byte(outcomeUnknown ? 1 : 0);
  writer.text(message);
  return writer.take();
}

/** @throws DecodeError or UnknownVersion when these bytes are something else */
export function decodeAnswer(bytes: Uint8Array): Answer {
  const reader = opened(bytes);
  const kind = reader.byte();
  if (kind === LATE) return 'late';
  if (kind === TAKEN) return { seq: seq(reader.uint()) };
  if (kind !== FAILED) throw new RangeError(`an answer of unknown kind ${kind}`);
  const failure = FAILURES[reader.byte()] ?? 'stopped';
  return { error: new HeartError({ failure, outcomeUnknown: reader.byte() === 1, message: reader.text() }) };
}

export function encodeBeat({ epoch, seq: at, nowMs, clockAheadMs, unready }: Beat): Uint8Array {
  const writer = begun();
  writer.uint(epoch);
  writer.uint(at);
  writer.uint(nowMs);
  writer.uint(clockAheadMs);
  writer.text(unready ?? '');
  return writer.take();
}

/** @throws DecodeError or UnknownVersion when these bytes are something else */
export function decodeBeat(bytes: Uint8Array): Beat {
  const reader = opened(bytes);
  const beat = { epoch: reader.uint(), seq: seq(reader.uint()), nowMs: reader.uint(), clockAheadMs: reader.uint() };
  const unready = reader.text();
  return { ...beat, unready: unready === '' ? undefined : unready };
}

function begun(): Writer {
  const writer = new Writer();
  writer.byte(VERSION);
  return writer;
}

function opened(bytes: Uint8Array): Reader {
  const reader = new Reader(bytes);
  const version = reader.byte();
  if (version !== VERSION) throw new UnknownVersion(`a message of version ${version}: all programs of an exchange are of one version`);
  return reader;
}
