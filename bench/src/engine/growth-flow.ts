/**
 * Orders for an exchange that stays as large as it is: of four commands one rests an order away from the middle, one cancels such an order,
 * and two trade with each other in the middle. Nothing is ever refused, so the ids of orders are known beforehand.
 */
import type { Command, PlaceOrder, Side } from '@orrery/protocol';
import { accountId, lots, marketId, NO_ATOMS, NO_TICKS, orderId, ppm, ticks } from '@orrery/units';
import type { AccountId } from '@orrery/units';
import { Random } from '../book/random.ts';
import { opening } from './opening.ts';

export interface Size {
  readonly resting: number;
  readonly accounts: number;
  readonly markets: number;
}

const MIDDLE = 1_000_000;
/** The maximum distance of a resting order from the mid price, in ticks. */
const FURTHEST = 5_000;

export class GrowthFlow {
  readonly #size: Size;
  readonly #random = new Random(42);
  /** Ids of the orders that rest. */
  readonly #resting: Int32Array;
  #lastId = 0;

  constructor(size: Size) {
    this.#size = size;
    this.#resting = new Int32Array(size.resting);
  }

  /** Opens the exchange and fills its books. */
  *prelude(): Generator<Command> {
    yield* opening(this.#size);
    for (let place = 0; place < this.#size.resting; place += 1) yield this.#rest(place);
  }

  *orders(count: number): Generator<Command> {
    for (let made = 0; made < count; made += 4) {
      const place = this.#random.below(this.#size.resting);
      const leaving = this.#resting[place] ?? 0;
      yield { type: 'CancelOrder', account: this.#accountOf(leaving), orderId: orderId(leaving), clientOrderId: '' };
      yield this.#rest(place);
      const market = 1 + this.#random.below(this.#size.markets);
      yield this.#order({ id: this.#newId(), market, side: 'sell', price: MIDDLE });
      yield this.#order({ id: this.#newId(), market, side: 'buy', price: MIDDLE });
    }
  }

  #rest(place: number): PlaceOrder {
    const id = this.#newId();
    this.#resting[place] = id;
    const side = this.#random.bit() ? 'buy' : 'sell';
    const away = 1 + this.#random.below(FURTHEST);
    return this.#order({ id, market: 1 + (id % this.#size.markets), side, price: side === 'buy' ? MIDDLE - away : MIDDLE + away });
  }

  #newId(): number {
    this.#lastId += 1;
    return this.#lastId;
  }

  /** Neighbouring ids belong to accounts far apart, and two of one trade never to the same. */
  #accountOf(id: number): AccountId {
    return accountId(1 + ((id * 7_919) % this.#size.accounts));
  }

  #order({ id, market, side, price }: { id: number; market: number; side: Side; price: number }): PlaceOrder {
    return {
      type: 'PlaceOrder',
      account: this.#accountOf(id),
      market: marketId(market),
      clientOrderId: '',
      side,
      orderType: 'limit',
      timeInForce: 'GTC',
      price: ticks(price),
      size: lots(100),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
    };
  }
}
