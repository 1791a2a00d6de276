/** What each holder did and was done to, entry by entry. */
import type { AccountId, AssetId, Millis } from '@orrery/units';
import type { EntryRow, FundTx } from './tables.ts';

/** A command of history, and the place of an event in it. */
interface Place {
  readonly seq: number;
  readonly place: number;
  readonly at: Millis;
}

interface Entered {
  readonly fund: AssetId;
  readonly account: AccountId;
  readonly kind: 'SUBSCRIPTION' | 'REDEMPTION' | 'FEE' | 'PAYOUT';
  readonly request_id: string;
  readonly status?: 'DONE';
  readonly amount?: string;
  readonly shares?: string;
  readonly left_shares?: string;
  readonly fee?: string;
  readonly nav?: string;
  readonly earliest?: Millis;
  readonly done_at?: Millis;
}

export async function enter(tx: FundTx, { seq, place, at }: Place, entered: Entered): Promise<void> {
  const { fund, account, kind, request_id, status = 'WAITING', amount = null, left_shares = '0', fee = '0', nav = null } = entered;
  const { earliest = null, done_at = null } = entered;
  // While a redemption waits it is not known how many of its shares are paid for.
  const shares = kind === 'SUBSCRIPTION' || kind === 'REDEMPTION' ? null : (entered.shares ?? null);
  await tx
    .insertInto('fund_entry')
    .values({
      seq,
      place,
      fund,
      account,
      kind,
      request_id,
      status,
      amount,
      shares,
      left_shares,
      fee,
      nav,
      earliest,
      reason: null,
      created_at: at,
      done_at,
    })
    .execute();
}

interface EntryPlace {
  readonly account: AccountId;
  readonly kind: 'SUBSCRIPTION' | 'REDEMPTION';
  readonly request_id: string;
}

export async function settle(tx: FundTx, { account, kind, request_id }: EntryPlace, values: Partial<EntryRow>): Promise<void> {
  await tx
    .updateTable('fund_entry')
    .set(values)
    .where('account', '=', account)
    .where('kind', '=', kind)
    .where('request_id', '=', request_id)
    .execute();
}
