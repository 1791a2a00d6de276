/** The one door between the heart and everything else. In one process a function call, across machines the log. */
import type { Millis, Seq } from '@orrery/units';
import type { Command, Sequenced } from './commands.ts';
import type { Event } from './events.ts';

/** A command that is history, and the facts that came of it. */
export interface Applied extends Sequenced {
  readonly events: readonly Event[];
}

/** The durable answer to a command. */
export interface Receipt {
  readonly seq: Seq;
  readonly at: Millis;
  readonly events: readonly Event[];
}

/** The facts at `seq`, as events, and everything after it, in order and without a gap. */
export interface View {
  readonly seq: Seq;
  /** To be read before the tail: they are let go with its first command, because readers hold a view as long as they live. */
  readonly facts: readonly Event[];
  /** Ends when `close` is called or the heart stops. */
  readonly tail: AsyncIterable<readonly Applied[]>;
  close(): void;
}

export interface HeartStatus {
  readonly seq: Seq;
  readonly at: Millis;
  /** SHA-256 in hex of the canonical state at `stateHashSeq`. */
  readonly stateHash: string;
  readonly stateHashSeq: Seq;
  /** How far the wall clock is ahead of the time of history, in milliseconds, while a jump of it is refused; else 0. */
  readonly clockAheadMs: number;
}

export interface Heart {
  /** Resolves when the command is durable and applied. Rejects only when the heart has stopped or is overloaded (`HeartError`). */
  submit(command: Command): Promise<Receipt>;
  /** The current facts and then the live tail: for views kept in memory. */
  open(): View;
  /** Everything after `seq`, from history: for read models that keep their own offset. */
  subscribe(after: Seq): AsyncIterable<readonly Applied[]>;
  status(): HeartStatus;
  /**
   * How far history goes when this is asked, as the heart that leads says it; `status` of a heart in another process may be behind.
   * @throws HeartError when no heart that leads answers in time
   */
  end(): Promise<Seq>;
}

/**
 * cancelsOnly: the disk is full, a standby is missing or the operator wants it so. readOnly: the operator wants nothing to change. unencodable: the command has
 * text or a number that the journal cannot hold; the same command fails again.
 */
export type HeartFailure = 'stopped' | 'overloaded' | 'cancelsOnly' | 'unencodable' | 'readOnly';

/** A failure of the heart, not of the command: nothing is known to have changed unless `outcomeUnknown`. */
export class HeartError extends Error {
  override readonly name = 'HeartError';
  readonly failure: HeartFailure;
  readonly outcomeUnknown: boolean;

  constructor(options: { failure: HeartFailure; outcomeUnknown: boolean; message: string; cause?: unknown }) {
    super(options.message, { cause: options.cause });
    this.failure = options.failure;
    this.outcomeUnknown = options.outcomeUnknown;
  }
}
