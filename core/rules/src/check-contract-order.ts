/** What is malformed about an order of a contract, in order of precedence. Pure: the reference price is given. */
import { NO_ATOMS, NO_LOTS, NO_TICKS, type Ticks } from '@orrery/units';
import type { CommandRejected, Contract, ContractTerms, OrderTerms } from '@orrery/protocol';
import { isClientOrderId, isPrice, refusePrice, refuseSize, refuseValue } from './check-order.ts';
import { SLIPPAGE_PPM_MAX } from './limits.ts';
import { hasLimit } from './order-kind.ts';
import { contractNotional } from './payoff.ts';
import { reject } from './reject.ts';

/** An order of a contract, accepted or not. */
export interface ContractOrder extends OrderTerms {
  readonly contract: ContractTerms;
}

/**
 * @param contract undefined while the order names no known contract: then only its own fields can be judged
 * @param reference NO_TICKS when no price is known
 */
export function checkContractOrder(order: ContractOrder, contract: Contract | undefined, reference: Ticks): CommandRejected | undefined {
  return (
    checkContractFields(order) ??
    (contract === undefined ? undefined : checkContractBounds(order, contract, reference)) ??
    checkContractCombination(order)
  );
}

export function checkContractFields({ clientOrderId, slippagePpm }: ContractOrder): CommandRejected | undefined {
  if (!isClientOrderId(clientOrderId)) return reject('InvalidField', 'clientOrderId');
  return slippagePpm > SLIPPAGE_PPM_MAX ? reject('InvalidField', 'slippagePpm') : undefined;
}

export function checkContractBounds(order: ContractOrder, contract: Contract, reference: Ticks): CommandRejected | undefined {
  const priceNeeded = hasLimit(order) || order.price !== NO_TICKS;
  if (priceNeeded && !isPrice(order.price, contract)) return refusePrice(order.price, contract);
  // What closes a whole position has the size of the position, whatever that is.
  if (order.contract.closePosition) return undefined;
  if (order.size < contract.minSize || order.size > contract.maxSize) return refuseSize(order.size, contract);
  const price = hasLimit(order) ? order.price : reference;
  if (price === NO_TICKS) return undefined;
  const value = contractNotional(price, order.size, contract);
  // A position may be smaller than the least order: it can be closed all the same.
  const isTooSmall = value < contract.minNotional && !order.contract.reduceOnly;
  return isTooSmall || value > contract.maxNotional ? refuseValue(value, contract) : undefined;
}

export function checkContractCombination(order: ContractOrder): CommandRejected | undefined {
  const { closePosition, source } = order.contract;
  if (order.funds !== NO_ATOMS) return reject('InvalidCombination', 'funds');
  if (closePosition && order.size !== NO_LOTS) return reject('InvalidCombination', 'size');
  if (source === 'twap' || source === 'closeAll' || source === 'liquidation') return reject('InvalidCombination', 'source');
  if (hasLimit(order)) return order.slippagePpm === 0 ? undefined : reject('InvalidCombination', 'slippagePpm');
  return order.timeInForce === 'GTC' || order.timeInForce === 'GTX' ? reject('InvalidCombination', 'timeInForce') : undefined;
}
