/**
 * Margin a second time, obvious and slow: of every account from nothing but a snapshot, without a line of the engine or the rules. Cross positions share the
 * money and the collateral of their wallet, an isolated one has its own.
 */
import type { Contract, Payoff } from '@orrery/protocol';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { isIsolated, ordersNeed } from './contracts-sound.ts';

/** What a position is worth, and what it needs. In settle atoms. */
interface Held {
  readonly notional: bigint;
  readonly profit: bigint;
  readonly maintenance: bigint;
  readonly initial: bigint;
}

/** Positions that stand and fall together. */
export interface NaiveMargin {
  /** As a liquidation names it. */
  readonly key: string;
  readonly account: number;
  readonly payoff: Payoff;
  readonly isIsolated: boolean;
  /** In which it holds a position, each once. */
  readonly markets: readonly number[];
  /** Its margin, or the free money of the wallet and what the collateral counts for. */
  readonly worth: bigint;
  readonly unrealised: bigint;
  readonly maintenance: bigint;
  /** Of the positions. */
  readonly initial: bigint;
  readonly notional: bigint;
}

export const equityOf = ({ worth, unrealised }: NaiveMargin): bigint => worth + unrealised;

/** Of every account that holds a position, or of one of them. */
export function marginsOf(snapshot: Snapshot, account?: number): readonly NaiveMargin[] {
  const clusters = new Map<string, PositionSnapshot[]>();
  for (const position of snapshot.positions) {
    if (position.size === 0 || (account !== undefined && position.account !== account)) continue;
    const { payoff } = contractOf(snapshot, position.market).terms;
    const key = isIsolated(snapshot, position.account, position.market)
      ? `${position.account} ${position.market} ${position.positionSide}`
      : `${position.account} ${payoff}`;
    clusters.set(key, [...(clusters.get(key) ?? []), position]);
  }
  return [...clusters].map(([key, positions]) => marginOf(snapshot, key, positions));
}

/** What an account has beyond the initial margin of all its cross positions and orders of a payoff. Undefined without a cross position. */
export function availableOf(snapshot: Snapshot, account: number, payoff: Payoff, at: number): bigint | undefined {
  const cross = marginsOf(snapshot, account).find((one) => !one.isIsolated && one.payoff === payoff);
  if (cross === undefined) return undefined;
  return equityOf(cross) - agedOf(snapshot, account, payoff, at) - initialOf(snapshot, account, payoff, at);
}

/** What of the worth of its collateral does not count for what opens, because the price is old. Since rules 7. */
export const agedOf = (snapshot: Snapshot, account: number, payoff: Payoff, at: number): bigint =>
  payoff === 'linear' ? collateralOf(snapshot, account) - collateralOf(snapshot, account, at) : 0n;

/** X1, X4: whether positions of a contract may grow. */
export function isOpen({ rules, contracts }: Snapshot, market: number, at: number): boolean {
  const { state, freshAt, freshRounds } = contracts.find(({ terms }) => terms.market === market)!.prices;
  return state === 'READY' && at <= freshAt + 30_000 && (rules < 7 || freshRounds > 2);
}

/** The initial margin of all cross positions and orders of an account. */
export function initialOf(snapshot: Snapshot, account: number, payoff: Payoff, at: number): bigint {
  let initial = marginsOf(snapshot, account).find((one) => !one.isIsolated && one.payoff === payoff)?.initial ?? 0n;
  // While a contract is not open a position in it needs a fifth of its notional at least.
  for (const position of snapshot.rules < 7 ? [] : snapshot.positions) {
    if (position.account !== account || position.size === 0 || isIsolated(snapshot, account, position.market)) continue;
    if (contractOf(snapshot, position.market).terms.payoff !== payoff || isOpen(snapshot, position.market, at)) continue;
    const held = heldOf(snapshot, position);
    const fifth = up(held.notional, 5n);
    if (fifth > held.initial) initial += fifth - held.initial;
  }
  for (const { terms } of snapshot.contracts)
    if (terms.payoff === payoff && !isIsolated(snapshot, account, terms.market)) initial += ordersNeed(snapshot, terms, account);
  return initial;
}

/** What each open position of a side has gained, with all gains and the equity of what it stands together with. */
export function gainsOf(
  snapshot: Snapshot,
  market: number,
  isLong: boolean,
): readonly { readonly account: number; readonly gain: bigint; readonly gains: bigint; readonly equity: bigint }[] {
  const found = [];
  for (const position of snapshot.positions) {
    if (position.market !== market || position.size === 0 || position.size > 0 !== isLong) continue;
    const { account } = position;
    const margin = marginsOf(snapshot, account).find(({ key }) => [keyOfIsolated(position), keyOfCross(snapshot, position)].includes(key));
    if (margin === undefined) continue;
    const together = snapshot.positions.filter((one) => one.account === account && one.size !== 0 && isTogether(snapshot, one, margin));
    const gains = together.map((one) => heldOf(snapshot, one).profit).reduce((sum, profit) => (profit > 0n ? sum + profit : sum), 0n);
    found.push({ account, gain: heldOf(snapshot, position).profit, gains, equity: equityOf(margin) });
  }
  return found;
}

