/**
 * What accounts traded with one another in one campaign: one flow for each two accounts, by who took from whom, in each market and
 * block of four hours. Boards and clusters are made of flows alone, so that whatever is found later counts for all of the campaign.
 */
import type { Contract, Market, PositionReduced, Trade } from '@orrery/protocol';
import { baseAmount, contractVolume } from '@orrery/rules';
import type { AccountId, MarketId, Ticks } from '@orrery/units';

/** Who is awake, and what is traded, differs from block to block; milliseconds. Blocks begin at 00:00 UTC and every four hours after. */
export const BLOCK_MS = 4 * 3_600_000;
const BLOCKS_PER_DAY = 6;
/** More than a campaign has. */
const BLOCKS_MAX = 1 << 20;

/** Counted from the block in which the campaign starts. */
export const blockAt = (at: number, startsAt: number): number => Math.floor(at / BLOCK_MS) - Math.floor(startsAt / BLOCK_MS);

/** The UTC day of a block, counted from 1970. */
export const dayOfBlock = (block: number, startsAt: number): number =>
  Math.floor((Math.floor(startsAt / BLOCK_MS) + block) / BLOCKS_PER_DAY);

/** One side's part of a flow. */
export interface Leg {
  /** Quote atoms of the trades in which this side paid a fee. */
  volume: bigint;
  /** Quote atoms received less those given, after fees. */
  cash: bigint;
  /** Base atoms received less those given, after fees; of a contract lots bought less those sold. */
  base: bigint;
  /**
   * Quote atoms by which this side's prices were better than the outside price of their moment, beyond what a market moves: given by the
   * other side, and no profit. 0 where there was no outside price.
   */
  gift: bigint;
}

export interface Flow {
  readonly market: MarketId;
  /** Counted from that in which the campaign starts. */
  readonly block: number;
  readonly taker: AccountId;
  readonly maker: AccountId;
  trades: number;
  /** Of the trades: those against an order that was only seconds old. */
  quick: number;
  /** Lots traded in all, and lots bought by the taker less those sold. */
  lots: bigint;
  netLots: bigint;
  readonly takerLeg: Leg;
  readonly makerLeg: Leg;
  /** The command of the last trade. */
  lastSeq: number;
}

interface Moment {
  readonly block: number;
  readonly isQuick: boolean;
  readonly seq: number;
  /** The outside price, where there is one. */
  readonly outside: Ticks | undefined;
}

export interface Circumstances extends Moment {
  readonly market: Market;
}

export interface ContractCircumstances extends Moment {
  readonly contract: Contract;
  /** Of USDC. */
  readonly usdcDecimals: number;
}

/** A trade on the spot market. */
export function flowOf(trade: Trade, { market, ...moment }: Circumstances): Flow {
  const { takerSide, notional, takerFee, makerFee, size } = trade;
  const base = baseAmount(size, market);
  const gift = buyersGift(trade, market, moment.outside);
  const volumeOf = (fee: bigint): bigint => (fee > 0n ? notional : 0n);
  const bought = (fee: bigint): Leg => ({ volume: volumeOf(fee), cash: 0n - notional, base: base - fee, gift: positive(gift) });
  const sold = (fee: bigint): Leg => ({ volume: volumeOf(fee), cash: notional - fee, base: 0n - base, gift: positive(-gift) });
  const isBuy = takerSide === 'buy';
  return oneTrade(trade, moment, {
    takerLeg: isBuy ? bought(takerFee) : sold(takerFee),
    makerLeg: isBuy ? sold(makerFee) : bought(makerFee),
  });
}

/**
 * A trade in a contract: as if its lots were bought and sold, which leaves the same profit at every mark, because margin is no price. An inverse
 * contract, which pays in another asset, counts with its volume alone.
 */
export function contractFlowOf(trade: Trade, { contract, usdcDecimals, ...moment }: ContractCircumstances): Flow {
  const { takerSide, notional, takerFee, makerFee, size } = trade;
  const volume = contractVolume(trade, contract, usdcDecimals);
  const isLinear = contract.payoff === 'linear';
  const gift = isLinear ? buyersGift(trade, contract, moment.outside) : 0n;
  const leg = (isBuyer: boolean, fee: bigint): Leg => ({
    volume: fee > 0n ? volume : 0n,
    cash: isLinear ? (isBuyer ? 0n - notional : notional) - fee : 0n,
    base: isLinear ? (isBuyer ? BigInt(size) : -BigInt(size)) : 0n,
    gift: positive(isBuyer ? gift : -gift),
  });
  const isBuy = takerSide === 'buy';
  return oneTrade(trade, moment, { takerLeg: leg(isBuy, takerFee), makerLeg: leg(!isBuy, makerFee) });
}

