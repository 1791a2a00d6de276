/** What the running hash covers of the OTC desk beyond balances. Since rules 9. */
import { unreachable } from '@orrery/units';
import {
  ADVERTISEMENT_STATES,
  DISPUTE_OUTCOMES,
  FIATS,
  OTC_STATUSES,
  SIDES,
  type AdvertisementChanged,
  type AdvertisementPublished,
  type AssistPrice,
  type OtcEvent,
} from '@orrery/protocol';
import { halvesOf, halvesOfLong } from './halves.ts';

export function otcNumbersOf(event: OtcEvent): readonly number[] {
  switch (event.type) {
    case 'OtcTermsSet':
      return [
        ...halvesOf(event.disputeAfterMs),
        ...halvesOf(event.autoDisputeMs),
        ...halvesOf(event.appealWindowMs),
        ...halvesOf(event.holdMs),
        event.depositAsset,
        ...halvesOfLong(event.merchantDeposit),
      ];
    case 'AssistPricesSet':
      return [...halvesOf(event.at), ...event.prices.flatMap(priceNumbers)];
    case 'AdvertisementPublished':
    case 'AdvertisementChanged':
      return advertisementNumbers(event);
    case 'OtcOrderCreated':
      return [
        event.order,
        event.advertisement,
        event.taker,
        event.buyer,
        event.seller,
        event.asset,
        ...halvesOfLong(event.amount),
        ...halvesOfLong(event.price),
        ...halvesOfLong(event.total),
        ...halvesOf(event.deadline),
        Number(event.coinsAreHeld),
      ];
    case 'OtcOrderStepped':
      return [event.order, OTC_STATUSES.indexOf(event.status), event.by, ...halvesOf(event.deadline), ...halvesOf(event.heldUntil)];
    case 'OtcDisputeDecided':
      return [event.order, DISPUTE_OUTCOMES.indexOf(event.outcome), ...halvesOf(event.executesAt)];
    case 'OtcDecisionAppealed':
      return [event.order, event.by];
    case 'OtcDeadlinesMoved':
      return [...halvesOf(event.since), ...halvesOf(event.by)];
    case 'MerchantDeposited':
    case 'MerchantDepositReturned':
      return [event.account, event.asset, ...halvesOfLong(event.amount)];
    case 'MerchantDepositPaid':
      return [event.order, event.account, event.recipient, event.asset, ...halvesOfLong(event.amount)];
    default:
      return unreachable(event);
  }
}

const priceNumbers = ({ asset, currency, price }: AssistPrice): readonly number[] => [
  asset,
  FIATS.indexOf(currency),
  ...halvesOfLong(price),
];

function advertisementNumbers(event: AdvertisementPublished | AdvertisementChanged): readonly number[] {
  const { pricing } = event;
  return [
    event.advertisement,
    event.account,
    SIDES.indexOf(event.side),
    event.asset,
    FIATS.indexOf(event.currency),
    ...(pricing.kind === 'FIXED' ? halvesOfLong(pricing.price) : [pricing.premium]),
    ...halvesOfLong(event.minTotal),
    ...halvesOfLong(event.maxTotal),
    ...halvesOf(event.payWindowMs),
    ADVERTISEMENT_STATES.indexOf(event.state),
    ...halvesOfLong(event.available),
    event.version,
  ];
}
