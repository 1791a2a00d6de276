/** The present state as events. */
import { accountId, NO_ATOMS, NO_LOTS, NO_POSITION, NO_TICKS } from '@orrery/units';
import type { Event, StallReason, TriggerStalled } from '@orrery/protocol';
import { FIRST_RULES } from '@orrery/rules';
import type { Fund } from '../funds/funds.ts';
import type { Listed, ListedContract, ListedMarket } from '../instruments/listed-market.ts';
import type { OpenOrder } from '../orders/open-order.ts';
import { positionOf, type Holder, type PositionRow } from '../positions/position-row.ts';
import { predictedFunding, shownState } from '../prices/contract-prices.ts';
import { collateralPriced } from '../margin/collaterals.ts';
import { advancedOf } from '../timers/twap-slices.ts';
import type { Timers } from '../timers/timers.ts';
import { byId } from './in-order.ts';
import { emitOtc } from './otc-facts.ts';
import type { Exchange } from '../exchange.ts';

/** In the order in which they could have happened: what later facts speak of comes before them. */
export function factsOf(exchange: Exchange): Event[] {
  const facts: Event[] = [];
  if (exchange.rules > FIRST_RULES) facts.push({ type: 'RulesUpgraded', version: exchange.rules });
  for (const asset of byId(exchange.assets)) facts.push({ type: 'AssetRegistered', ...asset });
  for (const asset of exchange.practiceAssets) facts.push({ type: 'PracticeAssetSet', asset });
  for (const market of byId(exchange.markets)) emitMarket(market, facts);
  for (const contract of byId(exchange.contracts)) emitContract(exchange, contract, facts);
  for (const { terms, own } of exchange.collaterals) {
    facts.push({ type: 'CollateralSet', ...terms });
    if (own !== undefined) facts.push(collateralPriced(terms, own));
  }
  for (const caps of byId(exchange.money.caps)) facts.push({ type: 'WithdrawalCapsSet', ...caps });
  for (const outflow of exchange.money.outflows.list()) facts.push({ type: 'OutflowChanged', ...outflow });
  for (const { account, since, worth } of exchange.money.quotaUses.list()) facts.push({ type: 'QuotaUsed', account, since, worth });
  for (const account of exchange.accounts) {
    facts.push({ type: 'AccountOpened', account: account.id, address: account.address });
    for (const flag of exchange.accounts.flagsOf(account.id))
      facts.push({ type: 'AccountFlagSet', account: account.id, flag, value: true });
  }
  const { liquidator } = exchange.liquidations;
  if (liquidator !== 0) facts.push({ type: 'LiquidatorSet', account: liquidator });
  for (const holder of exchange.positions.holders()) emitHolder(holder, facts);
  for (const row of exchange.positions) emitPosition(row, facts);
  emitTimers(exchange.timers, facts);
  for (const balance of exchange.ledger.personal()) facts.push({ type: 'BalanceChanged', ...balance });
  for (const { asset, free } of exchange.ledger.systemOf('INSURANCE'))
    facts.push({ type: 'InsuranceChanged', asset, amount: free, change: NO_ATOMS });
  for (const market of byId(exchange.markets)) emitOrders(exchange, market, facts);
  for (const contract of byId(exchange.contracts)) emitOrders(exchange, contract, facts);
  for (const fund of exchange.funds) emitFund(fund, facts);
  for (const id of exchange.matching.values()) emitPaused(exchange.orders.known(id), facts);
  emitOtc(exchange.otc, facts);
  return facts;
}

/** As it is now: what its leader paid is no fact any more. */
function emitFund({ fund, account, leader, asset, capacity, worth, shares, nav, valuedAt, end }: Fund, facts: Event[]): void {
  facts.push({ type: 'FundOpened', fund, account, leader, asset, capacity, amount: worth, shares });
  facts.push({ type: 'FundValued', fund, interval: valuedAt, worth, shares, nav, cash: NO_ATOMS });
  if (end !== undefined) facts.push({ type: 'FundClosing', fund, reason: end });
}

function emitMarket({ terms, state, indexPrice }: ListedMarket, facts: Event[]): void {
  const { market } = terms;
  facts.push({ type: 'MarketRegistered', ...terms }, { type: 'MarketStateChanged', market, state });
  if (indexPrice !== NO_TICKS) facts.push({ type: 'IndexPriceSet', market, price: indexPrice });
}

