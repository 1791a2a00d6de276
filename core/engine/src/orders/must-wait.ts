/**
 * While an order of a market is unfinished nothing else acts there: the sequencer keeps back what could touch the market until it is done, and what comes all the
 * same is refused. A market that does not trade goes on later: meanwhile its unfinished order is cancelled like any other.
 */
import type { MarketId } from '@orrery/units';
import type { AmendOrder, AmendTrigger, CancelOrder, Command } from '@orrery/protocol';
import type { Listed } from '../instruments/listed-market.ts';
import { ownOrder } from './cancel-order.ts';
import type { OpenOrder } from './open-order.ts';
import type { Trading } from './trading.ts';

/** Whether a command could touch a market in which an order is unfinished. */
export function mustWait(trading: Trading, command: Command): boolean {
  if (trading.matching.size === 0) return false;
  switch (command.type) {
    case 'CancelOrder':
    case 'AmendOrder':
    case 'AmendTrigger':
      return isMatchingOf(trading, command);
    case 'CancelAllOrders':
      return command.market === 0
        ? trading.orders.ofAccounts.of(command.account).some(({ order }) => isMatching(trading, order.market))
        : isMatching(trading, command.market);
    // What may close or trade orders of any market.
    case 'ExpireOrders':
    case 'SetAccountFlag':
      return isAnyMatching(trading, () => true);
    // Of any contract.
    case 'SubmitPrices':
    case 'ContinueLiquidations':
    case 'CloseAllPositions':
    case 'RunTimers':
    case 'SetPositionMode':
    case 'SetCollateral':
      return isAnyMatching(trading, ({ contract }) => contract !== undefined);
    // It is what the others wait for, or ends the waiting.
    case 'ContinueMatching':
    case 'SetMarketState':
    case 'RegisterMarket':
    case 'RegisterContract':
      return false;
    default:
      return 'market' in command && isMatching(trading, command.market);
  }
}

function isMatchingOf(trading: Trading, command: CancelOrder | AmendOrder | AmendTrigger): boolean {
  const open = namedBy(trading, command);
  return open !== undefined && isMatching(trading, open.order.market);
}

function namedBy({ orders }: Trading, command: CancelOrder | AmendOrder | AmendTrigger): OpenOrder | undefined {
  if (command.type !== 'CancelOrder') return ownOrder(orders, command.account, command.orderId);
  const { account, orderId, clientOrderId } = command;
  return orderId === 0 ? orders.named.open(account, clientOrderId) : ownOrder(orders, account, orderId);
}

/** A market that trades and has an unfinished order. */
export function isMatching(trading: Trading, market: MarketId): boolean {
  return trading.matching.has(market) && (trading.markets.get(market) ?? trading.contracts.get(market))?.state === 'TRADING';
}

export function isAnyMatching(trading: Trading, which: (market: Listed) => boolean): boolean {
  for (const market of trading.matching.keys()) {
    const listed = trading.markets.get(market) ?? trading.contracts.get(market);
    if (listed?.state === 'TRADING' && which(listed)) return true;
  }
  return false;
}
