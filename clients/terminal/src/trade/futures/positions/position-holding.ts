/** A position of the API in the numbers of the rules. */
import type { MarginAccount, Position } from '@orrery/api';
import { contractNotional, entryPrice, gainsByNotional, initialMargin, liquidationPrice } from '@orrery/rules';
import type { Direction, Holding, OwnCoin, PricedTerms } from '@orrery/rules';
import { atoms, NO_ATOMS, NO_TICKS, parseAtoms, parseDecimal, parseLots, parseTicks, ppm } from '@orrery/units';
import type { Atoms, Ticks } from '@orrery/units';
import type { ContractMarket } from '../../../market/contract-market.ts';

/** What the account has behind a position, apart from the position itself. */
export interface Backing {
  readonly mode: 'CROSSED' | 'ISOLATED';
  readonly leverage: number;
  /** Of an isolated one: its margin. Of a crossed one: what does not move with its contract, its own coin and its other leg apart; signed. */
  readonly margin: Atoms;
  /** Of a crossed one in hedge mode. */
  readonly otherLeg?: Holding | undefined;
  /** Collateral in the coin of the contract, of a crossed one. */
  readonly coin?: OwnCoin | undefined;
}

export interface Outlook {
  readonly holding: Holding | undefined;
  readonly entry: Ticks;
  readonly margin: Atoms;
  /** 0 when no price liquidates it; `undefined` without a position, and while its mark is not known. */
  readonly liquidation: Ticks | undefined;
}

/** Decimal text of either sign in atoms; what is finer than an atom never comes from the exchange. */
export function signedAtoms(text: string | null | undefined, decimals: number): Atoms {
  if (text == null) return NO_ATOMS;
  const isNegative = text.startsWith('-');
  const value = parseDecimal(isNegative ? text.slice(1) : text, decimals) ?? 0n;
  return atoms(isNegative ? -value : value);
}

export const directionOf = ({ positionSize }: Pick<Position, 'positionSize'>): Direction =>
  positionSize.startsWith('-') ? 'short' : 'long';
export const absolute = (signed: string): string => signed.replace(/^-/, '');

/** `undefined` of an empty position, and while no mark price is known. The cost is what the notional and the profit leave: it is exact. */
export function holdingOf(position: Position, { margin, settleDecimals, sizePrecision }: ContractMarket): Holding | undefined {
  const size = parseLots(absolute(position.positionSize), sizePrecision);
  if (size === undefined || size === 0 || position.notional === null) return undefined;
  const direction = directionOf(position);
  const notional = signedAtoms(position.notional, settleDecimals);
  const profit = signedAtoms(position.unrealizedProfit, settleDecimals);
  return { direction, size, cost: atoms(gainsByNotional(direction, margin.payoff) ? notional - profit : notional + profit) };
}

/** What an account has in contracts. */
export interface InContracts {
  /** The margin account of the contract in question. */
  readonly account: MarginAccount | undefined;
  /** The positions in that contract, empty ones too. */
  readonly legs: readonly Position[] | undefined;
  /** All open positions. */
  readonly positions: readonly Position[] | undefined;
}

/** What stands behind the position now. `undefined` while a figure that it depends on is not known. */
export function backingOf(position: Position, { account, legs, positions }: InContracts, market: ContractMarket): Backing | undefined {
  const { positionType: mode, leverage, positionSide } = position;
  const read = (text: string | null): Atoms => signedAtoms(text, market.settleDecimals);
  if (mode === 'ISOLATED') return { mode, leverage, margin: read(position.isolatedMargin) };
  if (account == null || account.collateralValue === null || positions === undefined) return undefined;
  const other = legs?.find((leg) => leg.positionSide !== positionSide && !isEmpty(leg));
  const otherLeg = other && holdingOf(other, market);
  if (other !== undefined && otherLeg === undefined) return undefined;
  const own = account.collaterals.find(({ coin }) => coin === market.info.baseCoin);
  let margin: bigint = read(account.collateralValue) - read(own?.value ?? null);
  for (const one of positions.filter((each) => isBeside(each, position) && !isEmpty(each))) {
    if (one.notional === null) return undefined;
    margin += read(one.unrealizedProfit) - read(one.maintenanceMargin);
  }
  return { mode, leverage, margin: atoms(margin), otherLeg, coin: own && ownCoinOf(own, market) };
}

const isEmpty = ({ positionSize }: Position): boolean => Number(positionSize) === 0;

/** Whether a position shares the money of another, in another contract. */
const isBeside = (one: Position, { symbol, settleCoin, underlyingType }: Position): boolean =>
  one.symbol !== symbol && one.positionType === 'CROSSED' && one.settleCoin === settleCoin && one.underlyingType === underlyingType;

const decimalsOf = (text: string): number => text.split('.')[1]?.length ?? 0;
const RATIO_DECIMALS = 6;

/** In the decimals that its texts have: what is counted in them is exact. */
function ownCoinOf(
  { amount, price, ratio }: MarginAccount['collaterals'][number],
  { settleDecimals }: ContractMarket,
): OwnCoin | undefined {
  const [amountDecimals, priceDecimals] = [decimalsOf(amount), decimalsOf(price ?? '')];
  const value = price === null ? undefined : parseTicks(price, priceDecimals);
  if (value === undefined) return undefined;
  return {
    amount: parseAtoms(amount, amountDecimals) ?? NO_ATOMS,
    price: value,
    lotAtoms: atoms(10n ** BigInt(amountDecimals + priceDecimals)),
    tickLotAtoms: atoms(10n ** BigInt(settleDecimals)),
    ratioPpm: ppm(Number(parseDecimal(ratio, RATIO_DECIMALS) ?? 0n)),
  };
}

/** A position with what it needs, at a price. */
export function outlookOf(holding: Holding | undefined, backing: Backing, terms: PricedTerms, price: Ticks): Outlook {
  if (holding === undefined) return { holding, entry: NO_TICKS, margin: NO_ATOMS, liquidation: undefined };
  const notional = price === NO_TICKS ? holding.cost : contractNotional(price, holding.size, terms);
  return {
    holding,
    entry: entryPrice(holding.cost, holding.size, terms),
    margin: initialMargin(notional, backing.leverage),
    liquidation: price === NO_TICKS ? undefined : liquidationOf(holding, backing, terms, price),
  };
}

function liquidationOf(holding: Holding, { margin: rest, otherLeg, coin }: Backing, terms: PricedTerms, mark: Ticks): Ticks {
  const legs = otherLeg === undefined ? [holding] : [holding, otherLeg];
  return liquidationPrice(holding.direction, { mark, legs, rest, coin, terms });
}
