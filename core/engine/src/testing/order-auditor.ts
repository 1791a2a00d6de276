/** Follows the facts of one exchange and asserts what holds of every order's life, whatever the engine thought. */
import { assert, lots, ppm, type Atoms, type OrderId, type Ticks } from '@orrery/units';
import type { Event, Market, Order, Trade } from '@orrery/protocol';
import { stopDirection } from '@orrery/rules';

interface Life {
  /** As it is: the size of an order that triggers is cut to its position. */
  order: Order;
  state: 'accepted' | 'amended' | 'armed' | 'triggered' | 'stalled' | 'rested' | 'paused';
  filled: number;
  filledNotional: bigint;
  /** Still in the book. */
  standing: number;
  /** Taken off its size while it stood. */
  reduced: number;
}

/** What an order may be between two commands. */
const RESTING_STATES: readonly Life['state'][] = ['armed', 'stalled', 'rested', 'paused'];

export class OrderAuditor {
  readonly #markets = new Map<number, Market>();
  readonly #open = new Map<OrderId, Life>();
  #closed = 0;

  follow(events: readonly Event[]): void {
    if (events[0]?.type === 'CommandRejected') assert(events.length === 1, 'a refused command emits nothing else');
    for (const event of events) this.#one(event);
    for (const life of this.#open.values()) {
      assert(RESTING_STATES.includes(life.state), `O5: order ${life.order.orderId} waits or is over after its command`);
    }
  }

  #one(event: Event): void {
    switch (event.type) {
      case 'MarketRegistered':
        this.#markets.set(event.market, event);
        return;
      case 'MarketTermsChanged': {
        const { type: _, ...changed } = event;
        this.#markets.set(event.market, { ...this.#markets.get(event.market)!, ...changed });
        return;
      }
      case 'OrderAccepted':
        assert(event.orderId === this.#open.size + this.#closed + 1, 'order ids count up');
        this.#open.set(event.orderId, { order: event, state: 'accepted', filled: 0, filledNotional: 0n, standing: 0, reduced: 0 });
        return;
      case 'OrderArmed':
        return this.#step(event.orderId, ['accepted', 'stalled'], 'armed');
      case 'TriggerStalled': {
        this.#step(event.orderId, ['triggered', 'amended', 'stalled', 'paused'], 'stalled');
        const life = this.#life(event.orderId);
        assert(event.filled === life.filled && event.filledNotional === life.filledNotional, 'O1: it waits on as it is');
        // One that trailed stands at the price that reached it.
        const { contract, spot, size, side } = life.order;
        const still = { trailingPpm: ppm(0), triggerDirection: stopDirection(side) };
        life.order = {
          ...life.order,
          triggerPrice: event.triggerPrice,
          ...(size > 0 && { size: lots(event.filled + event.remaining) }),
          ...(contract !== undefined && contract.trailingPpm > 0 && { contract: { ...contract, ...still } }),
          ...(spot !== undefined && spot.trailingPpm > 0 && { spot: { ...spot, ...still } }),
        };
        return;
      }
      case 'TrailingStarted': {
        const { spot } = this.#life(event.orderId).order;
        assert(this.#life(event.orderId).state === 'armed' && spot !== undefined, 'O10: what begins to follow waits');
        const isThere =
          spot.triggerDirection === 'rise' ? event.lastPrice >= spot.activationPrice : event.lastPrice <= spot.activationPrice;
        assert(isThere && spot.triggerDirection !== 'none', 'O10: it follows from its activation price on, once');
        this.#life(event.orderId).order = { ...this.#life(event.orderId).order, spot: { ...spot, triggerDirection: 'none' } };
        return;
      }
      case 'OrderTriggered': {
        // O10: only from armed, so once; one that could not act is tried again.
        this.#step(event.orderId, ['armed', 'stalled'], 'triggered');
        const { order } = this.#life(event.orderId);
        assert(isReached(order, event.lastPrice), 'O10: its price was reached');
        return;
      }
      case 'TriggerAmended': {
        const life = this.#life(event.orderId);
        life.order = { ...life.order, triggerPrice: event.triggerPrice, price: event.price, size: event.size };
        return;
      }
      case 'OrderRested': {
        this.#step(event.orderId, ['accepted', 'amended', 'triggered', 'paused'], 'rested');
        const life = this.#life(event.orderId);
        assert(life.order.timeInForce === 'GTC' || life.order.timeInForce === 'GTX', 'O5: nothing of an IOC or FOK order rests');
        assert(
          event.price === life.order.price && event.filled === life.filled && event.filledNotional === life.filledNotional,
          'O1: it rests as it is',
        );
        life.standing = event.remaining;
        return;
      }
      case 'OrderPaused': {
        this.#step(event.orderId, ['accepted', 'amended', 'triggered', 'paused'], 'paused');
        const { filled, filledNotional } = this.#life(event.orderId);
        assert(event.filled === filled && event.filledNotional === filledNotional, 'O1: it goes on as it is');
        return;
      }
      case 'OrderReduced': {
        const life = this.#life(event.orderId);
        life.standing -= event.reducedBy;
        life.reduced += event.reducedBy;
        assert(life.standing === event.remaining && event.remaining > 0, 'O1: a reduced order still stands');
        return;
      }
      case 'OrderAmended': {
        const life = this.#life(event.orderId);
        assert(life.state === 'rested' && event.oldPrice === life.order.price, 'O1: what is amended rests');
        life.standing -= event.removed;
        assert(
          life.standing === (event.keepsPlace ? event.remaining : 0),
          'O1: an amended order stands with what is left of it, or not at all',
        );
        assert(
          life.filled + event.remaining <= event.size && event.remaining > 0,
          'O1: the size of an amended order includes what it filled',
        );
        life.order = { ...life.order, clientOrderId: event.clientOrderId, price: event.price, size: event.size };
        life.reduced = 0;
        if (!event.keepsPlace) life.state = 'amended';
        return;
      }
      case 'Trade':
        return this.#trade(event);
      case 'OrderClosed':
        return this.#close(event);
      default:
        return;
    }
  }

  #trade(trade: Trade): void {
    const taker = this.#life(trade.takerOrderId);
    const maker = this.#life(trade.makerOrderId);
    assert(trade.takerAccount !== trade.makerAccount, 'O6: nobody trades with oneself');
    assert(trade.price === maker.order.price, 'O4: a trade prints at the maker price');
    assert(notWorse(trade.price, taker.order), 'O4: no fill is worse than the limit');
    assert(maker.state === 'rested' && taker.state !== 'rested' && taker.state !== 'armed', 'O1: a maker stands, a taker comes');
    assert(taker.order.timeInForce !== 'GTX', 'O5: a post-only order never takes');
    this.#feesOf(trade);
    for (const life of [taker, maker]) {
      life.filled += trade.size;
      life.filledNotional += trade.notional;
    }
    maker.standing -= trade.size;
    assert(maker.standing === trade.makerRemaining, 'O1: the maker has what the trade says');
  }