const keyOfIsolated = ({ account, market, positionSide }: PositionSnapshot): string => `${account} ${market} ${positionSide}`;
const keyOfCross = (snapshot: Snapshot, { account, market }: PositionSnapshot): string =>
  `${account} ${contractOf(snapshot, market).terms.payoff}`;

const isTogether = (snapshot: Snapshot, position: PositionSnapshot, { key, isIsolated: isOwn }: NaiveMargin): boolean =>
  isOwn
    ? keyOfIsolated(position) === key
    : !isIsolated(snapshot, position.account, position.market) && keyOfCross(snapshot, position) === key;

function marginOf(snapshot: Snapshot, key: string, positions: readonly PositionSnapshot[]): NaiveMargin {
  const [first] = positions;
  if (first === undefined) throw new Error('positions that stand together are at least one');
  const { account, market, margin } = first;
  const { payoff, settle } = contractOf(snapshot, market).terms;
  const held = positions.map((position) => heldOf(snapshot, position));
  const sumOf = (field: keyof Held): bigint => held.reduce((sum, one) => sum + one[field], 0n);
  const isOwn = isIsolated(snapshot, account, market);
  return {
    key,
    account,
    payoff,
    isIsolated: isOwn,
    markets: [...new Set(positions.map((one) => one.market))],
    worth: isOwn ? margin : worthOf(snapshot, { account, payoff, settle }),
    unrealised: sumOf('profit'),
    maintenance: sumOf('maintenance'),
    initial: sumOf('initial'),
    notional: sumOf('notional'),
  };
}

/** The free money of a wallet, and what the collateral counts for. */
export const worthOf = (
  snapshot: Snapshot,
  { account, payoff, settle }: { readonly account: number; readonly payoff: Payoff; readonly settle: number },
): bigint => freeOf(snapshot, account, payoff, settle) + (payoff === 'linear' ? collateralOf(snapshot, account) : 0n);

/** At mark; before the contract has one, at what it cost. */
function heldOf(snapshot: Snapshot, { market, size, cost, leverage }: PositionSnapshot): Held {
  const { terms, prices } = contractOf(snapshot, market);
  const tickLots = BigInt(Math.abs(size)) * terms.tickLotAtoms;
  const atMark = terms.payoff === 'linear' ? tickLots * BigInt(prices.mark) : tickLots / BigInt(Math.max(1, prices.mark));
  const notional = prices.mark === 0 ? cost : atMark;
  const gains = size > 0 === (terms.payoff === 'linear');
  return {
    notional,
    profit: gains ? notional - cost : cost - notional,
    maintenance: maintenanceOf(notional, terms),
    initial: up(notional, BigInt(leverage)),
  };
}

/** Tier by tier, each part of the notional by its own rate, over a common denominator. */
function maintenanceOf(notional: bigint, { tiers }: Contract): bigint {
  const denominator = tiers.reduce((product, { maxLeverage }) => product * BigInt(2 * maxLeverage), 1n);
  let need = 0n;
  let below = 0n;
  for (const [index, { maxNotional, maxLeverage }] of tiers.entries()) {
    const upTo = notional < maxNotional || index === tiers.length - 1 ? notional : maxNotional;
    if (upTo > below) need += ((upTo - below) * denominator) / BigInt(2 * maxLeverage);
    below = maxNotional;
  }
  return up(need, denominator);
}

function freeOf({ balances }: Snapshot, account: number, payoff: Payoff, asset: number): bigint {
  const wallet = payoff === 'linear' ? 'futures' : 'coinFutures';
  return balances.find((one) => one.account === account && one.wallet === wallet && one.asset === asset)?.free ?? 0n;
}

/** Each asset at its price, then at its ratio, and for what opens by the age of the price, rounded down each time. */
function collateralOf(snapshot: Snapshot, account: number, openingAt?: number): bigint {
  let worth = 0n;
  for (const { asset, ratioPpm, market } of snapshot.collaterals) {
    const { terms, indexPrice } = snapshot.markets.find((one) => one.terms.market === market)!;
    const own = snapshot.collateralPrices.find((one) => one.asset === asset);
    const value = (freeOf(snapshot, account, 'linear', asset) * BigInt(own?.price ?? indexPrice) * terms.tickLotAtoms) / terms.lotAtoms;
    const counted = (value * BigInt(ratioPpm)) / 1_000_000n;
    const ageMs = own === undefined || openingAt === undefined ? 0 : openingAt - own.at;
    worth += ageMs <= 60_000 ? counted : ageMs >= 600_000 ? 0n : (counted * BigInt(600_000 - ageMs)) / 540_000n;
  }
  return worth;
}

function contractOf({ contracts }: Snapshot, market: number): Snapshot['contracts'][number] {
  const found = contracts.find(({ terms }) => terms.market === market);
  if (found === undefined) throw new Error(`contract ${market} is not listed`);
  return found;
}

const up = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor;
