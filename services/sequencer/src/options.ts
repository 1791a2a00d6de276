/** What a sequencer is made of, and its numbers. */
import type { Engine } from '@orrery/engine';
import type { Command, HeartError } from '@orrery/protocol';
import type { Seq } from '@orrery/units';
import type { Disk } from './disk.ts';
import type { EngineFactory } from './engine-factory.ts';
import type { Lock } from './lock.ts';

export interface Clock {
  /** Unix time in milliseconds. May jump; history never runs backwards all the same. */
  wallMs(): number;
  /** Milliseconds that only grow. */
  monotonicMs(): number;
}

export interface SequencerLimits {
  readonly segmentBytes: number;
  /** Prepared in advance, so that cancels find room on a full disk. */
  readonly reserveBytes: number;
  /** Number of commands after which the journal holds a running hash, and the hash of the state when the sequencer makes it and the state is not too large. */
  readonly hashEvery: number;
  /** Number of commands after which a snapshot is written, when the state is not too large for that. */
  readonly snapshotEvery: number;
  /** The most bytes of the state that are encoded for each command: a larger state is hashed and written less often. */
  readonly encodedBytesPerCommand: number;
  /** Commands that are applied and not yet durable; beyond it the heart is overloaded. */
  readonly pendingCommands: number;
  /** Commands kept in memory for readers that are almost up to date. */
  readonly recentCommands: number;
  /** Number of these that stay when every reader has taken them: the garbage collector moves every object that stays. */
  readonly recentCommandsKept: number;
  /** Below this part of the volume free, or below `dayOfJournalBytes` when that is less, only cancels are taken. */
  readonly minFreeRatio: number;
  /** What the journal of a busy day takes. */
  readonly dayOfJournalBytes: number;
}

export const DEFAULT_LIMITS: SequencerLimits = {
  segmentBytes: 16 << 20,
  reserveBytes: 64 << 20,
  hashEvery: 10_000,
  snapshotEvery: 100_000,
  encodedBytesPerCommand: 128,
  pendingCommands: 16_384,
  recentCommands: 16_384,
  recentCommandsKept: 1_024,
  minFreeRatio: 0.1,
  // A thousand commands a second, with a hundred bytes each.
  dayOfJournalBytes: 1_000 * 86_400 * 100,
};

/** How long a group of commands took, step by step; in milliseconds. */
export interface GroupTimes {
  /** Those that share one write and one sync. */
  readonly commands: number;
  /** Of its frame, without the zeros that fill it up. */
  readonly bytes: number;
  /** From the arrival of the oldest command to the first step; 0 for a group that continues earlier commands. */
  readonly queueMs: number;
  readonly applyMs: number;
  /** Until it is on the disk. */
  readonly journalMs: number;
  readonly answerMs: number;
}

/** Which commands are taken: cancels are those of orders. */
export type Accepted = 'everything' | 'cancels' | 'nothing';

export interface SequencerOptions {
  /** Its own folder: journal, snapshots and lock. Made when missing. */
  readonly directory: string;
  readonly engines: EngineFactory;
  readonly disk: Disk;
  readonly clock: Clock;
  /** Called once, when history cannot be written any more: the process must end. */
  readonly onFatal: (error: HeartError) => void;
  /** Called with the newest durable command, after its readers in this process, and while another heart leads: for readers in other threads. */
  readonly onDurable?: (seq: Seq) => void;
  /** Called with each group after its answers: for those who measure. */
  readonly onGroup?: (times: GroupTimes) => void;
  /** Sentences for the operator. */
  readonly log: (line: string) => void;
  /**
   * Who encodes and hashes the whole state: the sequencer itself, between commands (the default), or a follower of its folder in another thread, which hands its
   * proofs to `acceptProof` and keeps the snapshots.
   */
  readonly provedBy?: 'sequencer' | 'follower';
  readonly limits?: Partial<SequencerLimits>;
  /** Commands of every opening, by the recovered state: they stand before anything else, what a crash left over included. */
  readonly opening?: (engine: Engine) => readonly Command[];
  /** `everything` unless the operator wants less; with `nothing` no `opening` either, and what a crash left over waits for the next start. */
  readonly accepts?: Accepted;
  /** Keeps every other sequencer out of the folder; without it the kernel of this machine does. */
  readonly lockFolder?: (directory: string) => Promise<Lock>;
}
