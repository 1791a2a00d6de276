/** Accounts of the house, and the API keys by which its own clients act for them. */
import type { Accounts } from '@orrery/accounts';
import type { MoneyRight } from '@orrery/api';
import type { AccountId, Address } from '@orrery/units';

export interface HouseKey {
  readonly accessKey: string;
  readonly secret: string;
}

interface Owner {
  readonly account: AccountId;
  readonly address: Address;
}

/** Our own accounts need no whitelist and sign no terms with themselves. */
export async function admit({ directory }: Pick<Accounts, 'directory'>, address: Address): Promise<Owner> {
  const { account } = await directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await directory.setFlag(account, flag);
  return { account, address };
}

/** The key of this label: made once. @param moneyRights of a new one */
export async function keyFor(
  { apiKeys }: Pick<Accounts, 'apiKeys'>,
  owner: Owner,
  label: string,
  moneyRights: readonly MoneyRight[] = [],
): Promise<HouseKey> {
  const made = apiKeys.list(owner.account).find((key) => key.label === label && key.enabled);
  const found = made === undefined ? undefined : apiKeys.find(made.accessKey);
  if (made !== undefined && found !== undefined) return { accessKey: made.accessKey, secret: found.secret };
  const { accessKey, secret } = await apiKeys.create(owner, {
    label,
    permission: 'TRADE',
    tier: 'marketMaker',
    moneyRights: [...moneyRights],
  });
  return { accessKey, secret };
}
