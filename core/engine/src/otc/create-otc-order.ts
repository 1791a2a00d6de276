/** An order is taken of an advertisement: its price is fixed, and its coin lies in escrow from now on. */
import { millis, NO_ATOMS, NO_CENTS, subtractAtoms, type Atoms, type Cents, type FiatPrice, type Millis } from '@orrery/units';
import type { CommandRejected, CreateOtcOrder, Event } from '@orrery/protocol';
import {
  AMOUNT_MAX,
  amountForTotal,
  countBeyond,
  fiatTotal,
  FIAT_TOTAL_MAX,
  floatingPrice,
  isAssistFresh,
  moneyBeyond,
  OTC_ORDERS_OF_NEWCOMER,
  OTC_ORDERS_PER_ACCOUNT,
  reject,
  rejectBeyond,
} from '@orrery/rules';
import { pay } from '../ledger/movements.ts';
import { checkKey, refuseUnfunded } from '../money/check-money.ts';
import { bodyOf } from '../money/money-records.ts';
import { takerOf, type KeptAdvertisement } from './advertisement.ts';
import { settled } from './advertise.ts';
import { fiatPriceBeyond, isFiatPrice, refuseBeginner, refuseSeller, totalBeyond } from './check-otc.ts';
import { madeBefore, rememberMade } from './once.ts';
import { createdOf, newOtcOrder } from './otc-order.ts';
import { decimalsOf, escrowOf, fundingOf, type OtcState } from './otc-state.ts';

export function createOtcOrder(state: OtcState, command: CreateOtcOrder, at: Millis): Event[] {
  const key = bodyOf(command.account, command.clientOrderId);
  const body = bodyOf(command.advertisement, command.amount, command.total, command.price);
  const before = madeBefore(state.money, 'otcOrder', key, body);
  if (before?.isSame === true) return [{ type: 'CommandRepeated', key: before.id }];
  const malformed = checkFields(command);
  if (malformed !== undefined) return [malformed];
  const advertisement = state.otc.advertisement(command.advertisement);
  if (advertisement === undefined) return [reject('UnknownAdvertisement', 'advertisement')];
  const refusal = refuseTaker(state, { command, advertisement }, at);
  if (refusal !== undefined) return [refusal];
  const price = priceNow(state, advertisement, at);
  if (price === undefined) return [reject('AssistPriceStale', 'advertisement')];
  const quantities = quantitiesOf(state, { command, advertisement }, price);
  if ('type' in quantities) return [quantities];
  if (before !== undefined) return [reject('KeyConflict', 'clientOrderId')];
  const { account } = command;
  const { asset, side } = advertisement;
  const unfunded = side === 'buy' ? refuseUnfunded(state, { account, asset, amount: quantities.amount }, at) : undefined;
  if (unfunded !== undefined) return [unfunded];
  // After this point nothing fails.
  return create(state, { command, advertisement, price, ...quantities, memory: { key, body } }, at);
}

/** Either an amount or a total, and the price that goes with it. */
function checkFields({ clientOrderId, amount, total, price }: CreateOtcOrder): CommandRejected | undefined {
  const malformed = checkKey(clientOrderId, 'clientOrderId');
  if (malformed !== undefined) return malformed;
  if (amount < NO_ATOMS || amount > AMOUNT_MAX) return reject('InvalidAmount', 'amount');
  if (total < NO_CENTS || total > FIAT_TOTAL_MAX) return reject('InvalidField', 'total');
  if ((amount === NO_ATOMS) === (total === NO_CENTS)) return reject('InvalidCombination', 'total');
  return isFiatPrice(price) ? undefined : reject('InvalidField', 'price');
}

interface Taking {
  readonly command: CreateOtcOrder;
  readonly advertisement: KeptAdvertisement;
}

