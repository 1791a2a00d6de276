/** A chain that every machine reaches by RPC, as a chain of others would be: anvil, with its state in a file. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CHAIN_ID } from '@orrery/contracts';
import { anvilBinary } from '@orrery/contracts/anvil';
import type { Machine } from './machines.ts';
import { flagsOf, type PartPlan } from './part.ts';

const PORT = 8545;
const BLOCK_SECONDS = 2;
const SAVE_SECONDS = 5;
/** In SOSO. */
const BALANCE = 1_000_000_000;

export interface ChainOptions {
  readonly directory: string;
  /** Of the accounts that have the coins of the first block. */
  readonly mnemonic: string;
  readonly accounts: number;
}

export function chainPlan(outside: Machine, { directory, mnemonic, accounts }: ChainOptions): PartPlan {
  const own = join(directory, 'chain-1');
  mkdirSync(own, { recursive: true, mode: 0o700 });
  return {
    name: 'chain-1',
    machine: outside,
    directory: own,
    command: [
      anvilBinary(),
      '--no-cors',
      '--quiet',
      ...flagsOf({ host: outside.address, port: PORT, 'chain-id': CHAIN_ID, hardfork: 'cancun', order: 'fifo' }),
      ...flagsOf({ mnemonic, accounts, balance: BALANCE, 'block-time': BLOCK_SECONDS }),
      // A kill loses the blocks since the last save: what a reorganisation of a real chain is.
      ...flagsOf({ state: join(own, 'state.json'), 'state-interval': SAVE_SECONDS }),
    ],
  };
}

export const chainUrl = (outside: Machine): string => `http://${outside.address}:${PORT}`;
