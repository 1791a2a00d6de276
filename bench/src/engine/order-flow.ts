/** A flow of orders as a busy market sees it, made beforehand by a dry run, so that only applying it is measured. */
import { createEngine } from '@orrery/engine';
import type { Command, Event, PlaceOrder, Sequenced } from '@orrery/protocol';
import {
  accountId,
  assert,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  parseAddress,
  ppm,
  seq,
  ticks,
} from '@orrery/units';
import type { AccountId, OrderId } from '@orrery/units';

export interface OrderFlow {
  /** Assets, market, accounts and their money. */
  readonly prelude: readonly Sequenced[];
  readonly commands: readonly Sequenced[];
  readonly orders: number;
  readonly trades: number;
}

const ACCOUNTS = 1_000;
const QUOTE = assetId(1);
const BASE = assetId(2);
const MARKET = marketId(1);
const MID = 1_000_000;
const SPREAD = 200;
const MOST_RESTING = 20_000;
const RICH = atoms(10n ** 18n);

export function generateOrderFlow(options: { readonly seed: number; readonly commands: number }): OrderFlow {
  const below = chanceFrom(options.seed);
  const engine = createEngine();
  const prelude: Sequenced[] = [];
  for (const command of opening()) {
    prelude.push({ seq: seq(prelude.length + 1), at: millis(0), command });
    engine.apply({ seq: seq(prelude.length), at: millis(0), command });
  }
  const commands: Sequenced[] = [];
  const open = new OpenBook();
  let orders = 0;
  let trades = 0;
  while (commands.length < options.commands) {
    const command = open.size > 0 && (open.size > MOST_RESTING || below(100) < 25) ? open.cancelOne(below) : limitOrder(below);
    const sequenced = { seq: seq(prelude.length + commands.length + 1), at: millis(commands.length), command };
    commands.push(sequenced);
    if (command.type === 'PlaceOrder') orders += 1;
    for (const event of engine.apply(sequenced)) {
      open.follow(event);
      if (event.type === 'Trade') trades += 1;
    }
  }
  return { prelude, commands, orders, trades };
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

function* opening(): Generator<Command> {
  yield { type: 'RegisterAsset', asset: QUOTE, code: 'USDC', decimals: 6, kind: 'chain' };
  yield { type: 'RegisterAsset', asset: BASE, code: 'BTC', decimals: 8, kind: 'chain' };
  yield {
    type: 'RegisterMarket',
    market: MARKET,
    symbol: 'BTC_USDC',
    base: BASE,
    quote: QUOTE,
    pricePrecision: 1,
    sizePrecision: 5,
    lotAtoms: atoms(1_000n),
    tickLotAtoms: atoms(1n),
    minPrice: ticks(1),
    maxPrice: ticks(100_000_000),
    minSize: lots(1),
    maxSize: lots(10_000_000),
    minNotional: NO_ATOMS,
    maxNotional: atoms(4_000_000_000_000n),
    makerFeePpm: ppm(500),
    takerFeePpm: ppm(1_000),
    limitBandPpm: ppm(100_000),
    marketBandPpm: ppm(50_000),
    maxOpenOrders: 200,
  };
  for (let id = 1; id <= ACCOUNTS; id += 1) yield* openingOf(accountId(id));
}

function* openingOf(account: AccountId): Generator<Command> {
  const address = parseAddress(`0x${account.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'an address of 40 hex digits');
  yield { type: 'OpenAccount', address };
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
  for (const asset of [QUOTE, BASE]) {
    yield { type: 'CreditDeposit', key: `${account}:${asset}`, address, asset, amount: RICH };
    yield { type: 'Transfer', account, transferId: `${asset}`, asset, amount: RICH, from: 'funding', to: 'spot' };
  }
}

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
