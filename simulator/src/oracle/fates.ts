/** What became of orders, by kind: so that a fate that no order ever met is seen. */
import type { Event, Order, SpotOrderTerms } from '@orrery/protocol';
import type { OrderId } from '@orrery/units';
import type { Meters } from '../meters.ts';

export class Fates {
  readonly #meters: Meters;
  readonly #open = new Map<OrderId, Order>();

  constructor(meters: Meters) {
    this.#meters = meters;
  }

  hear(events: readonly Event[]): void {
    for (const event of events) this.#one(event);
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'CommandRejected':
        return this.#meters.count(`rejected ${event.reason}`);
      case 'OrderAccepted':
        this.#open.set(event.orderId, event);
        return;
      case 'OrderRested':
        return this.#count(event.orderId, 'rested');
      case 'OrderTriggered':
        return this.#count(event.orderId, 'triggered');
      case 'TrailingStarted':
      case 'TriggerStalled':
        return this.#meters.count(event.type);
      case 'OrderReduced':
        return this.#meters.count('order reduced by self-trade prevention');
      case 'OrderAmended':
        return this.#count(event.orderId, event.keepsPlace ? 'amended in its place' : 'amended');
      case 'OrderRepeated':
      case 'CommandRepeated':
      case 'TwapAccepted':
      case 'TwapClosed':
      case 'PositionModeSet':
      case 'FundValued':
      case 'FundValuationMissed':
      case 'FundSubscribed':
      case 'FundRedeemed':
      case 'FundClosing':
        return this.#meters.count(event.type);
      case 'Trade':
        return this.#meters.count('trades');
      case 'LiquidationStep':
        return this.#meters.count(`liquidation ${event.stage}`);
      case 'FundingSettled':
        return this.#meters.count('funding settled');
      case 'PricesSet':
        return this.#meters.count(`prices ${event.state}`);
      case 'PositionReduced':
        return this.#meters.count(`position reduced by ${event.cause}`);
      case 'OtcOrderStepped':
        return this.#meters.count(`OTC order ${event.status}${event.by === 0 ? ' by a timer or an arbiter' : ''}`);
      case 'OtcOrderCreated':
      case 'OtcDecisionAppealed':
      case 'MerchantDeposited':
        return this.#meters.count(event.type);
      case 'OrderClosed':
        this.#count(event.orderId, event.reason);
        this.#open.delete(event.orderId);
        return;
      default:
        return;
    }
  }

  #count(id: OrderId, fate: string): void {
    const order = this.#open.get(id);
    if (order === undefined) return;
    this.#meters.count(`order ${order.orderType} ${order.timeInForce} ${fate}`);
    if (order.spot !== undefined) this.#meters.count(`spot ${kindOf(order.spot)} ${fate}`);
  }
}

/** What the terms of an order of a spot market make of it. */
function kindOf({ parent, group, source, trailingPpm }: SpotOrderTerms): string {
  if (parent !== 0) return 'protection';
  if (group !== 0) return 'pair';
  return trailingPpm > 0 ? 'trailing' : source === 'takeProfit' ? 'take-profit' : 'entry';
}