function refuseTaker(state: OtcState, { command: { account }, advertisement }: Taking, at: Millis): CommandRejected | undefined {
  const { people } = state.otc;
  const refusal = refuseBeginner(state, account) ?? (advertisement.side === 'buy' ? refuseSeller(state, account, at) : undefined);
  if (refusal !== undefined) return refusal;
  if (advertisement.account === account) return reject('OwnAdvertisement', 'advertisement');
  if (!isOpen(state, advertisement, at)) return reject('AdvertisementNotOpen', 'advertisement');
  if (people.isPaused(account, at)) return reject('OtcPaused', 'account');
  const { taken } = people.open(account);
  const limit = people.of(account).finished === 0 ? OTC_ORDERS_OF_NEWCOMER : OTC_ORDERS_PER_ACCOUNT;
  return taken >= limit ? rejectBeyond('TooManyOtcOrders', '', countBeyond({ asked: taken + 1, limit })) : undefined;
}

/** Nobody is bound to somebody who begins nothing, nor buys coins of which the deposit has left the chain. */
function isOpen({ accounts, money, otc }: OtcState, { account, side, state }: KeptAdvertisement, at: Millis): boolean {
  if (state !== 'PUBLISHED' || accounts.is(account, 'blocked')) return false;
  return side === 'sell' ? !money.hasOrphan(account) : !otc.people.isPaused(account, at);
}

/** Undefined of a floating price without a fresh assist price. */
function priceNow({ otc }: OtcState, { pricing, asset, currency }: KeptAdvertisement, at: Millis): FiatPrice | undefined {
  if (pricing.kind === 'FIXED') return pricing.price;
  const assist = otc.priceOf(asset, currency);
  return assist !== undefined && isAssistFresh(assist.at, at) ? floatingPrice(assist.price, pricing.premium) : undefined;
}

interface Quantities {
  readonly amount: Atoms;
  readonly total: Cents;
}

/** What the order is of, or why it cannot be at this price. */
function quantitiesOf(state: OtcState, { command, advertisement }: Taking, price: FiatPrice): Quantities | CommandRejected {
  const { asset, currency, available, minTotal, maxTotal } = advertisement;
  const taker = takerOf(advertisement);
  const isWorse = taker === 'buy' ? price > command.price : price < command.price;
  if (isWorse) return rejectBeyond('OtcPriceMoved', 'price', fiatPriceBeyond(currency, command.price, price));
  const traded = { decimals: decimalsOf(state, asset), price, taker };
  const amount = command.amount === NO_ATOMS ? amountForTotal(command.total, traded) : command.amount;
  const total = command.total === NO_CENTS ? fiatTotal(amount, traded) : command.total;
  if (total < minTotal) return rejectBeyond('OtcTotalOutside', 'total', totalBeyond(currency, total, minTotal));
  if (total > maxTotal) return rejectBeyond('OtcTotalOutside', 'total', totalBeyond(currency, total, maxTotal));
  if (amount > available) return rejectBeyond('OtcTotalOutside', 'amount', moneyBeyond(asset, { asked: amount, limit: available }));
  // A total can be too small for an atom.
  return amount === NO_ATOMS ? reject('InvalidAmount', 'amount') : { amount, total };
}

interface Creation extends Taking, Quantities {
  readonly price: FiatPrice;
  readonly memory: { readonly key: string; readonly body: string };
}

function create(state: OtcState, { command, advertisement, price, amount, total, memory }: Creation, at: Millis): Event[] {
  const { otc } = state;
  const { account: taker, clientOrderId } = command;
  const { account: advertiser, asset, currency, side } = advertisement;
  const [buyer, seller] = side === 'sell' ? [taker, advertiser] : [advertiser, taker];
  const deadline = millis(at + advertisement.payWindowMs);
  const order = newOtcOrder(
    {
      order: otc.nextOrder(),
      clientOrderId,
      advertisement: advertisement.advertisement,
      advertiser,
      taker,
      buyer,
      seller,
      asset,
      amount,
      currency,
      price,
      total,
      createdAt: at,
      coinsAreHeld: otc.people.of(buyer).finished === 0,
    },
    deadline,
  );
  rememberMade(state.money, 'otcOrder', memory.key, order.terms.order, memory.body);
  otc.setAvailable(advertisement, subtractAtoms(advertisement.available, amount));
  otc.enterOrder(order);
  // What is for sale lies there since it was published.
  if (side === 'buy') pay(state.ledger, fundingOf(state, seller, asset), escrowOf(state, asset), amount);
  return [createdOf(order, deadline), settled(state, advertisement)];
}
