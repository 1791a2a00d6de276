/** Who has an order that could not act, though its price was reached, is informed once for each reason: a site message, wherever he is. */
import type { Event, Order, TriggerStalled } from '@orrery/protocol';
import type { Moment } from '@orrery/views';
import type { Floor, FloorListener } from '../floor.ts';
import type { AccountNews, MessageNews, NewsSource } from '../ports.ts';
import { stallText } from './stall-text.ts';

export class StallNews implements NewsSource, FloorListener {
  readonly #floor: Floor;
  readonly #listeners = new Set<(news: AccountNews | MessageNews) => void>();

  constructor(floor: Floor) {
    this.#floor = floor;
    floor.listen(this);
  }

  onNews(listener: (news: AccountNews | MessageNews) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  change(event: Event, moment: Moment): void {
    if (event.type === 'TriggerStalled') this.#announce(event, moment);
  }

  settled(): void {
    // Each is announced when it happens.
  }

  #announce({ account, orderId, market, reason, filled }: TriggerStalled, { at, seq }: Moment): void {
    const order = this.#floor.orders.find(orderId)?.order;
    const terms = this.#floor.contracts.contract(market)?.contract ?? this.#floor.markets.market(market)?.market;
    if (order === undefined || terms === undefined) return;
    const what = sourceOf(order) === 'takeProfit' ? 'take-profit' : 'stop';
    const data = {
      id: `stall:${orderId}:${seq}`,
      title: `${terms.symbol}: your ${what} could not act${filled === 0 ? '' : ' on all of it'}`,
      content: `${capital(stallText(reason, order, terms))}. It stands, and is tried again while its price is reached.`,
      aggType: 'NOTICE',
      detailType: 'ORDER',
      createdTime: at,
    } as const;
    for (const listener of this.#listeners) listener({ account, resType: 'znxMessage', data });
  }
}

const sourceOf = ({ contract, spot }: Order): string | undefined => (contract ?? spot)?.source;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
