/** A flow of orders as a busy market sees it, made beforehand by a dry run, so that only applying it is measured. */
import { createEngine } from '@orrery/engine';
import type { Command, Event, PlaceContractOrder, PlaceOrder } from '@orrery/protocol';
import { accountId, assert, lots, marketId, millis, NO_ATOMS, NO_TICKS, ppm, seq, ticks } from '@orrery/units';
import type { AccountId, MarketId, OrderId } from '@orrery/units';
import { opening, openingOfContract } from './opening.ts';
import { pack, type OrderStream } from './order-stream.ts';

const ACCOUNTS = 1_000;
const MARKET = marketId(1);
const CONTRACT = marketId(2);
const MID = 1_000_000;
const SPREAD = 200;
const MOST_RESTING = 20_000;
/** A contract is open while its last round of prices is no older than 30 s, and each command takes a millisecond here. */
const ROUND_EVERY = 10_000;
const ROUND: Command = {
  type: 'SubmitPrices',
  market: CONTRACT,
  index: ['one', 'two', 'three'].map((source) => ({ source, price: ticks(MID), ageMs: 0, weight: 1 })),
  external: [],
};

export interface BusyOptions {
  readonly seed: number;
  readonly commands: number;
}

export function busyStream(options: BusyOptions): OrderStream {
  const prelude = [...opening({ accounts: ACCOUNTS, markets: 1 })];
  return { prelude, orders: pack(busyCommands(prelude, options, limitOrder)) };
}

/** The same flow in a contract, where each trade changes two positions. */
export function busyContractStream(options: BusyOptions): OrderStream {
  const rounds = [1, 2, 3].map(() => ROUND);
  const prelude = [...opening({ accounts: ACCOUNTS, markets: 1 }), ...openingOfContract(CONTRACT, ACCOUNTS), ...rounds];
  return { prelude, orders: pack(busyCommands(prelude, options, contractOrder)) };
}

function* busyCommands(
  prelude: readonly Command[],
  options: BusyOptions,
  orderBy: (below: (limit: number) => number) => Command,
): Generator<Command> {
  const below = chanceFrom(options.seed);
  const engine = createEngine();
  let next = 0;
  const apply = (command: Command): readonly Event[] => {
    next += 1;
    return engine.apply({ seq: seq(next), at: millis(next), command });
  };
  for (const command of prelude) apply(command);
  const open = new OpenBook();
  for (let made = 0; made < options.commands; made += 1) {
    if (orderBy === contractOrder && made % ROUND_EVERY === ROUND_EVERY - 1) {
      apply(ROUND);
      yield ROUND;
      continue;
    }
    const command = open.size > 0 && (open.size > MOST_RESTING || below(100) < 25) ? open.cancelOne(below) : orderBy(below);
    for (const event of apply(command)) open.follow(event);
    yield command;
  }
}

/** Which orders stand in the book, to be cancelled. */
class OpenBook {
  readonly #owners = new Map<OrderId, AccountId>();
  readonly #candidates: OrderId[] = [];

  get size(): number {
    return this.#owners.size;
  }

  follow(event: Event): void {
    assert(event.type !== 'CommandRejected', 'the flow has only commands that are accepted');
    if (event.type === 'OrderClosed') this.#owners.delete(event.orderId);
    if (event.type !== 'OrderRested') return;
    this.#owners.set(event.orderId, event.account);
    this.#candidates.push(event.orderId);
  }

  cancelOne(below: (limit: number) => number): Command {
    for (;;) {
      const index = below(this.#candidates.length);
      const orderId = this.#candidates[index];
      const last = this.#candidates.pop();
      assert(orderId !== undefined && last !== undefined, 'there is an order to cancel');
      if (index < this.#candidates.length) this.#candidates[index] = last;
      const account = this.#owners.get(orderId);
      if (account !== undefined) return { type: 'CancelOrder', account, orderId, clientOrderId: '' };
    }
  }
}

function limitOrder(below: (limit: number) => number): PlaceOrder {
  const side = below(2) === 0 ? 'buy' : 'sell';
  const away = below(SPREAD) - SPREAD / 4;
  return {
    type: 'PlaceOrder',
    account: accountId(1 + below(ACCOUNTS)),
    market: MARKET,
    clientOrderId: '',
    side,
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(side === 'buy' ? MID - away : MID + away),
    size: lots(1 + below(1_000)),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  };
}

const NO_TRIGGER = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;

function contractOrder(below: (limit: number) => number): PlaceContractOrder {
  return inContract(limitOrder(below), CONTRACT);
}

/** The same order in a contract. */
export const inContract = (order: PlaceOrder, market: MarketId): PlaceContractOrder => ({
  ...order,
  type: 'PlaceContractOrder',
  market,
  contract: { positionSide: 'both', reduceOnly: false, closePosition: false, triggerBy: 'last', trailingPpm: ppm(0), source: 'plain' },
  takeProfit: NO_TRIGGER,
  stopLoss: NO_TRIGGER,
});

/** Whole numbers from 0 and below a limit; the same seed, the same numbers (mulberry32). */
function chanceFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}
