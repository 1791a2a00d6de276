/** The lucky blocks of the chain, as who reads the chain finds them. */
import type { Address } from '@orrery/units';
import type { Span } from './rule.ts';

export interface LuckyFind {
  /** Counts up in the order of finding; one that comes back after it was taken back has a new one. */
  readonly id: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Unix milliseconds, by the chain's clock: the clock of the rule. */
  readonly blockTime: number;
  readonly foundAt: number;
  /** The first of the block; undefined in an empty one. */
  readonly transaction:
    | {
        readonly hash: string;
        readonly sender: Address;
        readonly recipient: Address | undefined;
        readonly value: bigint;
        readonly hasData: boolean;
      }
    | undefined;
  /** The chain took it back although it was final. */
  readonly isTakenBack: boolean;
}

export interface LuckyFindsPort {
  /** In the order of finding. */
  after(id: number): Promise<readonly LuckyFind[]>;
  find(blockHash: string): Promise<LuckyFind | undefined>;
  /** Hashes of those that the chain took back although they were final. */
  takenBack(): Promise<readonly string[]>;
  /** Newest first. */
  page(query: { sender?: Address; page: number; pageSize: number }): Promise<{ list: readonly LuckyFind[]; total: number }>;
  /** Blocks with a transaction of the sender first in them, or all blocks; and how many of them were lucky. */
  draws(query: { sender?: Address } & Span): Promise<{ draws: number; lucky: number }>;
  /** Resolves when everything that was final at `at` is found. */
  reached(at: number): Promise<void>;
}
