/** An armed order whose price was reached acts as a market or limit order under its own id. */
import { minLots, NO_LOTS, type Lots } from '@orrery/units';
import type { Reached } from '../triggers/trigger-ladder.ts';
import { onlyReduces } from '../clearing/reduces.ts';
import { isOpenBy } from '../prices/contract-prices.ts';
import { closeOrder, releaseOrder } from './close-order.ts';
import type { CommandScope } from './command-scope.ts';
import type { Entry } from './entry.ts';
import { execute, planEntry } from './execute.ts';
import type { OpenOrder } from './open-order.ts';
import { closableSize } from './reducing.ts';
import { refusePlan } from './refuse-plan.ts';
import { cancelRestOfGroup } from './trigger-group.ts';

/** The order has left the triggers already. It closes when it is refused now, and when there is nothing left for it to reduce. */
export function triggerOrder(scope: CommandScope, { orderId, price }: Reached): void {
  const { trading, at, events } = scope;
  const stop = trading.orders.known(orderId);
  const { account, market } = stop.order;
  events.push({ type: 'OrderTriggered', orderId, account, market, lastPrice: price });
  if (onlyReduces(stop.order) && !fitsPosition(scope, stop)) {
    releaseOrder(stop);
    closeOrder(scope, stop, { reason: 'positionClosed', rested: false, removed: NO_LOTS });
    return;
  }
  if (!fitsPrices(scope, stop)) {
    releaseOrder(stop);
    closeOrder(scope, stop, { reason: 'pricesDegraded', rested: false, removed: NO_LOTS });
    return;
  }
  const entry: Entry = { order: stop.order, market: stop.market, payer: stop.payer, leaving: stop, at };
  const plan = planEntry(trading, entry);
  const refusal = refusePlan(trading, entry, plan);
  releaseOrder(stop);
  if (refusal !== undefined) {
    closeOrder(scope, stop, { reason: 'refusedAtTrigger', rested: false, removed: NO_LOTS });
    return;
  }
  cancelRestOfGroup(scope, stop);
  execute(scope, stop, plan);
}

/**
 * While a contract is not open, an order that may open is cut to what it reduces: a stop that somebody meant for his position still protects it. One that would
 * only open closes: it was meant for the price that reached it, not for the one at which the contract opens again. Since rules 7.
 * @returns whether anything of it may act
 */
function fitsPrices(scope: CommandScope, stop: OpenOrder): boolean {
  const { contract } = stop.market;
  const { rules } = scope.trading;
  if (rules < 7 || contract === undefined || onlyReduces(stop.order) || isOpenBy(rules, contract.prices, scope.at)) return true;
  return fitsPosition(scope, stop);
}

/** Cuts an order to what its position is now. @returns whether there is anything to reduce */
function fitsPosition(scope: CommandScope, stop: OpenOrder): boolean {
  const { order, payer } = stop;
  const closable = closableSize(scope.trading, { payer, side: order.side });
  const size = order.contract?.closePosition === true ? closable : minLots(order.size, closable);
  if (size === NO_LOTS) return false;
  if (size !== order.size) resize(scope, stop, size);
  return true;
}

function resize({ events }: CommandScope, stop: OpenOrder, size: Lots): void {
  stop.order = { ...stop.order, size };
  stop.remaining = size;
  const { orderId, account, market, triggerPrice, price } = stop.order;
  events.push({ type: 'TriggerAmended', orderId, account, market, triggerPrice, price, size });
}
