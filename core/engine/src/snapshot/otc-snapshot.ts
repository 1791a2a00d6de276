/** What a snapshot holds of the OTC desk: since layout 8, which came with rules 9. The order of the fields is the format of the layout. */
import type { Millis } from '@orrery/units';
import { fields, list, otcFields, record, type DisputeOutcome, type Field, type OtcTerms } from '@orrery/protocol';
import type { Exchange } from '../exchange.ts';
import type { HeldCoins } from '../money/held-coins.ts';
import type { KeptAdvertisement } from '../otc/advertisement.ts';
import type { MerchantDeposit, SetPrice } from '../otc/otc-desk.ts';
import { NEVER, type OtcOrder, type OtcOrderTerms } from '../otc/otc-order.ts';
import type { OtcRecord } from '../otc/otc-people.ts';

interface OtcOrderSnapshot extends Omit<OtcOrder, 'decision'> {
  /** At most one. */
  readonly decision: readonly DisputeOutcome[];
}

export interface OtcSnapshot {
  /** At most one. */
  readonly otcTerms: readonly OtcTerms[];
  readonly lastAdvertisement: number;
  readonly lastOtcOrder: number;
  readonly otcHeardAt: Millis;
  /** By asset and currency. */
  readonly assistPrices: readonly SetPrice[];
  /** By id. */
  readonly advertisements: readonly KeptAdvertisement[];
  /** By id. */
  readonly otcOrders: readonly OtcOrderSnapshot[];
  /** By account. */
  readonly otcRecords: readonly OtcRecord[];
  readonly merchantDeposits: readonly MerchantDeposit[];
  readonly heldCoins: readonly HeldCoins[];
}

export const NOTHING_OF_OTC: OtcSnapshot = {
  otcTerms: [],
  lastAdvertisement: 0,
  lastOtcOrder: 0,
  otcHeardAt: NEVER,
  assistPrices: [],
  advertisements: [],
  otcOrders: [],
  otcRecords: [],
  merchantDeposits: [],
  heldCoins: [],
};

const { account, advertisement, amount, asset, count, fiatAmount, fiatRate, optionalAccount, otcOrder, text, time, truth } = fields;

const orderTerms = record<OtcOrderTerms>({
  order: otcOrder,
  clientOrderId: text,
  advertisement,
  advertiser: account,
  taker: account,
  buyer: account,
  seller: account,
  asset,
  amount,
  currency: otcFields.fiat,
  price: fiatRate,
  total: fiatAmount,
  createdAt: time,
  coinsAreHeld: truth,
});

export const otcSnapshotFields: { readonly [Part in keyof OtcSnapshot]: Field<OtcSnapshot[Part]> } = {
  otcTerms: list(record<OtcTerms>(otcFields.otcTermsFields)),
  lastAdvertisement: count,
  lastOtcOrder: count,
  otcHeardAt: time,
  assistPrices: list(record<SetPrice>({ asset, currency: otcFields.fiat, price: fiatRate, at: time })),
  advertisements: list(
    record<KeptAdvertisement>({
      ...otcFields.advertisementFields,
      advertisement,
      account,
      clientAdvertisementId: text,
      state: otcFields.advertisementState,
      available: amount,
      version: count,
      forgottenAt: time,
    }),
  ),
  otcOrders: list(
    record<OtcOrderSnapshot>({
      terms: orderTerms,
      status: otcFields.otcStatus,
      by: optionalAccount,
      steppedAt: time,
      disputableAt: time,
      dueAt: time,
      decision: list(otcFields.disputeOutcome),
      appealedBy: optionalAccount,
      isCompensated: truth,
    }),
  ),
  otcRecords: list(record<OtcRecord>({ account, finished: count, cancels: list(time), pausedUntil: time })),
  merchantDeposits: list(record<MerchantDeposit>({ account, asset, amount, key: text })),
  heldCoins: list(record<HeldCoins>({ account, asset, amount, until: time })),
};

export function takeOtc({ otc, coinHolds }: Exchange): OtcSnapshot {
  return {
    otcTerms: otc.terms === undefined ? [] : [otc.terms],
    lastAdvertisement: otc.lastAdvertisement,
    otcHeardAt: otc.heardAt,
    lastOtcOrder: otc.lastOrder,
    assistPrices: otc.prices(),
    advertisements: [...otc.advertisements()],
    otcOrders: [...otc.orders()].map(({ decision, ...order }) => ({ ...order, decision: decision === undefined ? [] : [decision] })),
    otcRecords: otc.people.list(),
    merchantDeposits: otc.deposits(),
    heldCoins: coinHolds.list(),
  };
}

/** What lies in escrow is in the balances already. */
export function restoreOtc({ otc, coinHolds }: Exchange, snapshot: OtcSnapshot): void {
  otc.terms = snapshot.otcTerms[0];
  otc.lastAdvertisement = snapshot.lastAdvertisement;
  otc.heardAt = snapshot.otcHeardAt;
  otc.lastOrder = snapshot.lastOtcOrder;
  for (const price of snapshot.assistPrices) otc.setPrice(price);
  for (const advertisement of snapshot.advertisements) otc.enterAdvertisement(advertisement);
  for (const { decision, ...order } of snapshot.otcOrders) otc.enterOrder({ ...order, decision: decision[0] });
  for (const one of snapshot.otcRecords) otc.people.restore(one);
  for (const deposit of snapshot.merchantDeposits) otc.setDeposit(deposit);
  for (const held of snapshot.heldCoins) coinHolds.restore(held);
}
