/**
 * A month of trading by a thousand accounts, drawn from a seed: honest people of every kind, and wash rings planted among them.
 * Honest people meet the accounts that happen to quote when they arrive; rings meet one another.
 */
import { type AccountId, accountId, type MarketId, marketId } from '@orrery/units';
import { BLOCK_MS, type Flow, Flows } from '../leaderboard/flows.ts';
import type { Relations } from '../clusters/links.ts';

export const ACCOUNTS = 1_000;
const DAYS = 30;
const HOURS = DAYS * 24;
const HOUR_MS = 3_600_000;
/** The exchange's own: its market-maker quotes everywhere, its tape takes from it. */
const [MAKER, TAPE] = [ACCOUNTS + 1, ACCOUNTS + 2];
/** How much of all trading each market has. */
const MARKETS = [40, 25, 15, 12, 8];

export const isHouse = (account: AccountId): boolean => account > ACCOUNTS;

export interface PlantedRing {
  readonly kind: string;
  readonly members: readonly AccountId[];
}

export interface WashMonth {
  readonly flows: readonly Flow[];
  readonly relations: Relations;
  readonly rings: readonly PlantedRing[];
  readonly trades: number;
  /** Of the honest ones: what they are. */
  readonly kinds: ReadonlyMap<AccountId, string>;
}

interface Person {
  readonly account: number;
  readonly kind: string;
  /** Of one awake hour. */
  readonly takes: number;
  /** Weight among those who quote, and how often what they quote is fresh. */
  readonly makes: number;
  readonly fresh: number;
  readonly markets: readonly number[];
  readonly wakes: number;
  readonly hoursAwake: number;
  /** The part of its trades that are buys. */
  readonly buys: number;
}

