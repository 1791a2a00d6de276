/** The addresses of the accounts by which the house trades: of its market-makers, its tapes and its liquidator, and of its funds. */
import { join } from 'node:path';
import { type Address, addressOf } from '@orrery/units';
import type { Config } from './config.ts';
import { chainKeys } from './embedded/chain/chain-keys.ts';
import { HOUSE_FUNDS } from './fund-plans.ts';

/** Of the account of a fund: its code in letters, of which nobody has a key. */
export const fundAddress = ({ code }: { readonly code: string }): Address =>
  addressOf(`0x${Buffer.from(`fund ${code}`).toString('hex').padStart(40, '0')}`);

/**
 * History is written by them, so they follow from the data folder and the program alone, whatever runs at present. With a chain elsewhere the house has no
 * market-makers, and the same funds.
 */
export function houseAddresses({ dataDirectory, rpcUrl }: Pick<Config, 'dataDirectory' | 'rpcUrl'>): readonly string[] {
  const funds = HOUSE_FUNDS.map(fundAddress);
  if (rpcUrl !== undefined) return funds;
  const { marketMaker, taker, contractQuoter, contractTaker, liquidator } = chainKeys(join(dataDirectory, 'chain'));
  return [...funds, ...[marketMaker, taker, contractQuoter, contractTaker, liquidator].map(({ address }) => address)];
}
