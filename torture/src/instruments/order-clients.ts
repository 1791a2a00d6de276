/** Traders who place orders at either of several gateways, ask again for what they got no answer to, and read all of their history at the end. */
import { setTimeout as pause } from 'node:timers/promises';
import { contract, type CreateOrder } from '@orrery/api';
import { ApiKeyCredentials, CallError, type Client, ConnectionError, createClient } from '@orrery/sdk';
import { callOnce, type Transport } from '../../../clients/sdk/src/transport.ts';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import type { TraderKey } from '../program/serve-traders.ts';
import type { Asked, History, Outcome } from './asked-at-gateways.ts';

/** Longer than a gateway waits for a heart. */
const DEADLINE_MS = 8_000;
const PAUSE_MS = 80;
const PAGE = 100;
const TOO_MANY = 429;

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

  constructor(key: TraderKey, parts: { trader: number; urls: readonly string[]; chance: Chance; market: Market }) {
    const credentials = new ApiKeyCredentials(key);
    this.#transports = parts.urls.map((baseUrl) => ({ baseUrl, credentials, timeoutMs: DEADLINE_MS }));
    this.clients = this.#transports.map((transport) => createClient(transport));
    this.#trader = parts.trader;
    this.#chance = parts.chance;
    this.#market = parts.market;
  }

  /** Until it is over and nothing is left that is not known. */
  async trade(isOver: () => boolean): Promise<void> {
    this.#before = await this.#balances();
    for (;;) {
      const unknown = this.asked.find(({ outcome }) => outcome.kind === 'unknown');
      if (isOver() && unknown === undefined) return;
      if (unknown !== undefined && (isOver() || this.#chance.oneIn(2))) await this.#askAgain(unknown);
      else if (this.#chance.oneIn(20)) await this.#cancelAll();
      else await this.#askFor();
      await pause(PAUSE_MS);
    }
  }

  /** Read at one gateway; the open orders are those of all of them. */
  async history(): Promise<History> {
    const open = await Promise.all(this.clients.map((client) => allOf((page) => client.openOrders({ page, size: PAGE }))));
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

  async #balances(): Promise<Readonly<Record<string, string>>> {
    const held = await patiently(() => this.#chance.pick(this.clients).balances({ account: 'spot' }));
    return Object.fromEntries(held.map(({ coin, balance }) => [coin, balance]));
  }

  async #askFor(): Promise<void> {
    const clientOrderId = `e30-${this.#trader}-${this.asked.length}`;
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
  }

  /** A refusal for now leaves open what became of the first call; the others are of the order itself. */
  async #askAgain(asked: Asked): Promise<void> {
    asked.repeats += 1;
    const outcome = await this.#place(asked);
    if (outcome.kind === 'taken' || (outcome.kind === 'refused' && !isForNow(outcome.reason))) settle(asked, outcome);
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
      const ids = await this.#chance.pick(this.clients).cancelAllOrders({ symbol: this.#market.symbol });
      this.#cancelled.push(...ids);
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

const FOR_NOW = new Set(['Overloaded', 'DiskFull', 'NotNow', 'RateLimited']);
const isForNow = (reason: string): boolean => FOR_NOW.has(reason);

function outcomeOf(error: unknown): Outcome {
  if (error instanceof ConnectionError) return { kind: 'unknown' };
  if (!(error instanceof CallError)) throw error;
  const reason = error.status === TOO_MANY ? 'RateLimited' : (error.reason ?? String(error.status));
  return error.outcomeUnknown ? { kind: 'unknown' } : { kind: 'refused', reason };
}

function settle(asked: Asked, outcome: Outcome): void {
  asked.outcome = outcome;
  asked.answeredAt = performance.now();
}

/** Of an order that closes between two reads both are the same one. */
const distinct = <Item extends { readonly orderId: string }>(orders: readonly Item[]): readonly Item[] => [
  ...new Map(orders.map((order) => [order.orderId, order])).values(),
];

async function patiently<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof CallError) || (error.status !== TOO_MANY && error.status < 500)) throw error;
      await pause(error.retryAfterMs ?? PAUSE_MS);
    }
  }
}

async function allOf<Item>(
  read: (page: number) => Promise<{ readonly items: readonly Item[]; readonly total: number }>,
): Promise<readonly Item[]> {
  const all: Item[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await patiently(() => read(page));
    all.push(...items);
    if (items.length === 0 || all.length >= total) return all;
  }
}

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