  /** M6. */
  #feesOf(trade: Trade): void {
    if (!this.#markets.has(trade.market)) {
      assert(trade.takerFee >= 0n && trade.makerFee + trade.takerFee >= 0n, 'M6: a rebate is no more than the taker fee of its trade');
      return;
    }
    const { terms, received } = this.#terms(trade);
    assert(isFee(trade.takerFee, received.taker, terms.takerFeePpm), 'M6: the taker fee is its rate of what is received, rounded up');
    assert(isFee(trade.makerFee, received.maker, terms.makerFeePpm), 'M6: the maker fee is its rate of what is received, rounded up');
  }

  #terms(trade: Trade): { terms: Market; received: { taker: bigint; maker: bigint } } {
    const terms = this.#markets.get(trade.market)!;
    const base = BigInt(trade.size) * terms.lotAtoms;
    const quote = BigInt(trade.price) * BigInt(trade.size) * terms.tickLotAtoms;
    assert(trade.notional === quote, 'the notional is exact');
    return { terms, received: trade.takerSide === 'buy' ? { taker: base, maker: quote } : { taker: quote, maker: base } };
  }

  #close(event: Extract<Event, { type: 'OrderClosed' }>): void {
    const { order, filled, filledNotional, standing, reduced } = this.#life(event.orderId);
    assert(event.filled === filled && event.filledNotional === filledNotional, 'O1: it closes with what it traded');
    assert(event.removed === standing, 'O1: its closing takes away what stands');
    assert(order.size === 0 || filled <= order.size, 'O1: no order trades more than its size');
    const isWhole = filled === order.size || filled === order.size - reduced;
    assert(event.reason !== 'filled' || order.size === 0 || isWhole, 'O1: filled is filled whole');
    const fillsOrKills = order.timeInForce === 'FOK' && filled > 0 && order.size > 0;
    assert(!fillsOrKills || filled === order.size, 'O5: a FOK order fills whole or not at all');
    this.#open.delete(event.orderId);
    this.#closed += 1;
  }

  /** The order, which must be open: what is over is over. */
  #life(id: OrderId): Life {
    const life = this.#open.get(id);
    assert(life !== undefined, `O1: order ${id} is open`);
    return life;
  }

  #step(id: OrderId, from: readonly Life['state'][], to: Life['state']): void {
    const life = this.#life(id);
    assert(from.includes(life.state), `O1: order ${id} does not go from ${life.state} to ${to}`);
    life.state = to;
  }
}

function notWorse(price: Ticks, { side, price: limit }: Order): boolean {
  return limit === 0 || (side === 'buy' ? price <= limit : price >= limit);
}

/** A trailing stop has no trigger price of its own. */
function isReached({ side, triggerPrice, contract, spot }: Order, price: Ticks): boolean {
  const terms = contract ?? spot;
  if (terms !== undefined && terms.trailingPpm > 0) return true;
  const rises = terms === undefined ? side === 'buy' : terms.triggerDirection === 'rise';
  return rises ? price >= triggerPrice : price <= triggerPrice;
}

/** At least the exact rate, and less than one atom more. */
function isFee(fee: Atoms, received: bigint, ratePpm: number): boolean {
  const exact = received * BigInt(ratePpm);
  return fee * 1_000_000n >= exact && fee * 1_000_000n < exact + 1_000_000n && fee <= received;
}
