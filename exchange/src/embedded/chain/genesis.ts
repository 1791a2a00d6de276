/** Block zero of the local chain: fixed by the first start, and the same at every start after. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { toHex, type Address } from 'viem';
import { writeDurably } from './write-durably.ts';

export interface Allocation {
  readonly address: Address;
  /** Wei. */
  readonly balance: bigint;
}

const NO_HASH = `0x${'0'.repeat(64)}`;
const BLOCK_GAS = 30_000_000;

/** Writes the genesis file unless there is one, and answers its path. The node has no keys: money belongs to addresses of ours. */
export function ensureGenesis(options: {
  readonly directory: string;
  readonly chainId: number;
  readonly allocations: readonly Allocation[];
  readonly timestamp: number;
}): string {
  const path = join(options.directory, 'genesis.json');
  if (!existsSync(path)) writeDurably(path, JSON.stringify(genesis(options), undefined, 2));
  return path;
}

export function genesisTimestamp(path: string): number {
  return Number((JSON.parse(readFileSync(path, 'utf8')) as { timestamp: string }).timestamp);
}

function genesis(options: { chainId: number; allocations: readonly Allocation[]; timestamp: number }): object {
  const forks = [
    'homesteadBlock',
    'eip150Block',
    'eip155Block',
    'eip158Block',
    'byzantiumBlock',
    'constantinopleBlock',
    'petersburgBlock',
    'istanbulBlock',
    'berlinBlock',
    'londonBlock',
  ];
  return {
    config: {
      chainId: options.chainId,
      ...Object.fromEntries(forks.map((fork) => [fork, 0])),
      terminalTotalDifficulty: 0,
      terminalTotalDifficultyPassed: true,
      shanghaiTime: 0,
      cancunTime: 0,
    },
    nonce: '0x0',
    timestamp: toHex(options.timestamp),
    extraData: '0x',
    gasLimit: toHex(BLOCK_GAS),
    difficulty: '0x0',
    mixHash: NO_HASH,
    coinbase: `0x${'0'.repeat(40)}`,
    alloc: Object.fromEntries(options.allocations.map(({ address, balance }) => [address, { balance: toHex(balance) }])),
  };
}
