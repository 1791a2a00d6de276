/** From the ticket's text to an order for a contract, or to what is wrong with it. Exact: ticks, lots and whole products of them. */
import type { CreateFuturesOrder, CreatePlan, CreateTwap } from '@orrery/api';
import { contractNotional, sizeWorth, worseBy } from '@orrery/rules';
import { atoms, divFloor, NO_ATOMS, NO_LOTS, NO_TICKS, parseDecimal, ppm, printDecimal, printLots, printTicks, ticks } from '@orrery/units';
import type { Lots, Ppm, Ticks } from '@orrery/units';
import {
  bandIssue,
  boundedSize,
  noted,
  protectionIssue,
  readCallback,
  readPrice,
  readSize,
  valueIssue,
} from '../../shared/orders/order-rules.ts';
import type { Levels } from '../../shared/ticket/book-walk.ts';
import { canonical } from '../../shared/ticket/ticket-text.ts';
import type { Issue } from '../../shared/ticket/ticket-text.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import type { SizeUnit } from '../../../market/size-units.ts';
import { expectOrder } from '../positions/expected-order.ts';
import type { ExpectedOrder } from '../positions/expected-order.ts';
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

export type ContractIssues = Partial<Record<ContractField, Issue>>;

/** One call, with everything but its id. */
export type ContractDraft =
  | { readonly name: 'createFuturesOrder'; readonly body: CreateFuturesOrder }
  | { readonly name: 'createPlan'; readonly body: CreatePlan }
  | { readonly name: 'createTwap'; readonly body: CreateTwap };

export interface ContractReading {
  readonly issues: ContractIssues;
  readonly draft: ContractDraft | undefined;
  /** What would trade and rest; `undefined` while size or price are missing. */
  readonly expected: ExpectedOrder | undefined;
  /** The same as one trade, where there is one. */
  readonly trade: { readonly side: 'buy' | 'sell'; readonly size: Lots; readonly price: Ticks } | undefined;
  /** 0 while it is missing. */
  readonly size: Lots;
  /** By which it is valued; 0 where it is not known. */
  readonly price: Ticks;
  /** At which a trailing order would act if the price turned now; 0 where it is none, or that is not known. */
  readonly trails: Ticks;
  /** What protects it, 0 where nothing does. */
  readonly profit: Ticks;
  readonly stop: Ticks;
}

type PriceField = 'price' | 'trigger' | 'takeProfit' | 'stopLoss';

const priceIn = (form: ContractForm, field: PriceField, market: ContractMarket, issues: ContractIssues): Ticks =>
  noted(issues, field, readPrice(form[field], market)) ?? NO_TICKS;

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
  if (form.tab === 'trailing') return trigger === NO_TICKS ? context.mark : trigger;
  const best = form.side === 'buy' ? context.bestAsk : context.bestBid;
  return best === NO_TICKS ? context.mark : best;
}

function sizeIn(form: ContractForm, context: ContractContext, price: Ticks, issues: ContractIssues): Lots {
  const { market, unit } = context;
  if (unit.counts === 'lots') return noted(issues, 'size', readSize(form.size, market)) ?? NO_LOTS;
  if (form.size === '') return NO_LOTS;
  const worth = parseDecimal(canonical(form.size), unit.decimals);
  if (worth === undefined) issues.size = { message: 'trade.issue.sizeDecimals', values: { decimals: unit.decimals } };
  // Without a price a value is no size yet.
  if (worth === undefined || price === NO_TICKS) return NO_LOTS;
  return noted(issues, 'size', boundedSize(BigInt(sizeWorth(atoms(worth), price, market.margin)), market)) ?? NO_LOTS;
}

/** Protection stands on the side where it can act: a profit beyond the price of the order, a loss before it. */
function checkProtection(
  { side: taken }: ContractForm,
  from: Ticks,
  triggers: Readonly<Record<'takeProfit' | 'stopLoss', Ticks>>,
  { issues, market }: Noting,
): void {
  const side = { direction: taken === 'buy' ? 'long' : 'short', from, shown: printTicks(from, market.pricePrecision) } as const;
  for (const [field, kind] of [
    ['takeProfit', 'profit'],
    ['stopLoss', 'stop'],
  ] as const) {
    const issue = triggers[field] === NO_TICKS ? undefined : protectionIssue(kind, triggers[field], side);
    if (issue !== undefined) issues[field] = issue;
  }
}

interface Noting {
  readonly issues: ContractIssues;
  readonly market: ContractMarket;
}

const PPM_DECIMALS = 6;
const NO_CALLBACK = ppm(0);

