/** Whether a withdrawal is within the quota that its command names. Since rules 10. */
import type { CommandRejected, QuotaTerms } from '@orrery/protocol';
import { isQuotaAmount, leftOfQuota, reject } from '@orrery/rules';
import type { AccountId, Millis } from '@orrery/units';
import type { MoneyState } from './money-state.ts';

interface Quoted {
  readonly account: AccountId;
  readonly quota?: QuotaTerms | undefined;
}

export const checkQuotaTerms = ({ quota }: Quoted): CommandRejected | undefined =>
  quota === undefined || (isQuotaAmount(quota.worth) && isQuotaAmount(quota.limit)) ? undefined : reject('InvalidField', 'quota');

/** What takes nothing of a quota is within any, also within one that a lower level has made smaller than what is used. */
export function checkQuota({ rules, money }: MoneyState, { account, quota }: Quoted, at: Millis): CommandRejected | undefined {
  if (quota === undefined) return undefined;
  if (rules < 10) return reject('RulesTooOld');
  return quota.worth > leftOfQuota(quota.limit, money.quotaUses.used(account, at)) ? reject('QuotaExceeded', 'amount') : undefined;
}
