/** What a snapshot holds of funds: since layout 9, of rules 9. A state without any has no place for it and needs none. The order of the fields is the format of the layout. */
import { fields, FUND_ENDS, list, record, type Field } from '@orrery/protocol';
import { NO_ATOMS, type AssetId } from '@orrery/units';
import type { Exchange } from '../exchange.ts';
import {
  enqueueRedemption,
  enqueueSubscription,
  FUND_PHASES,
  setHolder,
  type Fund,
  type FundHolder,
  type FundRedemption,
  type FundSubscription,
  type FundWork,
} from '../funds/funds.ts';

/** What follows from its lists is left out. */
interface FundSnapshot extends Omit<Fund, 'end' | 'work' | 'waiting' | 'queued' | 'holders' | 'subscriptions' | 'redemptions'> {
  readonly holders: readonly FundHolder[];
  readonly subscriptions: readonly FundSubscription[];
  readonly redemptions: readonly FundRedemption[];
  /** At most one of each. */
  readonly end: readonly NonNullable<Fund['end']>[];
  readonly work: readonly FundWork[];
}

export interface FundsSnapshot {
  /** By id. */
  readonly funds: readonly FundSnapshot[];
  /** By id: of funds that have ended, too. */
  readonly fundShares: readonly AssetId[];
}

export const NO_FUNDS: FundsSnapshot = { funds: [], fundShares: [] };

const { account, amount, asset, count, oneOf, text, time, truth } = fields;
const request = { account, interval: time };

export const fundsFields: { readonly [Part in keyof FundsSnapshot]: Field<FundsSnapshot[Part]> } = {
  funds: list(
    record<FundSnapshot>({
      fund: asset,
      account,
      leader: account,
      asset,
      capacity: amount,
      shares: amount,
      nav: amount,
      worth: amount,
      valuedAt: time,
      month: count,
      silent: count,
      isLiquidated: truth,
      closingSince: time,
      roundAt: time,
      end: list(oneOf(FUND_ENDS)),
      work: list(record<FundWork>({ phase: oneOf(FUND_PHASES), interval: time, worth: amount, shares: amount, next: count })),
      holders: list(record<FundHolder>({ account, highWaterMark: amount, lockedUntil: time })),
      subscriptions: list(record<FundSubscription>({ ...request, subscriptionId: text, amount })),
      redemptions: list(record<FundRedemption>({ ...request, redemptionId: text, shares: amount })),
    }),
  ),
  fundShares: list(asset),
};

/** Whether a state needs the layout. */
export const hasFunds = ({ fundShares }: Pick<FundsSnapshot, 'fundShares'>): boolean => fundShares.length > 0;

export function takeFunds({ funds }: Pick<Exchange, 'funds'>): FundsSnapshot {
  return {
    funds: [...funds].map(({ end, work, waiting: _waiting, queued: _queued, ...fund }) => ({
      ...fund,
      end: end === undefined ? [] : [end],
      work: work === undefined ? [] : [work],
    })),
    fundShares: [...funds.shares].sort((left, right) => left - right),
  };
}

/** Money and shares are in the balances already. */
export function restoreFunds({ funds }: Pick<Exchange, 'funds'>, snapshot: FundsSnapshot): void {
  for (const asset of snapshot.fundShares) funds.shares.add(asset);
  for (const { end, work, holders, subscriptions, redemptions, ...rest } of snapshot.funds) {
    const fund: Fund = {
      ...rest,
      end: end[0],
      work: work[0],
      holders: [],
      subscriptions: [],
      redemptions: [],
      waiting: new Map(),
      queued: NO_ATOMS,
    };
    for (const holder of holders) setHolder(fund, { ...holder });
    for (const subscription of subscriptions) enqueueSubscription(fund, subscription);
    for (const redemption of redemptions) enqueueRedemption(fund, { ...redemption });
    funds.add(fund);
  }
}
