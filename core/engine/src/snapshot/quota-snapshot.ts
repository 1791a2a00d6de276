/** What a snapshot holds of quotas: since layout 10, which came with rules 10. The order of the fields is the format of the layout. */
import { fields, list, record, type Field } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import type { QuotaUse, RefundableWorth } from '../money/quota-uses.ts';

export interface QuotaSnapshot {
  /** By account, in the order in which they last withdrew; the oldest of each first. */
  readonly quotaUses: readonly QuotaUse[];
  /** By id. */
  readonly refundableWorths: readonly RefundableWorth[];
}

export const NO_QUOTA_USES: QuotaSnapshot = { quotaUses: [], refundableWorths: [] };

const { account, amount, text, time } = fields;

export const quotaFields: { readonly [Part in keyof QuotaSnapshot]: Field<QuotaSnapshot[Part]> } = {
  quotaUses: list(record<QuotaUse>({ account, first: time, since: time, worth: amount })),
  refundableWorths: list(record<RefundableWorth>({ withdrawalId: text, worth: amount })),
};

export const takeQuotaUses = ({ money: { quotaUses } }: Pick<Exchange, 'money'>): QuotaSnapshot => ({
  quotaUses: quotaUses.list(),
  refundableWorths: quotaUses.listRefundable(),
});

export function restoreQuotaUses({ money: { quotaUses } }: Pick<Exchange, 'money'>, snapshot: QuotaSnapshot): void {
  for (const use of snapshot.quotaUses) quotaUses.restore(use);
  for (const worth of snapshot.refundableWorths) quotaUses.restoreRefundable(worth);
}