/**
 * A position that the exchange closed without an order: taken over, or deleveraged. It left the account as if it were sold to the exchange, and counts
 * as no trade. Undefined for an inverse contract.
 */
export function reductionFlowOf(
  { account, market, isLong, size, notional }: PositionReduced,
  { contract, exchange, block, seq }: { contract: Contract; exchange: AccountId; block: number; seq: number },
): Flow | undefined {
  if (contract.payoff !== 'linear') return undefined;
  const takerLeg = { volume: 0n, cash: isLong ? notional : 0n - notional, base: isLong ? -BigInt(size) : BigInt(size), gift: 0n };
  const makerLeg = { volume: 0n, cash: -takerLeg.cash, base: -takerLeg.base, gift: 0n };
  return { market, block, taker: account, maker: exchange, trades: 0, quick: 0, lots: 0n, netLots: 0n, takerLeg, makerLeg, lastSeq: seq };
}

/** What a market may be away from the outside price, in thousandths of it. */
const GIFT_FREE_PER_MILLE = 5n;

/** What the buyer was given at the price of a trade, above what is no gift; below zero what the seller was given. Rounded towards zero. */
function buyersGift({ price, size }: Trade, { tickLotAtoms }: Pick<Market, 'tickLotAtoms'>, outside: Ticks | undefined): bigint {
  if (outside === undefined) return 0n;
  const worth = BigInt(outside) * BigInt(size) * tickLotAtoms;
  const better = worth - BigInt(price) * BigInt(size) * tickLotAtoms;
  const free = (worth * GIFT_FREE_PER_MILLE) / 1_000n;
  return better > free ? better - free : better < -free ? better + free : 0n;
}

const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

function oneTrade(trade: Trade, { block, isQuick, seq }: Moment, legs: Pick<Flow, 'takerLeg' | 'makerLeg'>): Flow {
  const size = BigInt(trade.size);
  return {
    market: trade.market,
    block,
    taker: trade.takerAccount,
    maker: trade.makerAccount,
    trades: 1,
    quick: isQuick ? 1 : 0,
    lots: size,
    netLots: trade.takerSide === 'buy' ? size : -size,
    ...legs,
    lastSeq: seq,
  };
}

/** Flows added up. */
export class Flows {
  /** By market and block, by taker, by maker. */
  readonly #places = new Map<number, Map<AccountId, Map<AccountId, Flow>>>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(part: Flow): void {
    const makers = this.#makers(part);
    const flow = makers.get(part.maker);
    if (flow === undefined) {
      makers.set(part.maker, { ...part, takerLeg: { ...part.takerLeg }, makerLeg: { ...part.makerLeg } });
      this.#size += 1;
      return;
    }
    flow.trades += part.trades;
    flow.quick += part.quick;
    flow.lots += part.lots;
    flow.netLots += part.netLots;
    addLeg(flow.takerLeg, part.takerLeg);
    addLeg(flow.makerLeg, part.makerLeg);
    flow.lastSeq = Math.max(flow.lastSeq, part.lastSeq);
  }

  *all(): Generator<Flow> {
    for (const takers of this.#places.values()) for (const makers of takers.values()) yield* makers.values();
  }

  #makers({ market, block, taker }: Flow): Map<AccountId, Flow> {
    const place = market * BLOCKS_MAX + block;
    let takers = this.#places.get(place);
    if (takers === undefined) this.#places.set(place, (takers = new Map<AccountId, Map<AccountId, Flow>>()));
    let makers = takers.get(taker);
    if (makers === undefined) takers.set(taker, (makers = new Map<AccountId, Flow>()));
    return makers;
  }
}

function addLeg(sum: Leg, part: Leg): void {
  sum.volume += part.volume;
  sum.cash += part.cash;
  sum.base += part.base;
  sum.gift += part.gift;
}
