/** From the ticket's text to an order for a contract, or to what is wrong with it. Exact: ticks, lots and whole products of them. */
import type { CreateFuturesOrder, CreatePlan, CreateTwap } from '@orrery/api';
import { contractNotional, feeOn, limitOutOfBand, sizeWorth, worseBy } from '@orrery/rules';
import { atoms, divFloor, lots, NO_LOTS, NO_TICKS, parseDecimal, printLots, printTicks, ticks } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import type { TextValues } from '../../../kit/i18n/text.tsx';
import { percentOf } from '../../shared/ticket/ticket-text.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { SizeUnit } from '../../../market/size-units.ts';
import { positionSideOf, takesPrice } from './contract-form.ts';
import type { ContractField, ContractForm } from './contract-form.ts';

export interface ContractContext {
  readonly market: ContractMarket;
  readonly mode: 'ONE_WAY' | 'HEDGE';
  /** What the size is typed in. */
  readonly unit: SizeUnit;
  /** 0 where they are not known. */
  readonly mark: Ticks;
  readonly last: Ticks;
  readonly bestBid: Ticks;
  readonly bestAsk: Ticks;
  readonly bids: Levels;
  readonly asks: Levels;
}

export interface Issue {
  readonly message: MessageId;
  readonly values?: TextValues;
}
export type ContractIssues = Partial<Record<ContractField, Issue>>;

/** One call, with everything but its id. */
export type ContractDraft =
  | { readonly name: 'createFuturesOrder'; readonly body: CreateFuturesOrder }
  | { readonly name: 'createPlan'; readonly body: CreatePlan }
  | { readonly name: 'createTwap'; readonly body: CreateTwap };

export interface ContractReading {
  readonly issues: ContractIssues;
  readonly draft: ContractDraft | undefined;
  /** The trade that is expected, where size and price are known. */
  readonly trade: { readonly side: 'buy' | 'sell'; readonly size: Lots; readonly price: Ticks } | undefined;
  /** By which it is valued; 0 where it is not known. */
  readonly price: Ticks;
  /** What protects it, 0 where nothing does. */
  readonly profit: Ticks;
  readonly stop: Ticks;
  readonly value: Atoms | undefined;
  /** As a taker: a bound. */
  readonly fee: Atoms | undefined;
}

type PriceField = 'price' | 'trigger' | 'takeProfit' | 'stopLoss';

function readPrice(form: ContractForm, field: PriceField, { terms, pricePrecision }: ContractMarket, issues: ContractIssues): Ticks {
  const text = form[field];
  if (text === '') return NO_TICKS;
  const value = parseDecimal(canonical(text), pricePrecision);
  if (value === undefined) issues[field] = { message: 'trade.issue.priceDecimals', values: { decimals: pricePrecision } };
  else if (value === 0n) issues[field] = { message: 'trade.issue.priceZero' };
  else if (value < BigInt(terms.minPrice))
    issues[field] = { message: 'trade.issue.priceLow', values: { price: printTicks(terms.minPrice, pricePrecision) } };
  else if (value > BigInt(terms.maxPrice))
    issues[field] = { message: 'trade.issue.priceHigh', values: { price: printTicks(terms.maxPrice, pricePrecision) } };
  else return ticks(Number(value));
  return NO_TICKS;
}

/** Per cent have two decimals: ten thousand of their units are the whole price. */
const PERCENT_DECIMALS = 2;
const WHOLE = 10_000n;

/** In per cent of the price that is expected, on the side where it can act; rounded down to the grid. */
function readPercent(
  form: ContractForm,
  field: 'takeProfit' | 'stopLoss',
  { terms }: ContractMarket,
  issues: ContractIssues,
  expected: Ticks,
): Ticks {
  const text = form[field];
  if (text === '') return NO_TICKS;
  const share = parseDecimal(canonical(text), PERCENT_DECIMALS);
  const isUp = (form.side === 'buy') === (field === 'takeProfit');
  if (share === undefined || share === 0n || (!isUp && share >= WHOLE)) {
    issues[field] = { message: 'futures.issue.percent' };
    return NO_TICKS;
  }
  const value = Number(divFloor(BigInt(expected) * (isUp ? WHOLE + share : WHOLE - share), WHOLE));
  return expected === NO_TICKS ? NO_TICKS : ticks(Math.max(terms.minPrice, Math.min(terms.maxPrice, value)));
}

