/**
 * The depth of one market: resting size by price level. A snapshot holds exactly the changes up to its `updateId`: a reader that
 * takes one and then every change after it has the same levels at every id that ends an update. Update ids count on by one, and each
 * change has the whole size at its price, not the difference.
 */
import { NO_LOTS, type Lots, type MarketId, type Ticks } from '@orrery/units';
import type { Event, Side } from '@orrery/protocol';
import { DepthSide, type DepthLevel } from './depth-side.ts';
import type { Fold } from './fold.ts';

export interface DepthSnapshot {
  /** The last change that is in it. */
  readonly updateId: number;
  /** Best first. */
  readonly bids: readonly DepthLevel[];
  readonly asks: readonly DepthLevel[];
}

export interface DepthChange {
  readonly updateId: number;
  readonly side: Side;
  readonly price: Ticks;
  /** What stands there now; 0 when nothing does. */
  readonly size: Lots;
}

interface Touched {
  readonly side: Side;
  readonly price: Ticks;
  readonly sizeBefore: Lots;
}

export class DepthView implements Fold {
  readonly market: MarketId;
  readonly #sides: Readonly<Record<Side, DepthSide>> = { buy: new DepthSide('buy'), sell: new DepthSide('sell') };
  /** Levels changed since update ids were last given, with the size that readers know. */
  readonly #touched: Readonly<Record<Side, Map<Ticks, Touched>>> = { buy: new Map(), sell: new Map() };
  /** Changes that have their update ids and are not drained yet. */
  #numbered: DepthChange[] = [];
  #updateId = 0;

  constructor(market: MarketId) {
    this.market = market;
  }

  apply(event: Event): void {
    if (!('market' in event) || event.market !== this.market) return;
    switch (event.type) {
      case 'OrderRested':
        this.#touch(event.side, event.price).add(event.price, event.remaining);
        return;
      case 'Trade': {
        const makers = this.#touch(event.takerSide === 'buy' ? 'sell' : 'buy', event.price);
        makers.take(event.price, { size: event.size, orders: event.makerRemaining === NO_LOTS ? 1 : 0 });
        return;
      }
      case 'OrderReduced':
        this.#touch(event.side, event.price).take(event.price, { size: event.reducedBy, orders: event.remaining === NO_LOTS ? 1 : 0 });
        return;
      case 'OrderAmended':
        if (event.removed !== NO_LOTS)
          this.#touch(event.side, event.oldPrice).take(event.oldPrice, { size: event.removed, orders: event.keepsPlace ? 0 : 1 });
        return;
      case 'OrderClosed':
        if (event.removed !== NO_LOTS) this.#touch(event.side, event.price).take(event.price, { size: event.removed, orders: 1 });
    }
  }

  /** The present levels, and the id of the last change in them: changes not yet drained are given their ids by it. */
  snapshot(limit: number): DepthSnapshot {
    const { buy, sell } = this.#sides;
    this.#number();
    return { updateId: this.#updateId, bids: buy.levels.slice(0, limit), asks: sell.levels.slice(0, limit) };
  }

  best(side: Side): DepthLevel | undefined {
    return this.#sides[side].levels[0];
  }

  /** What readers have not received yet: between two snapshots one change a level, however often it changed. */
  drainChanges(): readonly DepthChange[] {
    this.#number();
    const changes = this.#numbered;
    this.#numbered = [];
    return changes;
  }

  /** Gives each changed level the next update id. */
  #number(): void {
    for (const touched of [this.#touched.buy, this.#touched.sell]) {
      for (const { side, price, sizeBefore } of touched.values()) {
        const size = this.#sides[side].sizeAt(price);
        if (size === sizeBefore) continue;
        this.#updateId += 1;
        this.#numbered.push({ updateId: this.#updateId, side, price, size });
      }
      touched.clear();
    }
  }

  /** Remembers what readers know of a price before it changes. */
  #touch(side: Side, price: Ticks): DepthSide {
    const levels = this.#sides[side];
    const touched = this.#touched[side];
    if (!touched.has(price)) touched.set(price, { side, price, sizeBefore: levels.sizeAt(price) });
    return levels;
  }
}
