/** What follows a command that could not be applied: its market takes cancels only, until a person has looked at it. */
import type { Engine } from '@orrery/engine';
import type { Command, SetMarketState } from '@orrery/protocol';
import type { MarketId } from '@orrery/units';

export function quarantine(command: Command, engine: Engine): SetMarketState | undefined {
  const market = marketOf(command, engine);
  return market === undefined ? undefined : { type: 'SetMarketState', market, state: 'CANCEL_ONLY' };
}

function marketOf(command: Command, engine: Engine): MarketId | undefined {
  switch (command.type) {
    case 'PlaceOrder':
    case 'SetIndexPrice':
    case 'ContinueTriggers':
    case 'ContinueMatching':
      return command.market;
    case 'CancelAllOrders':
      return command.market === 0 ? undefined : command.market;
    case 'CancelOrder':
    case 'AmendOrder':
      return marketOfOrder(command, engine);
    default:
      return undefined;
  }
}

type NamedOrder = Extract<Command, { type: 'CancelOrder' | 'AmendOrder' }>;

function marketOfOrder({ account, orderId, clientOrderId }: NamedOrder, engine: Engine): MarketId | undefined {
  for (const fact of engine.facts()) {
    if (fact.type !== 'OrderAccepted' || fact.account !== account) continue;
    if (orderId === 0 ? fact.clientOrderId === clientOrderId : fact.orderId === orderId) return fact.market;
  }
  return undefined;
}