/** What would be reached if the price turned back now: it is at its best. */
function trailingAt({ side, triggeredBy }: ContractForm, { mark, last }: ContractContext, callback: Ppm | undefined): Ticks {
  const present = { MARK_PRICE: mark, LATEST_PRICE: last, INDEX_PRICE: NO_TICKS }[triggeredBy];
  return callback === undefined || present === NO_TICKS ? NO_TICKS : worseBy(present, callback, side);
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
  const { market, mark } = context;
  const price = takesPrice(form) ? priceIn(form, 'price', market, issues) : NO_TICKS;
  const callback = form.tab === 'trailing' ? noted(issues, 'callback', readCallback(form.callback)) : undefined;
  const trigger = form.tab === 'trigger' ? priceIn(form, 'trigger', market, issues) : trailingAt(form, context, callback);
  const band = form.tab === 'limit' && price !== NO_TICKS ? bandIssue(price, form.side, mark, market) : undefined;
  if (band !== undefined) issues.price = band;
  const from = expectedPrice(form, context, price, trigger);
  const isProtected = form.protection === 'on' && isProtectable(form, context.mode);
  const protect = form.protectionMode === 'percent' ? readPercent : priceIn;
  const profit = isProtected ? protect(form, 'takeProfit', market, issues, from) : NO_TICKS;
  const stop = isProtected ? protect(form, 'stopLoss', market, issues, from) : NO_TICKS;
  const size = sizeIn(form, context, from, issues);
  // The exchange measures what protects an order to the market by the price that it is triggered by.
  const stands = form.tab === 'market' && mark !== NO_TICKS ? mark : from;
  checkProtection(form, stands, { takeProfit: profit, stopLoss: stop }, { issues, market });
  const minutes = readMinutes(form, issues);
  const expected = size === NO_LOTS || from === NO_TICKS ? undefined : expectationOf(form, context, { size, from });
  checkValue(form, context, size, from, issues);
  const isMissing = size === NO_LOTS || (takesPrice(form) && price === NO_TICKS) || (form.tab === 'trigger' && trigger === NO_TICKS);
  const isWithout = form.tab === 'trailing' && callback === undefined;
  return {
    issues,
    draft:
      isMissing || isWithout || Object.keys(issues).length > 0
        ? undefined
        : draftOf(form, context, { price, trigger, callback: callback ?? NO_CALLBACK, size, profit, stop, minutes }),
    expected,
    trade:
      expected === undefined || expected.size === NO_LOTS ? undefined : { side: form.side, size: expected.size, price: expected.average },
    size,
    price: from,
    trails: form.tab === 'trailing' ? trigger : NO_TICKS,
    profit,
    stop,
  };
}

/** An order of the ticket by the book as it stands; what waits for a price, or is given over a time, by the price that it is valued by. */
function expectationOf(
  form: ContractForm,
  { market, mark, bids, asks }: ContractContext,
  { size, from }: { readonly size: Lots; readonly from: Ticks },
): ExpectedOrder | undefined {
  const { side, tab } = form;
  const isNow = tab === 'limit' || tab === 'market';
  return expectOrder({
    market,
    side,
    size,
    mark: isNow ? mark : from,
    levels: isNow ? (side === 'buy' ? asks : bids) : undefined,
    limit: tab === 'limit' ? from : undefined,
    timeInForce: tab !== 'limit' ? 'IOC' : form.postOnly === 'on' ? 'GTX' : form.timeInForce,
  });
}

/** The exchange measures a limit by its price and everything else by the mark; what only reduces may be smaller than the least order. */
function checkValue(form: ContractForm, { market, mode, mark }: ContractContext, size: Lots, from: Ticks, issues: ContractIssues): void {
  const price = takesPrice(form) || mark === NO_TICKS ? from : mark;
  if (size === NO_LOTS || price === NO_TICKS) return;
  const { terms, margin, settleDecimals: decimals, settleName: coin } = market;
  const minNotional = isReducing(form, mode) && mode === 'ONE_WAY' ? NO_ATOMS : terms.minNotional;
  const issue = valueIssue(contractNotional(price, size, margin), { ...terms, minNotional }, { decimals, coin });
  if (issue !== undefined) issues.size = issue;
}

/** Only what may open a position has something to protect. */
export const isProtectable = (form: ContractForm, mode: ContractContext['mode']): boolean =>
  (form.tab === 'limit' || form.tab === 'market') && !isReducing(form, mode);

export const isReducing = ({ reduceOnly, aim }: ContractForm, mode: ContractContext['mode']): boolean =>
  mode === 'HEDGE' ? aim === 'close' : reduceOnly === 'on';

interface Terms {
  readonly price: Ticks;
  readonly trigger: Ticks;
  readonly callback: Ppm;
  readonly size: Lots;
  readonly profit: Ticks;
  readonly stop: Ticks;
  readonly minutes: number;
}

/** Sizes are sent in what the contract counts, so that the exchange takes exactly what the ticket shows. */
function draftOf(
  form: ContractForm,
  context: ContractContext,
  { price, trigger, callback, size, profit, stop, minutes }: Terms,
): ContractDraft {
  const { market, mode } = context;
  const priceText = (value: Ticks): string => printTicks(value, market.pricePrecision);
  const common = {
    symbol: market.wire,
    orderSide: form.side === 'buy' ? 'BUY' : 'SELL',
    positionSide: positionSideOf(form, mode),
    origQty: printLots(size, market.sizePrecision),
    unit: market.lotUnit,
    ...(mode === 'ONE_WAY' && isReducing(form, mode) && { reduceOnly: true }),
  } as const;
  if (form.tab === 'twap') return { name: 'createTwap', body: { ...common, minutes } };
  if (form.tab === 'trailing') {
    const callbackRate = printDecimal(BigInt(callback), PPM_DECIMALS);
    return {
      name: 'createPlan',
      body: { ...common, entrustType: 'TRAILING_STOP_MARKET', callbackRate, triggerPriceType: form.triggeredBy },
    };
  }
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
      ...(form.size === form.most && !isReducing(form, mode) && { max: true }),
    },
  };
}
