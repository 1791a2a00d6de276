/** The messages between the program and its history thread. */
import type { DatabaseAddress } from '../database.ts';

/** Of all processes on one database the holder writes history. */
export const HISTORY_LEASE = 'history';

/** What the thread is started with. */
export interface HistoryThreadData {
  /** The heart's folder. */
  readonly directory: string;
  readonly database: DatabaseAddress;
  /** Begins the name of each process that works in this data folder. */
  readonly place: string;
  /** Whether history is written here at all; else others write it, and exports. */
  readonly isProjector: boolean;
  readonly durableSeq: SharedArrayBuffer;
  readonly heartLoad: SharedArrayBuffer;
  /** Of the accounts of the house. */
  readonly houseAddresses: readonly string[];
  /** The time of the exchange when the thread was started, unix milliseconds. */
  readonly startedAt: number;
}

export type ToHistoryThread =
  /** A reader waits until everything up to this command is written. */
  | { readonly type: 'wanted'; readonly seq: number }
  /** An export waits to be written. */
  | { readonly type: 'export' }
  | { readonly type: 'stop' };

export type FromHistoryThread =
  | { readonly type: 'progress'; readonly seq: number; readonly failure: string | undefined }
  /** Whether this process is the one that writes. */
  | { readonly type: 'lease'; readonly isHeld: boolean }
  /** The hash of the state after a durable command. */
  | { readonly type: 'proof'; readonly seq: number; readonly hash: Uint8Array }
  /** The journal does not lead to the state that the heart proves, or balances are missing: nothing may go on. */
  | { readonly type: 'diverged'; readonly sentence: string }
  | { readonly type: 'trouble'; readonly sentence: string }
  | { readonly type: 'log'; readonly line: string }
  /** The first progress has arrived; or the sentence says why there is none. */
  | { readonly type: 'started'; readonly refusal: string | undefined }
  | { readonly type: 'stopped' };