/** Mulberry32. */
export function chanceOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export class Month {
  readonly #chance: () => number;
  readonly #flows = new Flows();
  readonly #people: Person[] = [];
  readonly #funding: { account: AccountId; address: string }[] = [];
  readonly #traces: { account: AccountId; kind: 'NETWORK' | 'DEVICE'; mark: string }[] = [];
  readonly #invites: { account: AccountId; inviter: AccountId }[] = [];
  readonly #rings: PlantedRing[] = [];
  #next = 1;
  #trades = 0;

  constructor(seed: number) {
    this.#chance = chanceOf(seed);
  }

  play(): WashMonth {
    this.#plantRings();
    this.#bringHonest();
    for (let hour = 0; hour < HOURS; hour += 1) this.#playHour(hour);
    return {
      flows: [...this.#flows.all()],
      relations: { funding: this.#funding, invites: this.#invites, traces: this.#traces, apart: [], funds: [] },
      rings: this.#rings,
      trades: this.#trades,
      kinds: new Map(this.#people.map(({ account, kind }) => [accountId(account), kind])),
    };
  }

  // ---- chance --------------------------------------------------------------------------------------------------------

  #between(low: number, high: number): number {
    return low + Math.floor(this.#chance() * (high - low + 1));
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.#chance() * items.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  #weighted<Item>(items: readonly Item[], weightOf: (item: Item) => number): Item | undefined {
    let rest = this.#chance() * items.reduce((sum, item) => sum + weightOf(item), 0);
    return items.find((item) => (rest -= weightOf(item)) < 0);
  }

  /** How often something happens that happens `mean` times on average. */
  #poisson(mean: number): number {
    if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * (this.#chance() + this.#chance() + this.#chance() - 1.5) * 2));
    let [count, product] = [0, this.#chance()];
    for (const floor = Math.exp(-mean); product > floor; count += 1) product *= this.#chance();
    return count;
  }

  #market(): number {
    return this.#weighted([0, 1, 2, 3, 4], (market) => MARKETS[market] ?? 0) ?? 0;
  }

  // ---- who is there --------------------------------------------------------------------------------------------------

  #account(): number {
    const account = this.#next;
    this.#next += 1;
    // Most people pay in from an address of their own.
    this.#funding.push({ account: accountId(account), address: `own${account}` });
    // Almost everybody signs in from a network of their own, and some from a mobile provider's too.
    this.#trace('NETWORK', account, `home${account}`);
    this.#trace('DEVICE', account, `device${account}`);
    if (this.#chance() < 0.2) this.#trace('NETWORK', account, `provider${this.#between(1, 3)}`);
    return account;
  }

  #bringHonest(): void {
    for (let n = 0; n < 15; n += 1) this.#bring('market-maker', { takes: 0.2, makes: this.#between(20, 80), fresh: 0.8, hoursAwake: 24 });
    for (let n = 0; n < 8; n += 1)
      this.#bring('market-maker by day', { takes: 0.2, makes: this.#between(20, 80), fresh: 0.8, hoursAwake: 5 });
    for (let n = 0; n < 30; n += 1) this.#bring('bot', { takes: this.#between(4, 12), makes: 1, fresh: 0.3, hoursAwake: 24 });
    for (let n = 0; n < 60; n += 1) this.#bring('active trader', { takes: 2 + this.#chance() * 3, makes: 2, fresh: 0.2, hoursAwake: 8 });
    while (this.#next <= ACCOUNTS) {
      const takes = 0.5 * this.#chance() ** 4;
      this.#bring(takes < 0.05 ? 'visitor' : 'trader', { takes, makes: 0.3, fresh: 0.1, hoursAwake: this.#between(2, 10) });
    }
    this.#relateHonest();
    this.#connectHonest();
  }

  #bring(kind: string, habits: Pick<Person, 'takes' | 'makes' | 'fresh' | 'hoursAwake'>): void {
    const wanted = kind === 'visitor' ? 1 : this.#between(1, 3);
    const markets = [...new Set(Array.from({ length: wanted }, () => this.#market()))];
    this.#people.push({
      account: this.#account(),
      kind,
      markets,
      wakes: this.#between(0, 23),
      buys: 0.35 + 0.3 * this.#chance(),
      ...habits,
    });
  }

  #trace(kind: 'NETWORK' | 'DEVICE', account: number, mark: string): void {
    this.#traces.push({ account: accountId(account), kind, mark });
  }

  /** Households, offices, computers that two use, and customers of another exchange. */
  #connectHonest(): void {
    const some = (size: number): readonly number[] => Array.from({ length: size }, () => this.#pick(this.#people).account);
    for (let home = 0; home < 60; home += 1)
      for (const account of some(this.#between(2, 4))) this.#trace('NETWORK', account, `household${home}`);
    for (const [office, size] of [12, 18, 25, 40].entries())
      for (const account of some(size)) this.#trace('NETWORK', account, `office${office}`);
    for (let shared = 0; shared < 10; shared += 1) for (const account of some(2)) this.#trace('DEVICE', account, `shared${shared}`);
    for (const [wallet, size] of [60, 200].entries())
      for (const account of some(size)) this.#funding.push({ account: accountId(account), address: `hot${wallet}` });
  }

  /** Couples with one purse, and invite trees small and large: no fault of theirs. */
  #relateHonest(): void {
    for (let couple = 0; couple < 20; couple += 1) {
      const address = `couple${couple}`;
      for (const person of [this.#pick(this.#people), this.#pick(this.#people)])
        this.#funding.push({ account: accountId(person.account), address });
    }
    for (const size of [2, 3, 3, 5, 8, 12, 40, 120]) {
      const inviter = accountId(this.#pick(this.#people).account);
      for (let n = 1; n < size; n += 1) this.#invites.push({ account: accountId(this.#pick(this.#people).account), inviter });
    }
  }

  // ---- rings ---------------------------------------------------------------------------------------------------------

  #plantRings(): void {
    for (let n = 0; n < 8; n += 1) this.#plant('ping-pong', 2);
    for (const size of [3, 4, 5, 8]) this.#plant('circle', size);
    for (const size of [4, 6, 11]) this.#plant('star', size);
    for (const size of [3, 5, 9]) this.#plant('mesh', size);
    for (const size of [2, 3, 5]) this.#plant('diluted', size);
    for (const size of [2, 4, 7]) this.#plant('slow, one purse', size);
    for (const size of [3, 6]) this.#plant('invite tree', size);
    for (const size of [2, 4]) this.#plant('small market at night', size);
    for (const size of [2, 3]) this.#plant('a week only', size);
    for (const size of [2, 3, 6]) this.#plant('slow, one device', size);
    for (const size of [2, 3, 5]) this.#plant('slow, one network', size);
    for (const size of [3, 8]) this.#plant('hot wallet, one device', size);
  }

  #plant(kind: string, size: number): void {
    const members = Array.from({ length: size }, () => accountId(this.#account()));
    this.#rings.push({ kind, members });
    const [first] = members;
    if (kind === 'slow, one purse') for (const account of members) this.#funding.push({ account, address: `purse${first}` });
    if (kind === 'invite tree' && first !== undefined)
      for (const account of members.slice(1)) this.#invites.push({ account, inviter: first });
    this.#connectRing(kind, members);
    const honest = kind === 'diluted' ? 0.8 : 0.08 * this.#chance();
    for (const account of members)
      this.#people.push({
        account,
        kind: `ring: ${kind}`,
        takes: honest,
        makes: 0.5,
        fresh: 0.2,
        markets: [this.#market()],
        wakes: this.#between(0, 23),
        hoursAwake: 12,
        buys: 0.5,
      });
    this.#washes.push(this.#planOf(kind, members));
  }

  #connectRing(kind: string, members: readonly AccountId[]): void {
    const [first] = members;
    if (kind.endsWith('one device')) for (const account of members) this.#trace('DEVICE', account, `ring${first}`);
    if (kind.endsWith('one network')) for (const account of members) this.#trace('NETWORK', account, `ring${first}`);
    if (kind.startsWith('hot wallet')) for (const account of members) this.#funding.push({ account, address: 'hot0' });
  }

  readonly #washes: { readonly members: readonly AccountId[]; readonly kind: string; market: number; wakes: number; perHour: number }[] =
    [];

  #planOf(kind: string, members: readonly AccountId[]) {
    const isNight = kind === 'small market at night';
    const perHour = (isNight ? 6 : 0.4 + this.#chance() * 2.5) * Math.max(1, members.length / 2);
    return { members, kind, market: isNight ? 4 : this.#market(), wakes: this.#between(0, 23), perHour };
  }

  #wash(hour: number): void {
    for (const { members, kind, market, wakes, perHour } of this.#washes) {
      const isAwake = (hour - wakes + 24) % 24 < (kind === 'small market at night' ? 4 : 8);
      if (!isAwake || (kind === 'a week only' && Math.floor(hour / 168) !== 1)) continue;
      const times = this.#poisson(perHour);
      for (let time = 0; time < times; time += 1) this.#washOnce(kind, members, { hour, market });
    }
  }

  /** One takes from the other; the way back follows at once, in a circle after the round. */
  #washOnce(kind: string, members: readonly AccountId[], { hour, market }: { hour: number; market: number }): void {
    const size = this.#between(50, 400);
    const quick = kind.startsWith('slow') ? 0.05 : 0.9;
    const sell = (from: AccountId, to: AccountId): void => {
      const [taker, maker] = this.#chance() < 0.5 ? [from, to] : [to, from];
      this.#trade({ hour, market, taker, maker, side: taker === to ? 1 : -1, size, isQuick: this.#chance() < quick });
    };
    if (kind === 'circle') {
      members.forEach((member, index) => sell(member, members[(index + 1) % members.length] ?? member));
      return;
    }
    const one = kind === 'star' ? (members[0] ?? this.#pick(members)) : this.#pick(members);
    const other = this.#pick(members.filter((member) => member !== one));
    sell(one, other);
    if (this.#chance() < 0.85) sell(other, one);
  }

  // ---- an hour -------------------------------------------------------------------------------------------------------

  #playHour(hour: number): void {
    const awake = this.#people.filter(({ wakes, hoursAwake }) => (hour - wakes + 24) % 24 < hoursAwake);
    const quoting = MARKETS.map((_, market) => awake.filter(({ makes, markets }) => makes > 0 && markets.includes(market)));
    for (const [market, weight] of MARKETS.entries())
      this.#trade({ hour, market, taker: accountId(TAPE), maker: accountId(MAKER), side: 1, size: 10, isQuick: true, times: weight });
    for (const person of awake) {
      const times = this.#poisson(person.takes);
      for (let time = 0; time < times; time += 1) {
        const market = this.#pick(person.markets);
        this.#take(person, { hour, market, quoting: quoting[market] ?? [] });
      }
    }
    this.#wash(hour);
  }

  #take(person: Person, { hour, market, quoting }: { hour: number; market: number; quoting: readonly Person[] }): void {
    const others = quoting.filter(({ account }) => account !== person.account);
    const weights = others.reduce((sum, { makes }) => sum + makes, 0);
    // The exchange's own quotes are half of what there is, and everything when no other account quotes.
    const maker = this.#chance() < 0.5 || weights === 0 ? undefined : this.#weighted(others, ({ makes }) => makes);
    this.#trade({
      hour,
      market,
      taker: accountId(person.account),
      maker: accountId(maker?.account ?? MAKER),
      side: this.#chance() < person.buys ? 1 : -1,
      size: this.#between(1, 100),
      isQuick: this.#chance() < (maker?.fresh ?? 0.8),
    });
  }

  #trade(trade: {
    hour: number;
    market: number;
    taker: AccountId;
    maker: AccountId;
    side: 1 | -1;
    size: number;
    isQuick: boolean;
    times?: number;
  }): void {
    const times = trade.times ?? 1;
    this.#trades += times;
    const quote = BigInt(trade.size * times) * 1_000_000n;
    const market: MarketId = marketId(trade.market + 1);
    this.#flows.add({
      market,
      block: Math.floor((trade.hour * HOUR_MS) / BLOCK_MS),
      taker: trade.taker,
      maker: trade.maker,
      trades: times,
      quick: trade.isQuick ? times : 0,
      lots: BigInt(trade.size * times),
      netLots: BigInt(trade.side * trade.size * times),
      takerLeg: { volume: quote, cash: 0n, base: 0n, gift: 0n },
      makerLeg: { volume: quote, cash: 0n, base: 0n, gift: 0n },
      lastSeq: this.#trades,
    });
  }
}