/** The price by which the order is valued before it trades. */
function expectedPrice(form: ContractForm, context: ContractContext, price: Ticks, trigger: Ticks): Ticks {
  if (takesPrice(form)) return price;
  if (form.tab === 'trigger') return trigger;
  const best = form.side === 'buy' ? context.bestAsk : context.bestBid;
  return best === NO_TICKS ? context.mark : best;
}

function readSize(form: ContractForm, context: ContractContext, price: Ticks, issues: ContractIssues): Lots {
  if (form.size === '') return NO_LOTS;
  const {
    market: { terms, sizePrecision, margin, sizeName: coin },
    unit: { counts, decimals },
  } = context;
  const counted = parseDecimal(canonical(form.size), decimals);
  if (counted === undefined) {
    issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals } };
    return NO_LOTS;
  }
  // Without a price a value is no size yet.
  if (counts === 'value' && price === NO_TICKS) return NO_LOTS;
  const size = counts === 'lots' ? counted : BigInt(sizeWorth(atoms(counted), price, margin));
  const least = lots(Math.max(1, terms.minSize));
  if (size < BigInt(least)) issues.size = { message: 'trade.issue.sizeLow', values: { size: printLots(least, sizePrecision), coin } };
  else if (size > BigInt(terms.maxSize))
    issues.size = { message: 'trade.issue.sizeHigh', values: { size: printLots(terms.maxSize, sizePrecision), coin } };
  else return lots(Number(size));
  return NO_LOTS;
}

function checkBand(form: ContractForm, context: ContractContext, price: Ticks, issues: ContractIssues): void {
  const { terms, pricePrecision } = context.market;
  if (form.tab !== 'limit' || price === NO_TICKS || context.mark === NO_TICKS) return;
  if (!limitOutOfBand(price, form.side, context.mark, terms)) return;
  issues.price = {
    message: form.side === 'buy' ? 'trade.issue.bandHigh' : 'trade.issue.bandLow',
    values: {
      price: printTicks(worseBy(context.mark, terms.limitBandPpm, form.side), pricePrecision),
      rate: percentOf(terms.limitBandPpm),
    },
  };
}

/** Protection stands on the side where it can act: a profit beyond the price of the order, a loss before it. */
function checkProtection(form: ContractForm, price: Ticks, [profit, stop]: readonly [Ticks, Ticks], issues: ContractIssues): void {
  if (price === NO_TICKS) return;
  const isLong = form.side === 'buy';
  if (profit !== NO_TICKS && profit > price !== isLong)
    issues.takeProfit = { message: isLong ? 'futures.issue.profitBelow' : 'futures.issue.profitAbove' };
  if (stop !== NO_TICKS && stop < price !== isLong)
    issues.stopLoss = { message: isLong ? 'futures.issue.stopAbove' : 'futures.issue.stopBelow' };
}

const MINUTES_MAX = 1_440;

function readMinutes({ tab, minutes }: ContractForm, issues: ContractIssues): number {
  if (tab !== 'twap') return 0;
  const count = Number(parseDecimal(canonical(minutes === '' ? '0' : minutes), 0) ?? 0n);
  if (count < 1 || count > MINUTES_MAX) issues.minutes = { message: 'futures.issue.minutes', values: { most: MINUTES_MAX } };
  return count;
}