function emitContract({ rules }: Exchange, { terms, state, contract }: ListedContract, facts: Event[]): void {
  const { market } = terms;
  const { prices } = contract;
  facts.push({ type: 'ContractRegistered', ...terms }, { type: 'MarketStateChanged', market, state });
  if (prices.index === NO_TICKS) return;
  const fundingPpb = predictedFunding({ terms, prices });
  facts.push({
    type: 'PricesSet',
    market,
    index: prices.index,
    mark: prices.mark,
    state: shownState(rules, prices, prices.freshAt),
    fundingPpb,
    freshRounds: prices.freshRounds,
  });
}

function emitHolder({ account, linear, inverse, practice, feeTier, rebateTier, exposures }: Holder, facts: Event[]): void {
  if (linear === 'hedge') facts.push({ type: 'PositionModeSet', account, payoff: 'linear', mode: linear });
  if (inverse === 'hedge') facts.push({ type: 'PositionModeSet', account, payoff: 'inverse', mode: inverse });
  if (practice === 'hedge') facts.push({ type: 'PositionModeSet', account, payoff: 'practice', mode: practice });
  if (feeTier > 0 || rebateTier > 0) facts.push({ type: 'FeeTierSet', account, tier: feeTier, rebateTier });
  for (const { contract, mode } of exposures)
    if (mode === 'isolated') facts.push({ type: 'MarginModeSet', account, market: contract.terms.market, mode });
}

function emitPosition(row: PositionRow, facts: Event[]): void {
  const { exposure, positionSide, leverage, autoMargin, size } = row;
  const { terms } = exposure.contract;
  const place = { account: exposure.holder.account, market: terms.market, positionSide };
  if (leverage !== terms.initLeverage) facts.push({ type: 'LeverageSet', ...place, leverage });
  if (autoMargin) facts.push({ type: 'AutoMarginSet', ...place, value: autoMargin });
  if (size !== NO_POSITION) facts.push({ type: 'PositionChanged', ...positionOf(row) });
}

function emitTimers({ cancels, twaps }: Timers, facts: Event[]): void {
  for (const { id, at } of cancels.entries()) facts.push({ type: 'CancelScheduled', account: accountId(id), at });
  for (const twap of twaps.list()) facts.push({ type: 'TwapAccepted', twapId: twap.twapId, ...twap.terms }, advancedOf(twap));
}

/** In book priority, buys first; then the stops, oldest first. */
function emitOrders(exchange: Exchange, { book, triggers }: Listed, facts: Event[]): void {
  for (const side of ['buy', 'sell'] as const) {
    for (const slot of book.orders(side)) emitResting(exchange.orders.known(book.orderIdOf(slot)), facts);
  }
  for (const id of triggers.waiting()) {
    const open = exchange.orders.known(id);
    const { orderId, account, market } = open.order;
    const armed: Event = { type: 'OrderArmed', orderId, account, market };
    facts.push({ type: 'OrderAccepted', ...open.order }, armed);
    // It has waited on with a part before it waits for its price again.
    if (open.filled > NO_LOTS && !triggers.stalled.has(id)) facts.push(stalledOf(open, 'noLiquidity'), armed);
  }
  for (const { orderId, reason } of triggers.stalled.list()) facts.push(stalledOf(exchange.orders.known(orderId), reason));
}

function stalledOf({ order, remaining, filled, filledNotional }: OpenOrder, reason: StallReason): TriggerStalled {
  const { orderId, account, market, triggerPrice } = order;
  return { type: 'TriggerStalled', orderId, account, market, reason, triggerPrice, remaining, filled, filledNotional };
}

function emitResting({ order, remaining, filled, filledNotional }: OpenOrder, facts: Event[]): void {
  const { orderId, account, market, side, price } = order;
  facts.push({ type: 'OrderAccepted', ...order });
  facts.push({ type: 'OrderRested', orderId, account, market, side, price, remaining, filled, filledNotional });
}

function emitPaused({ order, remaining, filled, filledNotional }: OpenOrder, facts: Event[]): void {
  const { orderId, account, market } = order;
  facts.push({ type: 'OrderAccepted', ...order });
  facts.push({ type: 'OrderPaused', orderId, account, market, remaining, filled, filledNotional });
}
