/**
 * The words of the OTC desk on a tape, after `otc`. Assets have no decimals there: 20 BTC at 7.50 cost 150.00.
 *
 *   alice       otc sells 100 BTC @ 7.50 usd 10-500 as a1         or `buys`; `@ +1%` floats
 *   bob         otc takes 1 20 BTC @ 7.50 as o1                   or `takes 1 150.00 usd`: by the total
 *   bob         otc paid 1                                        releases, cancels, disputes, appeals
 *   alice       otc changes 1 50 @ 8 10-500                       `same` for the amount leaves it; pauses 1, publishes 1, ends 1
 *   alice       otc deposits k1                                   returns k1
 *   exchange    otc opens                                         assist BTC 7.50 usd, decides 1 RELEASED (again), pays 1 50 k, ends 1, timers
 */
import {
  advertisementId,
  assert,
  assetId,
  atoms,
  cents,
  fiatPrice,
  NO_ATOMS,
  NO_CENTS,
  otcOrderId,
  parseDecimal,
  printDecimal,
  signedPpm,
  type AccountId,
} from '@orrery/units';
import type { Command, DisputeOutcome, Event, Fiat, OtcTerms, Pricing } from '@orrery/protocol';
import { assetOf } from './tape-people.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export const OTC_TERMS: OtcTerms = {
  disputeAfterMs: 30 * MINUTE_MS,
  autoDisputeMs: 24 * HOUR_MS,
  appealWindowMs: HOUR_MS,
  holdMs: 24 * HOUR_MS,
  depositAsset: assetId(1),
  merchantDeposit: atoms(500n),
};

export const PAY_WINDOW_MS = 15 * MINUTE_MS;

export function parseOtcOperator([verb = '', first = '', second = '', third = '']: readonly string[]): Command {
  switch (verb) {
    case 'opens':
      return { type: 'SetOtcTerms', ...OTC_TERMS };
    case 'assist':
      return { type: 'SetAssistPrices', prices: [{ asset: assetOf(first), currency: third as Fiat, price: priceOf(second) }] };
    case 'decides':
      return { type: 'DecideOtcDispute', order: idOf(first), outcome: second as DisputeOutcome, nth: third === 'again' ? 2 : 1 };
    case 'pays':
      return { type: 'PayFromMerchantDeposit', order: idOf(first), amount: atoms(BigInt(second)), key: third };
    case 'ends':
    case 'pauses':
      return { type: 'SetAdvertisementState', account: 0, advertisement: adOf(first), state: STATES[verb] };
    case 'timers':
      return { type: 'RunOtcTimers' };
    default:
      throw new Error(`a tape does not know: exchange otc ${verb}`);
  }
}

const STATES = { ends: 'TAKEN_DOWN', pauses: 'PAUSED', publishes: 'PUBLISHED' } as const;
const STEPS = {
  paid: 'MarkOtcOrderPaid',
  releases: 'ReleaseOtcOrder',
  cancels: 'CancelOtcOrder',
  disputes: 'DisputeOtcOrder',
  appeals: 'AppealOtcDecision',
} as const;

export function parseOtcPerson(account: AccountId, [verb = '', ...words]: readonly string[]): Command {
  const [first = ''] = words;
  const wordAfter = (word: string): string => words[words.indexOf(word) + 1] ?? '';
  switch (verb) {
    case 'sells':
    case 'buys':
      return {
        type: 'PublishAdvertisement',
        account,
        clientAdvertisementId: wordAfter('as'),
        side: verb === 'sells' ? 'sell' : 'buy',
        asset: assetOf(words[1] ?? ''),
        currency: words[4] as Fiat,
        amount: atoms(BigInt(first)),
        ...changeable(wordAfter('@'), words[5] ?? ''),
      };
    case 'changes':
      return {
        type: 'UpdateAdvertisement',
        account,
        advertisement: adOf(first),
        ...(words[1] !== 'same' && { amount: atoms(BigInt(words[1] ?? '')) }),
        ...(words.includes('version') && { version: Number(wordAfter('version')) }),
        ...changeable(wordAfter('@'), words[4] ?? ''),
      };
    case 'takes': {
      const [, quantity = '', unit = ''] = words;
      const isTotal = unit === 'usd' || unit === 'cny';
      return {
        type: 'CreateOtcOrder',
        account,
        clientOrderId: wordAfter('as'),
        advertisement: adOf(first),
        amount: isTotal ? NO_ATOMS : atoms(BigInt(quantity)),
        total: isTotal ? totalOf(quantity) : NO_CENTS,
        price: priceOf(wordAfter('@')),
      };
    }
    case 'paid':
    case 'releases':
    case 'cancels':
    case 'disputes':
    case 'appeals':
      return { type: STEPS[verb], account, order: idOf(first) };
    case 'pauses':
    case 'publishes':
    case 'ends':
      return { type: 'SetAdvertisementState', account, advertisement: adOf(first), state: STATES[verb] };
    case 'deposits':
      return { type: 'DepositAsMerchant', account, key: first };
    case 'returns':
      return { type: 'ReturnMerchantDeposit', account, key: first };
    default:
      throw new Error(`a tape does not know: otc ${verb}`);
  }
}

function changeable(price: string, totals: string) {
  const [least = '', most = ''] = totals.split('-');
  return { pricing: pricingOf(price), minTotal: totalOf(least), maxTotal: totalOf(most), payWindowMs: PAY_WINDOW_MS };
}

function pricingOf(text: string): Pricing {
  if (!text.endsWith('%')) return { kind: 'FIXED', price: priceOf(text) };
  return { kind: 'FLOATING', premium: signedPpm(Math.round(Number(text.slice(0, -1)) * 10_000)) };
}

const priceOf = (text: string) => fiatPrice(decimalOf(text, 4));
const totalOf = (text: string) => cents(decimalOf(text, 2));
const adOf = (text: string) => advertisementId(Number(text));
const idOf = (text: string) => otcOrderId(Number(text));

function decimalOf(text: string, decimals: number): bigint {
  const value = parseDecimal(text, decimals);
  assert(value !== undefined, `${text} is a decimal`);
  return value;
}

/** Undefined for what is not of the desk. */
export function printOtcEvent(event: Event): string | undefined {
  switch (event.type) {
    case 'AdvertisementPublished':
      return `ad ${event.advertisement} of ${event.available}`;
    case 'AdvertisementChanged':
      return `ad ${event.advertisement} ${event.state} ${event.available}`;
    case 'OtcOrderCreated':
      return `order ${event.order} of ${event.amount} for ${printDecimal(event.total, 2)}${event.coinsAreHeld ? ' held' : ''}`;
    case 'OtcOrderStepped':
      return `order ${event.order} ${event.status}`;
    case 'OtcDisputeDecided':
      return `order ${event.order} decided ${event.outcome}`;
    case 'OtcDecisionAppealed':
      return `order ${event.order} appealed`;
    case 'OtcDeadlinesMoved':
      return `deadlines ${event.by / 1_000} s later`;
    case 'MerchantDeposited':
      return `deposit ${event.amount}`;
    case 'MerchantDepositReturned':
      return `deposit ${event.amount} back`;
    case 'MerchantDepositPaid':
      return `deposit paid ${event.amount}, ${event.left} left`;
    default:
      return undefined;
  }
}