export function readContract(form: ContractForm, context: ContractContext): ContractReading {
  const issues: ContractIssues = {};
  const { market } = context;
  const price = takesPrice(form) ? readPrice(form, 'price', market, issues) : NO_TICKS;
  const trigger = form.tab === 'trigger' ? readPrice(form, 'trigger', market, issues) : NO_TICKS;
  const isProtected = form.protection === 'on' && (form.tab === 'limit' || form.tab === 'market');
  checkBand(form, context, price, issues);
  const expected = expectedPrice(form, context, price, trigger);
  const protect = form.protectionMode === 'percent' ? readPercent : readPrice;
  const profit = isProtected ? protect(form, 'takeProfit', market, issues, expected) : NO_TICKS;
  const stop = isProtected ? protect(form, 'stopLoss', market, issues, expected) : NO_TICKS;
  const size = readSize(form, context, expected, issues);
  checkProtection(form, expected, [profit, stop], issues);
  const minutes = readMinutes(form, issues);
  const isMissing = size === NO_LOTS || (takesPrice(form) && price === NO_TICKS) || (form.tab === 'trigger' && trigger === NO_TICKS);
  const isKnown = size !== NO_LOTS && expected !== NO_TICKS;
  const value = isKnown ? contractNotional(expected, size, market.margin) : undefined;
  return {
    issues,
    draft:
      isMissing || Object.keys(issues).length > 0 ? undefined : draftOf(form, context, { price, trigger, size, profit, stop, minutes }),
    trade: isKnown ? { side: form.side, size, price: expected } : undefined,
    price: expected,
    profit,
    stop,
    value,
    fee: value === undefined ? undefined : feeOn(value, market.terms.takerFeePpm),
  };
}

interface Terms {
  readonly price: Ticks;
  readonly trigger: Ticks;
  readonly size: Lots;
  readonly profit: Ticks;
  readonly stop: Ticks;
  readonly minutes: number;
}

/** Sizes are sent in what the contract counts, so that the exchange takes exactly what the ticket shows. */
function draftOf(form: ContractForm, context: ContractContext, { price, trigger, size, profit, stop, minutes }: Terms): ContractDraft {
  const { market, mode } = context;
  const priceText = (value: Ticks): string => printTicks(value, market.pricePrecision);
  const isReducing = form.reduceOnly === 'on' || (mode === 'HEDGE' && form.aim === 'close');
  const common = {
    symbol: market.wire,
    orderSide: form.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: positionSideOf(form, mode),
    origQty: printLots(size, market.sizePrecision),
    unit: market.lotUnit,
    ...(isReducing && mode === 'ONE_WAY' && { reduceOnly: true }),
  } as const;
  if (form.tab === 'twap') return { name: 'createTwap', body: { ...common, minutes } };
  if (form.tab === 'trigger') {
    const now = form.triggeredBy === 'LATEST_PRICE' ? context.last : context.mark;
    // A buy that waits for a higher price is a stop, one that waits for a lower price takes it as a profit; a sell the other way round.
    const isStop = (form.side === 'buy') === trigger > now;
    const entrustType = form.becomes === 'limit' ? (isStop ? 'STOP' : 'TAKE_PROFIT') : isStop ? 'STOP_MARKET' : 'TAKE_PROFIT_MARKET';
    const limit = form.becomes === 'limit' ? { price: priceText(price) } : {};
    return {
      name: 'createPlan',
      body: { ...common, ...limit, entrustType, stopPrice: priceText(trigger), triggerPriceType: form.triggeredBy },
    };
  }
  const isLimit = form.tab === 'limit';
  return {
    name: 'createFuturesOrder',
    body: {
      ...common,
      orderType: isLimit ? 'LIMIT' : 'MARKET',
      ...(isLimit && { price: priceText(price), timeInForce: form.postOnly === 'on' ? 'GTX' : form.timeInForce }),
      ...(profit !== NO_TICKS && { triggerProfitPrice: priceText(profit) }),
      ...(stop !== NO_TICKS && { triggerStopPrice: priceText(stop) }),
    },
  };
}
