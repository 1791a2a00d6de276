/** Traders who place orders at either of several gateways, ask again for what they got no answer to, and read all of their history at the end. */
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { contract, type CreateOrder } from '@orrery/api';
import { ApiKeyCredentials, CallError, type Client, ConnectionError, createClient } from '@orrery/sdk';
import { callOnce, type Transport } from '../../../clients/sdk/src/transport.ts';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { until } from '../../../exchange/e2e/until.ts';
import type { TraderKey } from '../program/serve-traders.ts';
import type { Asked, History, Outcome } from './asked-at-gateways.ts';
import { allPages, patiently } from '../program/patient-reads.ts';

/** Of a call that changes something: longer than a gateway waits for a heart. A read has as long as the SDK gives it. */
const DEADLINE_MS = 8_000;
/** From the end of trade until the outcome of every order is known. */
const SETTLE_MS = 120_000;
const PAUSE_MS = 80;
const PAGE = 100;
const TOO_MANY = 429;
/** Statuses of answers to the try and not to the order: it was not looked at. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([401, 403, TOO_MANY]);

interface Market {
  readonly symbol: string;
  /** About which everybody trades. */
  readonly price: number;
}

export class OrderClient {
  readonly asked: Asked[] = [];
  readonly clients: readonly Client[];
  /** For orders: a client of the SDK would ask again by itself, and what became of each call would not be seen. */
  readonly #transports: readonly Transport[];
  readonly #trader: number;
  readonly #chance: Chance;
  readonly #market: Market;
  readonly #cancelled: string[] = [];
  readonly #orders = new Map<string, CreateOrder>();
  #before: Readonly<Record<string, string>> = {};
  #takenAtOnce = 0;
  #isAbandoned = false;

  constructor(key: TraderKey, parts: { trader: number; urls: readonly string[]; chance: Chance; market: Market }) {
    const credentials = new ApiKeyCredentials(key);
    this.#transports = parts.urls.map((baseUrl) => ({ baseUrl, credentials, timeoutMs: DEADLINE_MS }));
    this.clients = parts.urls.map((baseUrl) => createClient({ baseUrl, credentials }));
    this.#trader = parts.trader;
    this.#chance = parts.chance;
    this.#market = parts.market;
  }

  /** How many of its orders were taken at the first try. */
  get takenAtOnce(): number {
    return this.#takenAtOnce;
  }

  /** Those of them that it has asked for after this moment. */
  takenSince(moment: number): readonly Asked[] {
    const first = this.asked.findLastIndex(({ askedAt }) => askedAt <= moment) + 1;
    return this.asked.slice(first).filter(({ repeats, outcome }) => repeats === 0 && outcome.kind === 'taken');
  }

