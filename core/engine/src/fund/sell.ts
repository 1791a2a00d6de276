/** Sells what a fund holds: positions by orders that only reduce, coins for the settle asset, each no further from its price than a bound. */
import {
  bigintOf,
  divCeil,
  divFloor,
  lots,
  NO_ATOMS,
  NO_LOTS,
  NO_POSITION,
  NO_TICKS,
  ppm,
  type Atoms,
  type Lots,
  type MarketId,
  type Ppm,
  type Ticks,
} from '@orrery/units';
import { NOT_ATTACHED, type OrderAccepted } from '@orrery/protocol';
import { FUND_UNSOLD_MS, fundRoundMin, valueAt, worseBy } from '@orrery/rules';
import { onlyReduces } from '../clearing/reduces.ts';
import { holdingsOf, type Holding } from '../funds/worth.ts';
import type { Listed } from '../instruments/listed-market.ts';
import { listedMarket } from '../instruments/listings.ts';
import { closeOrdersOf } from '../orders/cancel-all-orders.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import { execute } from '../orders/execute.ts';
import { planMatch } from '../orders/match-plan.ts';
import { heldLots, isLong, type PositionRow } from '../positions/position-row.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import { endTwap } from '../timers/twap-slices.ts';
import { moveWithin } from './cash.ts';
import type { FundScope } from './fund-state.ts';

/** How much of each holding is sold, and how far from its price. */
export interface Sale {
  /** All of it where the two are equal. */
  readonly part: Atoms;
  readonly of: Atoms;
  readonly slippagePpm: Ppm;
}

/** Ends what the account of a fund has at work; while it is open, what waits to reduce a position goes on waiting. */
export function endFundActivity(scope: FundScope): void {
  const { state, fund } = scope;
  const isKept = (open: OpenOrder): boolean => fund.end === undefined && open.status === 'armed' && onlyReduces(open.order);
  closeOrdersOf(scope, fund.account, (open) => !isKept(open), 'closeAll');
  for (const twap of state.timers.twaps.of(fund.account)) endTwap(scope, state, twap, 'canceledByAccount');
}

/** Sells of the next market that the fund holds something of. @returns the market; undefined when there is no other */
export function sellNext(scope: FundScope, after: number, sale: Sale): MarketId | undefined {
  const rows = openRows(scope).filter(({ exposure }) => exposure.contract.terms.market >= after);
  const holdings = holdingsOf(scope.state, scope.fund, scope.at).filter(({ market }) => market.market >= after);
  const [row] = rows;
  const [holding] = holdings;
  if (row !== undefined && (holding === undefined || row.exposure.contract.terms.market < holding.market.market)) {
    const { market } = row.exposure.contract.terms;
    for (const one of rows) if (one.exposure === row.exposure) reduce(scope, one, sale);
    return market;
  }
  if (holding === undefined) return undefined;
  sellCoins(scope, holding, sale);
  return holding.market.market;
}

/** By contract and side. */
export const openRows = ({ state, fund }: FundScope): readonly PositionRow[] =>
  (state.positions.known(fund.account)?.exposures ?? [])
    .flatMap(({ rows }) => rows)
    .filter((row) => row !== undefined && row.size !== NO_POSITION) as readonly PositionRow[];

function reduce(scope: FundScope, row: PositionRow, { part, of, slippagePpm }: Sale): void {
  const { state, at } = scope;
  const { contract } = row.exposure;
  const market = listedMarket(state, contract.terms.market);
  if (market.state !== 'TRADING' || !isOpenBy(state.rules, contract.prices, at)) return;
  const side = isLong(row) ? 'sell' : 'buy';
  const size = lots(Number(divCeil(bigintOf(heldLots(row)) * part, of)));
  take(scope, market, {
    side,
    size,
    price: worseBy(contract.prices.mark, slippagePpm, side),
    payer: row.payer,
    positionSide: row.positionSide,
  });
}

/** Coins in other wallets are brought to the one that trades first; those that secure positions stay until there are none. */
function sellCoins(
  scope: FundScope,
  { market: { market: id, base, lotAtoms }, amount, price, isFresh }: Holding,
  { part, of, slippagePpm }: Sale,
): void {
  const { state, fund } = scope;
  const { ledger } = state;
  const market = listedMarket(state, id);
  if (market.state !== 'TRADING' || !isFresh) return;
  const spot = ledger.of(fund.account, 'spot', base);
  for (const wallet of openRows(scope).length === 0 ? (['funding', 'futures', 'coinFutures'] as const) : (['funding'] as const)) {
    const from = ledger.of(fund.account, wallet, base);
    moveWithin(scope, base, wallet, 'spot', ledger.free(from));
  }
  const wanted = divCeil(divCeil(amount * part, of), lotAtoms);
  const there = divFloor(ledger.free(spot), lotAtoms);
  const size = lots(Number(wanted < there ? wanted : there));
  if (size > NO_LOTS)
    take(scope, market, { side: 'sell', size, price: worseBy(price, slippagePpm, 'sell'), payer: undefined, positionSide: 'both' });
}

interface Taking {
  readonly side: 'buy' | 'sell';
  readonly size: Lots;
  /** The worst one. */
  readonly price: Ticks;
  readonly payer: number | undefined;
  readonly positionSide: PositionRow['positionSide'];
}

/** Takes what the book has up to a price. Without a trade there is no order. */
function take(scope: FundScope, market: Listed, { side, size, price, payer, positionSide }: Taking): void {
  const { trading, fund, at, events } = scope;
  const { contract, terms } = market;
  const order: OrderAccepted = {
    type: 'OrderAccepted',
    orderId: trading.orders.nextId(),
    account: fund.account,
    market: terms.market,
    clientOrderId: '',
    side,
    orderType: 'limit',
    timeInForce: 'IOC',
    price,
    size,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireMaker',
    createdAt: at,
    contract:
      contract === undefined
        ? undefined
        : {
            positionSide,
            reduceOnly: true,
            closePosition: false,
            triggerBy: 'last',
            trailingPpm: ppm(0),
            source: 'closeAll',
            triggerDirection: 'none',
            parent: 0,
            group: 0,
            takeProfit: NOT_ATTACHED,
            stopLoss: NOT_ATTACHED,
          },
    spot: undefined,
  };
  const matching = { order, remaining: size, funds: NO_ATOMS, worst: price, fills: trading.fills.of(order), at };
  const plan = planMatch(trading.plan, market, matching, contract === undefined ? undefined : trading);
  if (plan.count === 0) return;
  const open = trading.orders.open({ order, market, payer: payer ?? market.clearing.payerOf(order), leaving: undefined, at }, 0);
  events.push(order);
  execute(scope, open, plan);
}

/** Whether a fund holds nothing but money, and of coins what nobody can sell: less than a lot, and in the end what nobody bought and is worth less than a round. */
export function isFlat(scope: FundScope): boolean {
  const { state, fund, at } = scope;
  if (openRows(scope).length > 0 || state.orders.ofAccounts.of(fund.account).length > 0) return false;
  const unsold = holdingsOf(state, fund, at).filter(({ market, amount }) => amount >= market.lotAtoms);
  if (unsold.length === 0) return true;
  const asset = state.assets.get(fund.asset);
  return asset !== undefined && at >= fund.closingSince + FUND_UNSOLD_MS && worthOfCoins(unsold) < fundRoundMin(asset);
}

/** By the last prices, however old. */
const worthOfCoins = (holdings: readonly Holding[]): bigint =>
  holdings.reduce((sum, { market, amount, price }) => (price === NO_TICKS ? sum : sum + valueAt(amount, price, market)), 0n);
