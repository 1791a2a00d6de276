/** An account of ours with money in spot, in a program that an experiment serves. */
import { ASSETS } from '@orrery/exchange/listing';
import type { RunningProgram } from '@orrery/exchange/start';
import { type AccountId, type Address, assert, atoms, parseAddress } from '@orrery/units';

export interface FundedTrader {
  readonly account: AccountId;
  readonly address: Address;
}

/** @param units of each coin */
export async function openFundedTrader(
  { heart, accounts }: Pick<RunningProgram, 'heart' | 'accounts'>,
  { digits, units }: { readonly digits: string; readonly units: bigint },
): Promise<FundedTrader> {
  const address = parseAddress(`0x${digits}`);
  assert(address !== undefined, 'an address of ours');
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  for (const { asset, code, decimals, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    const amount = atoms(units * 10n ** BigInt(decimals));
    await heart.submit({ type: 'CreditDeposit', key: `trader:${account}:${code}`, address, asset, amount });
    await heart.submit({ type: 'Transfer', account, transferId: `trader-${code}`, asset, amount, from: 'funding', to: 'spot' });
  }
  return { account, address };
}
