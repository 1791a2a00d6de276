/** What the commands and facts of the OTC desk hold, in bytes. Field order is the format: change it only with a new version. */
import { signedPpm } from '@orrery/units';
import { ADVERTISEMENT_STATES, DISPUTE_OUTCOMES, FIATS, OTC_STATUSES, SETTABLE_STATES } from '../otc.ts';
import type { AdvertisementTerms, AssistPrice, ChangeableAdvertisement, OtcTerms, Pricing } from '../otc.ts';
import { amount, asset, count, fiatAmount, fiatRate, oneOf, side, signedCount, type Field } from './field.ts';
import { DecodeError } from './reader.ts';
import { list, record } from './record.ts';
import type { Fields } from './record.ts';

export const fiat = oneOf(FIATS);
export const advertisementState = oneOf(ADVERTISEMENT_STATES);
export const settableState = oneOf(SETTABLE_STATES);
export const otcStatus = oneOf(OTC_STATUSES);
export const disputeOutcome = oneOf(DISPUTE_OUTCOMES);

export const nthDecision: Field<1 | 2> = {
  write: (writer, value) => writer.byte(value),
  read: (reader) => {
    const value = reader.byte();
    if (value !== 1 && value !== 2) throw new DecodeError('neither the first decision nor the second');
    return value;
  },
};

const pricingKind = oneOf(['FIXED', 'FLOATING']);
export const pricing: Field<Pricing> = {
  write: (writer, value) => {
    pricingKind.write(writer, value.kind);
    if (value.kind === 'FIXED') fiatRate.write(writer, value.price);
    else signedCount.write(writer, value.premium);
  },
  read: (reader) =>
    pricingKind.read(reader) === 'FIXED'
      ? { kind: 'FIXED', price: fiatRate.read(reader) }
      : { kind: 'FLOATING', premium: signedPpm(signedCount.read(reader)) },
};

export const changeableAdvertisementFields = {
  pricing,
  minTotal: fiatAmount,
  maxTotal: fiatAmount,
  payWindowMs: count,
} satisfies Fields<ChangeableAdvertisement>;

export const advertisementFields = {
  side,
  asset,
  currency: fiat,
  ...changeableAdvertisementFields,
} satisfies Fields<AdvertisementTerms>;

export const assistPrices = list(record<AssistPrice>({ asset, currency: fiat, price: fiatRate }));

export const otcTermsFields = {
  disputeAfterMs: count,
  autoDisputeMs: count,
  appealWindowMs: count,
  holdMs: count,
  depositAsset: asset,
  merchantDeposit: amount,
} satisfies Fields<OtcTerms>;
