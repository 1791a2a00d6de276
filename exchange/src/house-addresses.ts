/** The addresses of the accounts by which the house trades: of its market-makers, its tapes and its liquidator, and of its funds. */
import { join } from 'node:path';
import { type Address, addressOf } from '@orrery/units';
import type { Config } from './config.ts';
import type { Hex } from 'viem';
import { chainKeys } from './embedded/chain/chain-keys.ts';
import { HOUSE_FUNDS } from './fund-plans.ts';

/** Of the account of a fund: its code in letters, of which nobody has a key. */
export const fundAddress = ({ code }: { readonly code: string }): Address =>
  addressOf(`0x${Buffer.from(`fund ${code}`).toString('hex').padStart(40, '0')}`);

const houseAddress = (name: string): Hex => `0x${Buffer.from(`house ${name}`).toString('hex').padStart(40, '0')}`;

/** On a chain elsewhere: the same in every process. Nobody has a key of them, so what they win stays in the exchange. */
export const HOUSE_ELSEWHERE = {
  quoter: houseAddress('quoter'),
  taker: houseAddress('taker'),
  contractQuoter: houseAddress('perp quoter'),
  contractTaker: houseAddress('perp taker'),
  liquidator: houseAddress('liquidator'),
} as const;

/**
 * History is written by them, so they follow from the data folder and the program alone, whatever runs at present.
 */
export function houseAddresses({ dataDirectory, rpcUrl }: Pick<Config, 'dataDirectory' | 'rpcUrl'>): readonly string[] {
  const funds = HOUSE_FUNDS.map(fundAddress);
  if (rpcUrl !== undefined) return [...funds, ...Object.values(HOUSE_ELSEWHERE)];
  const { marketMaker, taker, contractQuoter, contractTaker, liquidator } = chainKeys(join(dataDirectory, 'chain'));
  return [...funds, ...[marketMaker, taker, contractQuoter, contractTaker, liquidator].map(({ address }) => address)];
}
