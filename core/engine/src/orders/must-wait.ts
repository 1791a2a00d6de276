/**
 * While an order of a market is unfinished nothing else acts there: the sequencer keeps back what could touch the market until it is done, and what comes all the
 * same is refused. A market that does not trade goes on later: meanwhile its unfinished order is cancelled like any other.
 */
import type { MarketId } from '@orrery/units';
import type { CancelOrder, Command, PlaceOrders } from '@orrery/protocol';
import type { Listed } from '../instruments/listed-market.ts';
import { owesFunding } from '../positions/unpaid-funding.ts';
import { ownOrder } from './cancel-order.ts';
import type { OpenOrder } from './open-order.ts';
import type { Trading } from './trading.ts';

/** Whether a command could touch a market in which an order is unfinished. */
export function mustWait(trading: Trading, command: Command): boolean {
  if (command.type === 'PlaceOrders' && owes(trading, command)) return true;
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
    case 'PlaceOrders':
      return command.orders.some(({ market }) => isMatching(trading, market));
    case 'CancelOrders':
      return command.orderIds.some((orderId) => isMatchingOf(trading, { account: command.account, orderId }));
    // What may close or trade orders of any market.
    case 'ExpireOrders':
    case 'SetAccountFlag':
    case 'ValueFund':
    case 'ContinueFund':
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

/** Orders that are placed together are taken back whole when one is refused: what their account owes is paid before. */
const owes = ({ positions }: Trading, { account }: PlaceOrders): boolean =>
  positions.known(account)?.exposures.some(({ rows }) => rows.some((row) => row !== undefined && owesFunding(row))) === true;

type Naming = Pick<CancelOrder, 'account' | 'orderId'> & Partial<Pick<CancelOrder, 'clientOrderId'>>;

function isMatchingOf(trading: Trading, command: Naming): boolean {
  const open = namedBy(trading, command);
  return open !== undefined && isMatching(trading, open.order.market);
}

/** Only a cancel names an order by its client order id. */
function namedBy({ orders }: Trading, { account, orderId, clientOrderId = '' }: Naming): OpenOrder | undefined {
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
