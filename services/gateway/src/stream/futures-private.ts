/** Private streams of contracts: everything an account has, then every change of it, to those who have its listen key. */
import type { PrivateFuturesTopic, Principal } from '@orrery/api';
import type { Event } from '@orrery/protocol';
import { type AccountId, type Millis, type Seq, seq as seqOf } from '@orrery/units';
import type { Moment, OrderState } from '@orrery/views';
import type { Floor, FloorListener } from '../floor.ts';
import type { Connection } from './connection.ts';
import { textFrames } from './frame.ts';
import { FuturesNews, type News } from './futures-news.ts';
import { FuturesOwn, topicOf, type OwnFigures, type OwnMessage } from './futures-own.ts';

/** Figures move with the mark prices: as often they are sent to those who read them, where nothing else happens. */
const FIGURES_EVERY_MS = 5_000;

/** What readers of an account know of its figures. */
interface Sent {
  readonly byKey: Map<string, string>;
  at: Millis;
}

export class FuturesPrivate implements FloorListener {
  readonly #floor: Floor;
  readonly #own: FuturesOwn;
  readonly #news: FuturesNews;
  readonly #readers = new Map<AccountId, Map<Connection, Set<PrivateFuturesTopic>>>();
  readonly #sent = new Map<AccountId, Sent>();
  #hasNewPrices = false;

  constructor(floor: Floor) {
    this.#floor = floor;
    this.#own = new FuturesOwn(floor);
    this.#news = new FuturesNews({ floor, readers: this.#readers });
  }

  /** The connection is this reader's from now on: the caller has checked that it is nobody else's. */
  subscribe(connection: Connection, reader: Principal, topic: PrivateFuturesTopic): void {
    connection.reader = reader;
    const readers = this.#readers.get(reader.account) ?? new Map<Connection, Set<PrivateFuturesTopic>>();
    this.#readers.set(reader.account, readers);
    readers.set(connection, (readers.get(connection) ?? new Set()).add(topic));
  }

  /** Before everything else: trades and steps of liquidations of these commands and later ones, which the reader may lack. */
  sendMissed(
    connection: Connection,
    { account }: Principal,
    { from, topics }: { from: number; topics: readonly PrivateFuturesTopic[] },
  ): void {
    const [topic] = topics;
    if (topic === undefined) return;
    const missed = this.#news.missed(account, from, (one) => topics.includes(topicOf(one)));
    const gap = { topic, name: 'gap', data: JSON.stringify({ from, to: missed.from }), seq: seqOf(from) };
    const messages = missed.items.map((one) => this.#own.happening(one));
    this.#send(connection, [...(missed.from > from ? [gap] : []), ...messages], this.#floor.seq);
  }

  /** Everything there is of one topic, and the mark that what follows are changes. */
  sendWhole(connection: Connection, { account }: Principal, topic: PrivateFuturesTopic): void {
    const ready = { topic, name: 'ready', data: JSON.stringify({ topic }) };
    this.#send(connection, [...this.#own.present(account, topic), ready], this.#news.heardOf(account));
    // This reader knows newer figures than the others.
    this.#sent.delete(account);
  }

  /** Without a topic, all of them. */
  unsubscribe(connection: Connection, topic?: PrivateFuturesTopic): void {
    const account = connection.reader?.account;
    const readers = account === undefined ? undefined : this.#readers.get(account);
    if (account === undefined || readers === undefined) return;
    const topics = readers.get(connection);
    if (topic === undefined) topics?.clear();
    else topics?.delete(topic);
    if (topics === undefined || topics.size > 0) return;
    readers.delete(connection);
    connection.reader = undefined;
    if (readers.size > 0) return;
    this.#readers.delete(account);
    this.#sent.delete(account);
    this.#news.forget(account);
  }

  change(event: Event, moment: Moment, orders: readonly OrderState[]): void {
    if (event.type === 'PricesSet') this.#hasNewPrices = this.#readers.size > 0;
    this.#news.note(event, moment, orders);
  }

  settled(): void {
    for (const [account, news] of this.#news.take()) this.#sendAll(account, this.#messagesOf(account, news), news.seq);
    if (!this.#hasNewPrices) return;
    this.#hasNewPrices = false;
    for (const account of this.#readers.keys()) {
      if (this.#floor.at - (this.#sent.get(account)?.at ?? 0) < FIGURES_EVERY_MS) continue;
      this.#sendAll(account, this.#newFigures(account), this.#floor.seq);
    }
  }

  #messagesOf(account: AccountId, news: News): readonly OwnMessage[] {
    const own = this.#own;
    const open = this.#floor.orders.open(account);
    const moved = [...news.positions.values()].map((position) => own.position(position));
    return [
      ...news.happenings.map((one) => own.happening(one)),
      ...[...news.orders.values()].map((state) => own.order(state, open)),
      ...[...news.twaps].map((twapId) => own.twap(account, twapId)),
      ...[...news.terms].flatMap((market) => own.terms(account, this.#floor.listedContract(market))),
      ...moved,
      ...this.#newFigures(account, moved),
      ...((news.hasBalances || news.positions.size > 0) && this.#isRead(account, 'balance') ? own.balances(account) : []),
    ];
  }

  /** Those of positions and accounts that are not what was sent last. @param moved which are sent anyway */
  #newFigures(account: AccountId, moved: readonly OwnFigures[] = []): readonly OwnMessage[] {
    const byKey = this.#sent.get(account)?.byKey ?? new Map<string, string>();
    this.#sent.set(account, { byKey, at: this.#floor.at });
    for (const { key, data } of moved) byKey.set(key, data);
    const now = [
      ...(this.#isRead(account, 'position') ? this.#own.positions(account) : []),
      ...(this.#isRead(account, 'account') ? this.#own.accounts(account) : []),
    ];
    const fresh = now.filter(({ key, data }) => byKey.get(key) !== data);
    for (const { key, data } of fresh) byKey.set(key, data);
    return fresh;
  }

  #isRead(account: AccountId, topic: PrivateFuturesTopic): boolean {
    for (const topics of this.#readers.get(account)?.values() ?? []) if (topics.has(topic)) return true;
    return false;
  }

  #sendAll(account: AccountId, messages: readonly OwnMessage[], seq: Seq): void {
    for (const connection of this.#readers.get(account)?.keys() ?? []) this.#send(connection, messages, seq);
  }

  /** The data is printed once; only the number differs between the account's connections. */
  #send(connection: Connection, messages: readonly OwnMessage[], newest: Seq): void {
    const account = connection.reader?.account;
    const topics = account === undefined ? undefined : this.#readers.get(account)?.get(connection);
    const wanted = messages.filter(({ topic }) => topics?.has(topic) === true);
    if (wanted.length === 0) return;
    connection.write(
      textFrames(
        wanted.map(({ name, data, seq: own = newest }) => {
          connection.n += 1;
          return `{"topic":"${name}","n":${connection.n},"seq":${own},"data":${data}}`;
        }),
      ),
    );
  }
}
