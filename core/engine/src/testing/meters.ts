/** Counts what random commands came to, so that a test that never went where it should is seen to fail. */
import type { Event, Order, Sequenced } from '@orrery/protocol';
import type { OrderId } from '@orrery/units';

export class Meters {
  readonly #counts = new Map<string, number>();
  readonly #orders = new Map<OrderId, Order>();

  follow({ command }: Sequenced, events: readonly Event[]): void {
    this.#count(`command ${command.type}`);
    if (command.type === 'ContinueTriggers' && events[0]?.type === 'OrderTriggered') this.#count('triggers continued');
    if (command.type === 'ContinueMatching' && events.some(({ type }) => type === 'Trade')) this.#count('matching continued');
    const isTaken = events[0]?.type !== 'CommandRejected';
    if (command.type === 'PlaceOrders' && command.orders.length > 1) this.#count(isTaken ? 'placed together' : 'a batch refused');
    if (command.type === 'CancelOrders' && command.orderIds.length > 1 && isTaken) this.#count('cancelled together');
    for (const event of events) {
      this.#count(event.type);
      switch (event.type) {
        case 'CommandRejected':
          this.#count(`rejected ${event.reason}`);
          break;
        case 'OrderAccepted':
          this.#orders.set(event.orderId, event);
          break;
        case 'OrderRested':
          this.#order(event.orderId, 'rested');
          break;
        case 'OrderTriggered':
          this.#order(event.orderId, 'triggered');
          break;
        case 'OrderClosed':
          this.#count(`closed ${event.reason}`);
          this.#order(event.orderId, event.reason);
          this.#orders.delete(event.orderId);
          break;
        default:
          break;
      }
    }
  }

  /** The ones of `wanted` that were never counted. */
  zeros(wanted: readonly string[]): readonly string[] {
    return wanted.filter((name) => !this.#counts.has(name));
  }

  print(): string {
    return [...this.#counts]
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, count]) => `${String(count).padStart(9)} ${name}`)
      .join('\n');
  }

  #order(id: OrderId, outcome: string): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    this.#count(`${order.orderType} ${order.timeInForce} ${outcome}`);
    if (outcome === 'selfTrade') this.#count(`selfTrade ${order.selfTradePrevention}`);
  }

  #count(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}
