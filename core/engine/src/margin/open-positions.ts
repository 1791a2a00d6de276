/** Positions whose contract is not open: what their account is worth is not known, so no money leaves it. Since rules 7. */
import { NO_POSITION, type AccountId, type Millis } from '@orrery/units';
import type { CommandRejected, MarginGroup } from '@orrery/protocol';
import { reject, type RulesVersion } from '@orrery/rules';
import type { Holder } from '../positions/position-row.ts';
import { isOpenBy } from '../prices/contract-prices.ts';

interface Held {
  readonly rules: RulesVersion;
  readonly positions: { known(account: AccountId): Holder | undefined };
}

/** Whether a holder has a position of a margin group in a contract that is not open. */
export const holdsDegraded = (holder: Holder, group: MarginGroup, rules: RulesVersion, at: Millis): boolean =>
  holder.exposures.some(
    ({ contract, rows }) =>
      contract.group === group &&
      rows.some((row) => row !== undefined && row.size !== NO_POSITION) &&
      !isOpenBy(rules, contract.prices, at),
  );

/** Why no money of an account leaves the wallets of these margin groups. */
export function refuseLeavingDegraded(
  { rules, positions }: Held,
  account: AccountId,
  groups: readonly MarginGroup[],
  at: Millis,
): CommandRejected | undefined {
  const holder = rules < 7 ? undefined : positions.known(account);
  if (holder === undefined) return undefined;
  return groups.some((group) => holdsDegraded(holder, group, rules, at)) ? reject('PricesUnreliable', 'account') : undefined;
}

/** What is at stake with real money. */
export const MONEY_GROUPS: readonly MarginGroup[] = ['linear', 'inverse'];
