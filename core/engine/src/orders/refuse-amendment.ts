/** Why a change of a resting order is refused before it is held against the book: what an order of these terms is checked for when it is placed, its changes are too. */
import { assert } from '@orrery/units';
import type { AmendOrder, CommandRejected, Order } from '@orrery/protocol';
import { isClientOrderId, reject } from '@orrery/rules';
import { refuseContractTerms, refuseReduction } from './refuse-contract-order.ts';
import type { OpenOrder } from './open-order.ts';
import { refuseName, refuseOrder, refuseState, refuseTrader } from './refuse-order.ts';
import type { Trading } from './trading.ts';

export interface Amendment {
  /** The whole order as it would be. */
  readonly order: Order;
  /** What of it would be left to trade, as a plain limit order. */
  readonly acting: Order;
  readonly old: OpenOrder;
}

/** The whole order keeps to the limits of its market, and what is left of it to what its account holds. */
export function refuseAmendment(trading: Trading, { order, acting, old }: Amendment): CommandRejected | undefined {
  const whole: Order = { ...acting, size: order.size };
  if (old.market.contract === undefined) return refuseOrder(trading, whole, old.market, old);
  const market = trading.contracts.get(order.market);
  assert(market !== undefined, 'an order of a contract is of one that is listed');
  return refuseContractTerms(trading, whole, market, old) ?? refuseReduction(trading, acting, market, old);
}

/** Of a change that ends the order. */
export function refuseChange(trading: Trading, order: Order, old: OpenOrder): CommandRejected | undefined {
  if (!isClientOrderId(order.clientOrderId)) return reject('InvalidField', 'clientOrderId');
  return refuseTrader(trading, order.account) ?? refuseState(old.market) ?? refuseName(trading, order, old);
}

/** The same precedence as for an order that can be amended, as far as there is anything to check. */
export function refuseUnamendable(trading: Trading, command: AmendOrder, old: OpenOrder | undefined): CommandRejected {
  if (!isClientOrderId(command.clientOrderId)) return reject('InvalidField', 'clientOrderId');
  if (!trading.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (old === undefined) return reject('UnknownOrder', 'orderId');
  return (
    refuseTrader(trading, command.account) ??
    refuseState(old.market) ??
    refuseName(trading, command, old) ??
    reject(old.status === 'resting' ? 'OrderOfPair' : 'OrderNotAmendable', 'orderId')
  );
}