  /** Until it is over and nothing is left that is not known, or `SETTLE_MS` later. */
  async trade(isOver: () => boolean): Promise<void> {
    this.#before = await this.#balancesAtFirst();
    for (let deadline = Infinity; !this.#isAbandoned && performance.now() < deadline; await pause(PAUSE_MS)) {
      const unknown = this.#unknown;
      if (isOver()) {
        if (unknown === undefined) return;
        deadline = Math.min(deadline, performance.now() + SETTLE_MS);
      }
      if (unknown !== undefined && (isOver() || this.#chance.oneIn(2))) await this.#askAgain(unknown);
      else if (this.#chance.oneIn(20)) await this.#cancelAll();
      else await this.#askFor();
    }
  }

  /** One that is refused again and again keeps no other one waiting. */
  get #unknown(): Asked | undefined {
    const unknown = this.asked.filter(({ outcome }) => outcome.kind === 'unknown');
    return unknown.toSorted((one, other) => one.repeats - other.repeats)[0];
  }

  /** The exchange is closed: nothing more is asked for. */
  abandon(): void {
    this.#isAbandoned = true;
  }

  /** Read at one gateway; the open orders are those of all of them. */
  async history(): Promise<History> {
    const open = await Promise.all(this.clients.map((client) => allPages((page) => client.openOrders({ page, size: PAGE }))));
    const [client] = this.clients;
    if (client === undefined) throw new Error('there are gateways');
    const over = await allByCursor((id) => client.orderHistory({ size: PAGE, ...id }));
    const fills = await allByCursor((id) => client.fills({ size: PAGE, ...id }));
    return {
      trader: this.#trader,
      orders: distinct([...open.flat(), ...over]),
      fills,
      before: this.#before,
      after: await this.#balances(),
      cancelled: this.#cancelled,
      open: open.flat().map(({ orderId }) => orderId),
    };
  }

  async #balances(client = this.#chance.pick(this.clients)): Promise<Readonly<Record<string, string>>> {
    const held = await patiently(() => client.balances({ account: 'spot' }));
    return Object.fromEntries(held.map(({ coin, balance }) => [coin, balance]));
  }

  /** One gateway may know of the money later than another one. */
  #balancesAtFirst(): Promise<Readonly<Record<string, string>>> {
    return until('every gateway knows of the money', async () => {
      const [held, ...others] = await Promise.all(this.clients.map((client) => this.#balances(client)));
      const isThere = held !== undefined && Object.keys(held).length > 0;
      return isThere && others.every((other) => isDeepStrictEqual(held, other)) ? held : undefined;
    });
  }

  async #askFor(): Promise<void> {
    const clientOrderId = `order-${this.#trader}-${this.asked.length}`;
    const asked: Asked = {
      trader: this.#trader,
      clientOrderId,
      askedAt: performance.now(),
      answeredAt: 0,
      outcome: { kind: 'unknown' },
      repeats: 0,
    };
    this.#orders.set(clientOrderId, this.#draw(clientOrderId));
    this.asked.push(asked);
    settle(asked, await this.#place(asked));
    if (asked.outcome.kind === 'taken') this.#takenAtOnce += 1;
  }

  /** A refusal of the try alone leaves open what became of the first call; the others are of the order itself. */
  async #askAgain(asked: Asked): Promise<void> {
    asked.repeats += 1;
    const outcome = await this.#place(asked);
    if (outcome.kind === 'taken' || (outcome.kind === 'refused' && !outcome.isOfTry)) settle(asked, outcome);
  }

  async #place({ clientOrderId }: Asked): Promise<Outcome> {
    const order = this.#orders.get(clientOrderId);
    if (order === undefined) throw new Error(`${clientOrderId} was never drawn`);
    try {
      return { kind: 'taken', orderId: String(await callOnce(this.#chance.pick(this.#transports), contract.createOrder, order)) };
    } catch (error) {
      return outcomeOf(error);
    }
  }

  async #cancelAll(): Promise<void> {
    try {
      const transport = this.#chance.pick(this.#transports);
      const ids = await callOnce(transport, contract.cancelAllOrders, { symbol: this.#market.symbol });
      this.#cancelled.push(...(ids as readonly string[]));
    } catch (error) {
      outcomeOf(error);
    }
  }

  #draw(clientOrderId: string): CreateOrder {
    const chance = this.#chance;
    const { symbol, price } = this.#market;
    return {
      symbol,
      tradeType: 'LIMIT',
      direction: chance.pick(['BUY', 'SELL']),
      price: String(price + chance.between(-5, 5)),
      totalAmount: `0.00${chance.between(1, 9)}`,
      clientOrderId,
    };
  }
}

/** Of the orders asked for since then, the one that was answered first of those that were taken at once. */
export const firstSince = (clients: readonly OrderClient[], since: number): Asked | undefined =>
  clients.flatMap((client) => client.takenSince(since)).toSorted((left, right) => left.answeredAt - right.answeredAt)[0];

export function factsOf(clients: readonly OrderClient[]): Record<string, number> {
  const asked = clients.flatMap((client) => client.asked);
  const count = (kind: string): number => asked.filter(({ outcome }) => outcome.kind === kind).length;
  return {
    taken: count('taken'),
    refused: count('refused'),
    'without an answer at first': asked.filter(({ repeats }) => repeats > 0).length,
    'never known': count('unknown'),
  };
}

const FOR_NOW: ReadonlySet<string> = new Set(['Overloaded', 'DiskFull', 'NotNow']);

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ConnectionError) return { kind: 'unknown' };
  if (!(error instanceof CallError)) throw error;
  const reason = error.status === TOO_MANY ? 'RateLimited' : (error.reason ?? String(error.status));
  const isOfTry = NOT_ALLOWED.has(error.status) || FOR_NOW.has(reason);
  return error.outcomeUnknown ? { kind: 'unknown' } : { kind: 'refused', reason, isOfTry };
}

function settle(asked: Asked, outcome: Outcome): void {
  asked.outcome = outcome;
  asked.answeredAt = performance.now();
}

/** Of an order that closes between two reads both are the same one. */
const distinct = <Item extends { readonly orderId: string }>(orders: readonly Item[]): readonly Item[] => [
  ...new Map(orders.map((order) => [order.orderId, order])).values(),
];

interface Read<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

async function allByCursor<Item>(read: (from: { readonly id?: string }) => Promise<Read<Item>>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let id: string | null | undefined; ;) {
    const { items, next } = await patiently(() => read(typeof id === 'string' ? { id } : {}));
    all.push(...items);
    if (next === null) return all;
    id = next;
  }
}
