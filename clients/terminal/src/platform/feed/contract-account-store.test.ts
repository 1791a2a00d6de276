/** The account in contracts from its stream, beside a naive twin that keeps lists and is read whole. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FuturesFill, FuturesOwnPush, MarginAccount, OwnFuturesOrder, Position, PositionTerms, Twap } from '@orrery/api';
import { FuturesStream } from '@orrery/sdk';
import { ContractAccountFeed } from './contract-account-feed.ts';
import { changesOf, ContractAccountStore, NO_CONTRACT_ACCOUNT } from './contract-account-store.ts';
import type { ContractAccountView } from './contract-account-store.ts';
import type { OwnMessage, TopicState } from './messages.ts';

type Kind = 'order' | 'plan' | 'stop';
const order = (id: number, kind: Kind, terms: Partial<OwnFuturesOrder> = {}): OwnFuturesOrder =>
  ({
    orderId: String(id),
    state: 'NEW',
    plan: kind === 'plan' ? { entrustId: String(id) } : null,
    profitStop: kind === 'stop' ? { profitId: String(id) } : null,
    ...terms,
  }) as OwnFuturesOrder;
const position = (symbol: string, positionSize: string): Position => ({ symbol, positionSide: 'BOTH', positionSize }) as Position;
const account = (settleCoin: string, walletBalance: string): MarginAccount =>
  ({ underlyingType: 'U_BASED', settleCoin, walletBalance }) as MarginAccount;
const terms = (symbol: string, leverage: number): PositionTerms => ({ symbol, positionSide: 'BOTH', leverage }) as PositionTerms;
const fill = (execId: number): FuturesFill => ({ execId: String(execId) }) as FuturesFill;

function storeAfter(...messages: readonly Parameters<ContractAccountStore['take']>[0][]): ContractAccountStore {
  const store = new ContractAccountStore();
  for (const message of messages) store.take(message);
  return store;
}

describe('the store', () => {
  test('nothing is shown before the whole state has been received once, and no half of it later', () => {
    const store = storeAfter({ kind: 'begin' }, { kind: 'order', order: order(1, 'order') });
    expect(store.get()).toBe(NO_CONTRACT_ACCOUNT);
    store.take({ kind: 'ready' });
    expect(store.get()).toMatchObject({ round: 1, orders: [{ orderId: '1' }] });
    store.take({ kind: 'begin' });
    store.take({ kind: 'order', order: order(2, 'order') });
    expect(store.get().orders).toMatchObject([{ orderId: '1' }]);
    store.take({ kind: 'ready' });
    expect(store.get()).toMatchObject({ round: 2, orders: [{ orderId: '2' }] });
  });

  test('an order is in one list: a plan that acts rests in the book, a stop that is over is nowhere', () => {
    const store = storeAfter(
      { kind: 'begin' },
      { kind: 'order', order: order(1, 'plan') },
      { kind: 'order', order: order(2, 'stop') },
      { kind: 'ready' },
    );
    expect(store.get()).toMatchObject({ orders: [], plans: [{ entrustId: '1' }], stops: [{ profitId: '2' }] });
    store.take({ kind: 'order', order: order(1, 'order') });
    store.take({ kind: 'order', order: order(2, 'order', { state: 'CANCELED' }) });
    expect(store.get()).toMatchObject({ orders: [{ orderId: '1' }], plans: [], stops: [] });
  });

  test('a position without size is closed', () => {
    const store = storeAfter({ kind: 'begin' }, { kind: 'position', position: position('BTC_USDC', '-0.5') }, { kind: 'ready' });
    expect(store.get().positions).toHaveLength(1);
    store.take({ kind: 'position', position: position('BTC_USDC', '0') });
    expect(store.get().positions).toEqual([]);
  });

  test('what did not change stays the same list, so that nobody renders for it', () => {
    const store = storeAfter({ kind: 'begin' }, { kind: 'ready' });
    const before = store.get();
    store.take({ kind: 'account', account: account('USDC', '5') });
    const after = store.get();
    expect(changesOf(before, after)).toEqual({ accounts: [account('USDC', '5')] });
    expect(changesOf(after, store.get())).toBeUndefined();
  });
});

type Row = { readonly topic: FuturesOwnPush['topic']; readonly data: unknown };

/** The exchange as a list of what there is: what changes is sent, and sometimes lost or sent twice. */
class Twin {
  readonly orders = new Map<string, OwnFuturesOrder>();
  readonly positions = new Map<string, Position>();
  readonly accounts = new Map<string, MarginAccount>();
  readonly terms = new Map<string, PositionTerms>();
  readonly twaps = new Map<string, Twap>();
  readonly socket = new EventTarget();
  readonly #chance: () => number;
  #n = 0;
  #isSubscribed = false;
  isFaulty = true;

  constructor(chance: () => number) {
    this.#chance = chance;
  }

  /** All it knows, as the lists of the API would answer it. */
  read(): Partial<ContractAccountView> {
    const newest = [...this.orders.values()].toSorted((left, right) => Number(right.orderId) - Number(left.orderId));
    return {
      orders: newest.flatMap(({ plan, profitStop, ...rest }) => (plan === null && profitStop === null ? [rest] : [])),
      plans: newest.flatMap(({ plan }) => plan ?? []),
      stops: newest.flatMap(({ profitStop }) => profitStop ?? []),
      positions: [...this.positions.values()],
      accounts: [...this.accounts.values()],
      terms: [...this.terms.values()],
      twaps: [...this.twaps.values()],
    };
  }

