/** For tests: a chain that consists of its RPC answers only, with the hashes, times and branches that a test wants. */
import type { Deployment } from '@orrery/contracts';
import type { Address } from '@orrery/units';
import { BlockNotFoundError, type Hash, type Hex, type PublicClient, zeroAddress } from 'viem';

export interface SyntheticTransaction {
  readonly sender: Address;
  readonly recipient: Address | null;
  readonly value?: bigint;
  readonly input?: Hex;
}

export interface SyntheticBlock {
  /** What its hash begins with; the rest is made up. */
  readonly prefix: string;
  /** Unix seconds. */
  readonly time: number;
  readonly transactions: readonly SyntheticTransaction[];
}

interface Reported extends SyntheticBlock {
  readonly hash: Hash;
}

export const SYNTHETIC_DEPLOYMENT: Deployment = {
  chainId: 138565,
  fromBlock: 1,
  vault: `0x${'e'.repeat(40)}`,
  faucet: `0x${'f'.repeat(40)}`,
  wrappedNative: zeroAddress,
  tokens: [],
  pairs: [],
  setUp: { deployer: zeroAddress, nextNonce: 0 },
};

export class SyntheticChain {
  readonly #blocks: Reported[] = [];
  #made = 0;

  /** Answers the hash of the new head. */
  add(block: SyntheticBlock): Hash {
    const hash = this.#hash(block.prefix);
    this.#blocks.push({ ...block, hash });
    return hash;
  }

  /** The newest blocks go. */
  takeBack(depth: number): readonly SyntheticBlock[] {
    return this.#blocks.splice(this.#blocks.length - depth, depth);
  }

  /** The very blocks that were taken back. */
  giveBack(blocks: readonly SyntheticBlock[]): void {
    this.#blocks.push(...(blocks as readonly Reported[]));
  }

  hashOf(number: number, position: number): Hash {
    return `0x7e${this.#blocks[number - 1]?.hash.slice(8)}${position.toString(16).padStart(4, '0')}`;
  }

  /** Block 1 is the first. */
  client(): PublicClient {
    const client = {
      getBlock: ({ blockNumber }: { blockNumber?: bigint } = {}) =>
        Promise.resolve(this.#block(Number(blockNumber ?? this.#blocks.length))),
      getBlockReceipts: ({ blockHash }: { blockHash: Hash }) => {
        const number = this.#blocks.findIndex(({ hash }) => hash === blockHash) + 1;
        const { transactions } = this.#block(number);
        return Promise.resolve(
          transactions.map(({ hash }) => ({ blockHash, transactionHash: hash, status: 'success', contractAddress: null, logs: [] })),
        );
      },
    };
    return client as unknown as PublicClient;
  }

  #block(number: number) {
    const block = this.#blocks[number - 1];
    if (block === undefined) throw new BlockNotFoundError({ blockNumber: BigInt(number) });
    return {
      number: BigInt(number),
      hash: block.hash,
      parentHash: this.#blocks[number - 2]?.hash ?? `0x${'0'.repeat(64)}`,
      timestamp: BigInt(block.time),
      logsBloom: null,
      transactions: block.transactions.map(({ sender, recipient, value = 1n, input = '0x' }, position) => ({
        hash: this.hashOf(number, position),
        from: sender,
        to: recipient,
        nonce: number,
        value,
        input,
      })),
    };
  }

  #hash(prefix: string): Hash {
    this.#made += 1;
    return `0x${prefix.slice(2)}${this.#made.toString(16).padStart(66 - prefix.length, 'b')}`;
  }
}
