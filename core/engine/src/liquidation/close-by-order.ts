/** Closes a position by an order that trades at once, as far as the book has orders within a bound. */
import { NO_ATOMS, NO_TICKS, ppm, type Lots, type Ticks } from '@orrery/units';
import type { AttachedTrigger, OrderAccepted } from '@orrery/protocol';
import { tighterBound, worseBy } from '@orrery/rules';
import { isLong, type PositionRow } from '../positions/position-row.ts';
import type { CommandScope } from '../orders/command-scope.ts';
import { execute } from '../orders/execute.ts';
import { planMatch } from '../orders/match-plan.ts';
import { listedMarket } from '../instruments/listings.ts';

const NO_TRIGGER: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };

/** @param worst the worst price besides the band around the mark; `NO_TICKS` for none */
export function closeByOrder(scope: CommandScope, row: PositionRow, size: Lots, worst: Ticks): void {
  const { trading, at, events } = scope;
  const { contract, holder } = row.exposure;
  const side = isLong(row) ? 'sell' : 'buy';
  const market = listedMarket(trading, contract.terms.market);
  if (market.state !== 'TRADING') return;
  const band = worseBy(contract.prices.mark, contract.terms.marketBandPpm, side);
  const bound = tighterBound(band, worst, side);
  const order: OrderAccepted = {
    type: 'OrderAccepted',
    orderId: trading.orders.nextId(),
    account: holder.account,
    market: contract.terms.market,
    clientOrderId: '',
    side,
    orderType: 'market',
    timeInForce: 'IOC',
    price: bound,
    size,
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireMaker',
    createdAt: at,
    contract: {
      positionSide: row.positionSide,
      reduceOnly: true,
      closePosition: false,
      triggerBy: 'last',
      trailingPpm: ppm(0),
      source: 'liquidation',
      triggerDirection: 'none',
      parent: 0,
      group: 0,
      takeProfit: NO_TRIGGER,
      stopLoss: NO_TRIGGER,
    },
    spot: undefined,
  };
  const matching = { order, remaining: size, funds: NO_ATOMS, worst: bound, fills: trading.fills.of(order), at };
  const plan = planMatch(trading.plan, market, matching, trading);
  // Without a trade there is no order: a thin book would be filled with the news of orders that closed at once.
  if (plan.count === 0) return;
  const open = trading.orders.open({ order, market, payer: row.payer, leaving: undefined, at }, 0);
  events.push(order);
  execute(scope, open, plan);
}
