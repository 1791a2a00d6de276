/** The size of an order whose command names an intent: what the position is now, twice, or no more than one order may have. Since rules 8. */
import { addLots, atoms, minLots, NO_LOTS, type Lots } from '@orrery/units';
import type { CommandRejected, OrderAccepted, PlaceContractOrder } from '@orrery/protocol';
import { isByFunds, isStop, largestOrder, reject, valuePrice } from '@orrery/rules';
import type { Listed, ListedContract } from '../instruments/listed-market.ts';
import { closableBy } from './reducing.ts';
import { referenceOf } from './reference.ts';
import type { Trading } from './trading.ts';

export const refuseIntent = ({ rules }: Trading): CommandRejected | undefined => (rules < 8 ? reject('RulesTooOld') : undefined);

/** What speaks against an intent in a contract, whatever the size. */
export function refuseContractIntent(
  trading: Trading,
  command: PlaceContractOrder,
  market: ListedContract | undefined,
): CommandRejected | undefined {
  if (command.sizing === undefined) return undefined;
  const refusal = refuseIntent(trading);
  if (refusal !== undefined) return refusal;
  // A stop of a contract is paid for when it acts.
  if (command.sizing === 'most') return isStop(command) ? reject('InvalidCombination', 'sizing') : undefined;
  if (!mayReverse(command)) return reject('InvalidCombination', 'sizing');
  if (market === undefined) return reject('UnknownMarket', 'market');
  if (!trading.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  return heldAgainst(trading, command) === NO_LOTS ? reject('UnknownPosition', 'side') : undefined;
}

/** In hedge mode the other side has a position of its own. */
function mayReverse({ orderType, size, contract: { positionSide, reduceOnly, closePosition, source } }: PlaceContractOrder): boolean {
  return orderType === 'market' && size === NO_LOTS && positionSide === 'both' && !reduceOnly && !closePosition && source === 'plain';
}

/** Of the position that the order is against. */
const heldAgainst = (trading: Trading, { account, market, side, contract: { positionSide } }: PlaceContractOrder): Lots =>
  closableBy(trading, { account, market, side, positionSide });

/** A command, and the order that it would be. */
interface Sized {
  readonly command: PlaceContractOrder;
  readonly order: OrderAccepted;
}

/** With the size that is meant now. */
export function sizedNow(trading: Trading, sized: Sized, market: ListedContract | undefined): Sized {
  const { command, order } = sized;
  if (command.sizing === undefined || market === undefined) return sized;
  const held = command.sizing === 'reverse' ? heldAgainst(trading, command) : NO_LOTS;
  const now = command.sizing === 'reverse' ? { ...order, size: addLots(held, held) } : withinTerms(trading, order, market);
  // What closes a whole position has no size in its command.
  return { command: command.contract.closePosition ? command : { ...command, size: now.size }, order: now };
}

/** No larger than one order may be. */
export function withinTerms(trading: Trading, order: OrderAccepted, market: Listed): OrderAccepted {
  const { terms, contract } = market;
  if (isByFunds(order)) return order.funds > terms.maxNotional ? { ...order, funds: atoms(terms.maxNotional) } : order;
  const payoff = contract === undefined ? 'linear' : contract.terms.payoff;
  const price = valuePrice(order, referenceOf(trading, market, order.createdAt));
  return { ...order, size: minLots(order.size, largestOrder(price, payoff, terms)) };
}
