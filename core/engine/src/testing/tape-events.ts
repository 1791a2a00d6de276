/** Events as a tape writes them: short, without the balances, which a tape names where they matter. */
import type { Event } from '@orrery/protocol';
import { printOtcEvent } from './tape-otc.ts';

export function printEvents(events: readonly Event[]): string {
  const emitted = events.map((event) => printEvent(event, takerOf(events))).filter((text) => text !== '');
  return emitted.length === 0 ? 'nothing' : emitted.join(', ');
}

/** The order that the command brought, which its own lines need not name. */
function takerOf(events: readonly Event[]): number {
  const accepted = events.find((event) => event.type === 'OrderAccepted');
  return accepted?.type === 'OrderAccepted' ? accepted.orderId : 0;
}

function printEvent(event: Event, own: number): string {
  const named = (id: number, text: string): string => (id === own ? text : `#${id} ${text}`);
  switch (event.type) {
    case 'CommandRejected':
      return `rejected ${event.reason}${event.field === '' ? '' : ` ${event.field}`}`;
    case 'CommandRepeated':
      return `repeated ${event.key.startsWith('0x') ? 'withdrawal' : event.key}`;
    case 'OrderAccepted':
      return `accepted #${event.orderId}`;
    case 'OrderRepeated':
      return `repeated #${event.orderId}`;
    case 'OrderRested':
      return named(event.orderId, `rested ${event.remaining}`);
    case 'OrderArmed':
      return named(event.orderId, 'armed');
    case 'OrderTriggered':
      return `#${event.orderId} triggered by ${event.lastPrice}`;
    case 'TrailingStarted':
      return `#${event.orderId} follows from ${event.lastPrice}`;
    case 'OrderReduced':
      return `#${event.orderId} reduced to ${event.remaining}`;
    case 'OrderAmended':
      return `#${event.orderId} amended to ${event.size} @ ${event.price}${event.keepsPlace ? ' in its place' : ''}`;
    case 'Trade': {
      const taker = event.takerOrderId === own ? '' : ` by #${event.takerOrderId}`;
      return `trade ${event.size} @ ${event.price} with #${event.makerOrderId}${taker}`;
    }
    case 'OrderClosed':
      return named(event.orderId, event.reason);
    case 'BalanceChanged':
      return '';
    case 'DepositCredited':
      return event.suspended ? 'suspended' : `credited ${event.amount}`;
    case 'DepositSuspended':
      return `suspended ${event.amount} (${event.fromFunding} + ${event.fromSpot} + ${event.fromFutures})`;
    case 'CoinFuturesSuspended':
      return `${event.amount} of it from coinFutures`;
    case 'DepositWrittenOff': {
      const { fromFunding, fromSpot, fromFutures, fromCoinFutures } = event;
      const house = `${event.fromInsurance} of insurance, ${event.uncovered} uncovered`;
      return `written off ${event.amount} (${event.fromSuspense} suspended, ${fromFunding} + ${fromSpot} + ${fromFutures} + ${fromCoinFutures}; ${house})`;
    }
    case 'WriteOffRepaid':
      return `the exchange has ${event.amount} back`;
    case 'InsuranceChanged':
      return `insurance ${event.amount}`;
    case 'AccountFlagSet':
      return `${event.flag} ${event.value ? 'on' : 'off'}`;
    case 'OutflowChanged':
      return `outflow ${event.amount}`;
    case 'QuotaUsed':
      return `quota used ${event.worth}`;
    case 'TriggerAmended':
      return `#${event.orderId} amended to ${event.size} @ ${event.price === 0 ? 'market' : event.price} stop ${event.triggerPrice}`;
    case 'TriggerStalled':
      return `#${event.orderId} waits on for ${event.remaining}: ${event.reason}`;
    case 'ProtectionSet':
      return `${event.scope} protected by #${event.takeProfit} and #${event.stopLoss}`;
    case 'PositionsClosed':
      return `closed all, left ${event.left.map(({ size, orderId }) => `${size} by #${orderId}`).join(' and ') || 'nothing'}`;
    case 'CancelScheduled':
      return event.at === 0 ? 'no cancel scheduled' : `cancel scheduled at ${event.at}`;
    case 'TwapAdvanced':
      return `TWAP has ${event.filled}`;
    case 'TwapClosed':
      return `TWAP ${event.reason} ${event.filled}`;
    case 'MarketStateChanged':
      return event.state;
    default:
      return printOtcEvent(event) ?? event.type;
  }
}