  hear(text: string): void {
    if (!text.startsWith('{')) return;
    const { method, params, id } = JSON.parse(text) as { method: string; params: string[]; id: number };
    this.#isSubscribed = method === 'SUBSCRIBE';
    this.socket.dispatchEvent(new MessageEvent('message', { data: JSON.stringify({ id, code: 0, msg: 'success' }) }));
    if (this.#isSubscribed) for (const topic of params.map((name) => name.split('@')[0] ?? '')) this.#sendWhole(topic);
  }

  send({ topic, data }: Row): void {
    if (!this.#isSubscribed) return;
    this.#n += 1;
    const event = (): Event => new MessageEvent('message', { data: JSON.stringify({ topic, n: this.#n, seq: this.#n, data }) });
    const fault = this.isFaulty ? this.#chance() : 1;
    if (fault < 0.1) return;
    this.socket.dispatchEvent(event());
    if (fault < 0.2) this.socket.dispatchEvent(event());
  }

  #sendWhole(topic: string): void {
    const wholes: Readonly<Record<string, readonly unknown[]>> = {
      order: [...this.orders.values()],
      position: [...this.positions.values()],
      account: [...this.accounts.values()],
      terms: [...this.terms.values()],
      twap: [...this.twaps.values()].map((twap) => ({ twapId: twap.twapId, twap })),
    };
    for (const data of wholes[topic] ?? []) this.send({ topic: topic as Row['topic'], data });
    this.send({ topic: 'ready', data: { topic } });
  }
}

/** Something happens to the account. @returns what the exchange says of it */
function happens(twin: Twin, pick: (count: number) => number): Row {
  const id = 1 + pick(12);
  const symbol = ['BTC_USDC', 'ETH_USDC', 'SOL_USDC'][pick(3)] ?? '';
  switch (pick(7)) {
    case 0:
    case 1: {
      const kind = (['order', 'plan', 'stop'] as const)[pick(3)] ?? 'order';
      const put = order(id, kind, { executedQty: String(pick(9)) });
      twin.orders.set(put.orderId, put);
      return { topic: 'order', data: put };
    }
    case 2:
      twin.orders.delete(String(id));
      return { topic: 'order', data: order(id, 'order', { state: pick(2) === 0 ? 'FILLED' : 'CANCELED' }) };
    case 3: {
      const now = position(symbol, String(pick(3) - 1));
      if (now.positionSize === '0') twin.positions.delete(symbol);
      else twin.positions.set(symbol, now);
      return { topic: 'position', data: now };
    }
    case 4: {
      const now = account(symbol, String(pick(99)));
      twin.accounts.set(symbol, now);
      return { topic: 'account', data: now };
    }
    case 5: {
      const now = terms(symbol, 1 + pick(20));
      twin.terms.set(symbol, now);
      return { topic: 'terms', data: now };
    }
    default: {
      const twapId = String(pick(4));
      const twap = pick(3) === 0 ? null : ({ twapId, executedQty: String(pick(9)) } as Twap);
      if (twap === null) twin.twaps.delete(twapId);
      else twin.twaps.set(twapId, twap);
      return { topic: 'twap', data: { twapId, twap, ended: null } };
    }
  }
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The stream sends a subscription at the pace that the exchange takes. */
const turn = async (): Promise<void> => void (await vi.advanceTimersByTimeAsync(250));

/** As a page that is sent only what changed has it. */
async function lived(
  seed: number,
): Promise<{ shown: Partial<ContractAccountView>; read: Partial<ContractAccountView>; state: TopicState }> {
  let state = seed;
  const chance = (): number => (state = (state * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648;
  const pick = (count: number): number => Math.floor(chance() * count);
  const twin = new Twin(chance);
  const socket = Object.assign(twin.socket, { readyState: 1, send: (text: string) => twin.hear(text), close: () => undefined });
  const stream = new FuturesStream({
    baseUrl: 'https://exchange.example',
    openSocket: () => socket as unknown as WebSocket,
    listenKey: () => Promise.resolve('ab'.repeat(16)),
  });
  let shown: Partial<ContractAccountView> = {};
  let topic: TopicState = 'idle';
  const take = (message: OwnMessage): void => {
    if (message.type === 'contractAccount') shown = { ...shown, ...message.changed };
  };
  const feed = new ContractAccountFeed({ stream, post: take, onState: (now) => (topic = now) });
  feed.follow();
  socket.dispatchEvent(new Event('open'));
  for (let step = 0; step < 80; step += 1) {
    await turn();
    twin.send(happens(twin, pick));
    if (pick(3) === 0) feed.beat();
  }
  twin.isFaulty = false;
  // A message that is lost is missed with the next one.
  for (let step = 0; step < 3; step += 1) {
    await turn();
    twin.send({ topic: 'own_trade', data: fill(step) });
  }
  await turn();
  feed.beat();
  stream.close();
  return { shown, read: twin.read(), state: topic };
}

/** The order of what is kept by name only is not the exchange's: names decide here. */
const sorted = (view: Partial<ContractAccountView>): unknown =>
  Object.fromEntries(
    (['orders', 'plans', 'stops', 'positions', 'accounts', 'terms', 'twaps'] as const).map((part) => [
      part,
      (view[part] ?? []).map((row) => JSON.stringify(row)).toSorted(),
    ]),
  );

test('[F4] whatever is lost and sent twice, the page shows in the end what the lists of the exchange have', async () => {
  for (let seed = 1; seed <= 150; seed += 1) {
    const { shown, read, state } = await lived(seed);
    expect(state, `seed ${seed}`).toBe('fresh');
    expect(sorted(shown), `seed ${seed}`).toEqual(sorted(read));
    expect(
      shown.orders?.map(({ orderId }) => orderId),
      `seed ${seed}`,
    ).toEqual(read.orders?.map(({ orderId }) => orderId));
  }
});
