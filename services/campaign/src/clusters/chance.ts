/**
 * How often two accounts would meet if counterparties were random. In each market and block of four hours a taker meets a maker as often
 * as the other takers there did; where few others traded, as often as the other takers met that maker in the market at all. The two are
 * left out of what they are measured by, so that a pair that is most of a market does not make itself probable. Where there was hardly anybody
 * else to trade with that says nothing: then the maker is as probable as its part of all that was made there.
 */
import type { AccountId } from '@orrery/units';
import type { Meeting } from './packed.ts';

/** The weight of a maker's share of the whole market, in trades, beside the trades of the block. */
const WEIGHT_OF_MARKET = 20;
/** The weight of a maker's share among all but the taker's trades in the market, in trades, beside those of the other takers. */
const WEIGHT_OF_ALL = 10;

export interface Pair {
  readonly low: AccountId;
  readonly high: AccountId;
  trades: number;
  quick: number;
}

type Count = Map<AccountId, number>;

/** A market, or a block of one. */
interface Place {
  trades: number;
  /** By maker, and by taker. */
  readonly made: Count;
  readonly taken: Count;
}

/** What one taker did in one place. */
interface Visit {
  readonly place: Place;
  /** The taker's trades in all of the market. */
  readonly market: Visit | undefined;
  trades: number;
  /** By maker. */
  readonly met: Count;
}

/** More than a campaign has blocks; the last of them stands for the whole market. */
const BLOCKS = 1 << 20;
const WHOLE_MARKET = BLOCKS - 1;

export class Meetings {
  readonly #pairs = new Map<AccountId, Map<AccountId, Pair>>();
  readonly #places = new Map<number, Place>();
  /** By taker, then by place: the visits to blocks, and those to whole markets. */
  readonly #blocks = new Map<AccountId, Map<number, Visit>>();
  readonly #markets = new Map<AccountId, Map<number, Visit>>();
  readonly #trades: Count = new Map();

  constructor(flows: Iterable<Meeting>) {
    for (const flow of flows) this.#count(flow);
  }

  tradesOf(account: AccountId): number {
    return this.#trades.get(account) ?? 0;
  }

  /** Pairs that met at least so often. */
  *pairs(atLeast: number): Generator<Pair> {
    for (const pairs of this.#pairs.values()) for (const pair of pairs.values()) if (pair.trades >= atLeast) yield pair;
  }

  /** Trades of a pair that chance would have made. */
  expected({ low, high }: Pair): number {
    return this.expectedOf(low, high) + this.expectedOf(high, low);
  }

  /** Trades that chance would have made in which one of two took from the other. */
  expectedOf(taker: AccountId, maker: AccountId): number {
    const shares = new Map<Visit, number>();
    for (const visit of this.#markets.get(taker)?.values() ?? []) {
      shares.set(visit, shareAt(visit, { taker, maker }));
    }
    let sum = 0;
    for (const visit of this.#blocks.get(taker)?.values() ?? []) {
      const shareOfMarket = visit.market === undefined ? 0 : (shares.get(visit.market) ?? 0);
      const share = (theirsAt(visit, maker) + WEIGHT_OF_MARKET * shareOfMarket) / (othersAt(visit, maker) + WEIGHT_OF_MARKET);
      sum += visit.trades * share;
    }
    return sum;
  }

  #count(flow: Meeting): void {
    const { market, block, taker, maker, trades, quick } = flow;
    const inMarket = this.#visit(this.#markets, { taker, place: market * BLOCKS + WHOLE_MARKET, market: undefined });
    const inBlock = this.#visit(this.#blocks, { taker, place: market * BLOCKS + block, market: inMarket });
    for (const visit of [inMarket, inBlock]) {
      visit.trades += trades;
      visit.place.trades += trades;
      add(visit.met, maker, trades);
      add(visit.place.made, maker, trades);
      add(visit.place.taken, taker, trades);
    }
    add(this.#trades, taker, trades);
    add(this.#trades, maker, trades);
    const pair = this.#pair(taker, maker);
    pair.trades += trades;
    pair.quick += quick;
  }

  #visit(visits: Map<AccountId, Map<number, Visit>>, at: { taker: AccountId; place: number; market: Visit | undefined }): Visit {
    const own = visits.get(at.taker) ?? new Map<number, Visit>();
    visits.set(at.taker, own);
    const place = this.#places.get(at.place) ?? { trades: 0, made: new Map(), taken: new Map() };
    this.#places.set(at.place, place);
    const visit = own.get(at.place) ?? { place, market: at.market, trades: 0, met: new Map() };
    own.set(at.place, visit);
    return visit;
  }

  #pair(one: AccountId, other: AccountId): Pair {
    const [low, high] = one < other ? [one, other] : [other, one];
    const pairs = this.#pairs.get(low) ?? new Map<AccountId, Pair>();
    this.#pairs.set(low, pairs);
    const pair = pairs.get(high) ?? { low, high, trades: 0, quick: 0 };
    pairs.set(high, pair);
    return pair;
  }
}

/** What part of a whole market's trades the maker would have. */
function shareAt(visit: Visit, { taker, maker }: { taker: AccountId; maker: AccountId }): number {
  const { made, trades } = visit.place;
  const madeByOthers = trades - (made.get(taker) ?? 0);
  const ofAll = madeByOthers === 0 ? 0 : (made.get(maker) ?? 0) / madeByOthers;
  return (theirsAt(visit, maker) + WEIGHT_OF_ALL * ofAll) / (othersAt(visit, maker) + WEIGHT_OF_ALL);
}

/** Trades of the other takers there; a maker does not take from itself. */
const othersAt = ({ place, trades }: Visit, maker: AccountId): number => place.trades - trades - (place.taken.get(maker) ?? 0);
/** Those of them with this maker. */
const theirsAt = ({ place, met }: Visit, maker: AccountId): number => (place.made.get(maker) ?? 0) - (met.get(maker) ?? 0);

function add(counts: Count, account: AccountId, count: number): void {
  counts.set(account, (counts.get(account) ?? 0) + count);
}

/** By how many standard deviations of chance a count is above what was expected; a count that was expected to be nothing, above one. */
export const deviations = (count: number, expected: number): number => (count - expected) / Math.sqrt(Math.max(expected, 1));
