/** The messages between a heart in a child process and its parent. */
import type { Command, Event, HeartFailure } from '@orrery/protocol';
import type { SequencerLimits } from '@orrery/sequencer';

/** With which a heart process ends when history can not go on. */
export const FATAL_EXIT = 3;

export interface ServeOptions {
  readonly directory: string;
  readonly limits: Partial<SequencerLimits>;
  /** Its engine has a bug: an order whose name begins so is applied, and then throws. */
  readonly poison?: string;
}

export type Question = { readonly id: number } & ({ readonly ask: 'submit'; readonly command: Command } | { readonly ask: 'read' });

/** The result of a read. */
export interface Reading {
  readonly seq: number;
  readonly stateHash: string;
  readonly stateHashSeq: number;
  readonly openOrders: number;
}

export interface Done {
  readonly seq: number;
  readonly events: readonly Event[];
}

export interface Refused {
  readonly failure: HeartFailure;
  readonly outcomeUnknown: boolean;
}

export type Answer = { readonly id: number } & ({ readonly done: Done } | { readonly refused: Refused } | { readonly reading: Reading });

export type Saying = Answer | 'ready';

/** To a stop in peace; by the channel, since strace keeps signals to itself. */
export const STOP = 'stop';
