/**
 * Pairs of which one won nearly what the other lost: either most of it from the other, or both by opposite trades with others at the same time. That
 * may be chance, and proves nothing: operators look at it.
 */
import type { AccountId } from '@orrery/units';
import type { Flow } from './flows.ts';
import { Book, type Marks } from './worth.ts';

export type PairKind = 'DIRECT' | 'OPPOSITE';

export interface ProfitPair {
  readonly winner: AccountId;
  readonly loser: AccountId;
  readonly kind: PairKind;
  /** Quote atoms, both above zero. */
  readonly won: bigint;
  readonly lost: bigint;
  /** What the winner won in trades with the loser. */
  readonly between: bigint;
  /** Trades with one another. */
  readonly trades: number;
}

export interface PairGround extends Marks {
  readonly flows: readonly Flow[];
  readonly isHouse: (account: AccountId) => boolean;
  /** Quote atoms that both must have won and lost at least. */
  readonly from: bigint;
}

/** How far apart gain and loss may be, in tenths of the larger one: both paid fees. */
const APART_TENTHS = 2n;
/** Of those who won and lost most; each is compared with each. */
const COMPARED_MAX = 100;
/** One block says little: two who are lucky and unlucky in it are many. */
const OPPOSITE_PLACES_MIN = 2;
/** What part of all their trades opposite ones must be, in tenths. */
const OPPOSITE_TENTHS = 8n;

/** Those that won most first. */
export function profitPairs(ground: PairGround): readonly ProfitPair[] {
  const totals = totalsOf(ground);
  const direct = directPairs(ground, totals);
  const known = new Set(direct.map(nameOf));
  const opposite = oppositePairs(ground, totals).filter((pair) => !known.has(nameOf(pair)));
  return [...direct, ...opposite].sort((left, right) =>
    left.won === right.won ? left.winner - right.winner : left.won > right.won ? -1 : 1,
  );
}

const nameOf = ({ winner, loser }: Pick<ProfitPair, 'winner' | 'loser'>): string => `${winner} ${loser}`;

type Totals = ReadonlyMap<AccountId, bigint>;

function totalsOf(ground: PairGround): Totals {
  const books = new Map<AccountId, Book>();
  for (const { market, taker, maker, takerLeg, makerLeg } of ground.flows)
    for (const [account, leg] of [[taker, takerLeg] as const, [maker, makerLeg] as const]) {
      if (ground.isHouse(account)) continue;
      const book = books.get(account) ?? new Book();
      books.set(account, book);
      book.add(market, leg);
    }
  return new Map(Array.from(books, ([account, book]) => [account, book.profit(ground)]));
}

/** What both won and lost, where it is nearly the same. */
function nearly(totals: Totals, { winner, loser }: Pick<ProfitPair, 'winner' | 'loser'>, from: bigint) {
  const [won, lost] = [totals.get(winner) ?? 0n, -(totals.get(loser) ?? 0n)];
  if (won < from || lost < from) return undefined;
  const [low, high] = won < lost ? [won, lost] : [lost, won];
  return (high - low) * 10n <= high * APART_TENTHS ? { won, lost } : undefined;
}

interface Between {
  readonly book: Book;
  trades: number;
}

function directPairs(ground: PairGround, totals: Totals): readonly ProfitPair[] {
  const found: ProfitPair[] = [];
  for (const [winner, others] of betweenAll(ground, totals))
    for (const [loser, { book, trades }] of others) {
      const sums = nearly(totals, { winner, loser }, ground.from);
      const between = book.profit(ground);
      if (sums !== undefined && between * 2n >= sums.won) found.push({ winner, loser, kind: 'DIRECT', ...sums, between, trades });
    }
  return found;
}

/** Of those who won what they won from each who lost. */
function betweenAll({ flows, from }: PairGround, totals: Totals): ReadonlyMap<AccountId, ReadonlyMap<AccountId, Between>> {
  const found = new Map<AccountId, Map<AccountId, Between>>();
  for (const { market, taker, maker, takerLeg, makerLeg, trades } of flows)
    for (const [winner, loser, leg] of [[taker, maker, takerLeg] as const, [maker, taker, makerLeg] as const]) {
      if ((totals.get(winner) ?? 0n) < from || -(totals.get(loser) ?? 0n) < from) continue;
      const others = found.get(winner) ?? new Map<AccountId, Between>();
      found.set(winner, others);
      const sum = others.get(loser) ?? { book: new Book(), trades: 0 };
      others.set(loser, sum);
      sum.book.add(market, leg);
      sum.trades += trades;
    }
  return found;
}

function oppositePairs(ground: PairGround, totals: Totals): readonly ProfitPair[] {
  const most = (sign: 1n | -1n): readonly AccountId[] =>
    [...totals]
      .filter(([, total]) => total * sign >= ground.from)
      .sort(([one, left], [other, right]) => (left === right ? one - other : left * sign > right * sign ? -1 : 1))
      .slice(0, COMPARED_MAX)
      .map(([account]) => account);
  const [winners, losers] = [most(1n), most(-1n)];
  const nets = netsOf(ground.flows, new Set([...winners, ...losers]));
  const found: ProfitPair[] = [];
  for (const winner of winners)
    for (const loser of losers) {
      const sums = nearly(totals, { winner, loser }, ground.from);
      if (sums !== undefined && areOpposite(nets.get(winner), nets.get(loser)))
        found.push({ winner, loser, kind: 'OPPOSITE', ...sums, between: 0n, trades: 0 });
    }
  return found;
}

/** By market and block: quote atoms given for what was bought less those received for what was sold. */
type Nets = ReadonlyMap<string, bigint>;

function netsOf(flows: readonly Flow[], accounts: ReadonlySet<AccountId>): ReadonlyMap<AccountId, Nets> {
  const found = new Map<AccountId, Map<string, bigint>>();
  for (const { market, block, taker, maker, takerLeg, makerLeg } of flows)
    for (const [account, leg] of [[taker, takerLeg] as const, [maker, makerLeg] as const]) {
      if (!accounts.has(account)) continue;
      const nets = found.get(account) ?? new Map<string, bigint>();
      found.set(account, nets);
      const place = `${market} ${block}`;
      nets.set(place, (nets.get(place) ?? 0n) - leg.cash);
    }
  return found;
}

function areOpposite(one: Nets | undefined, other: Nets | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  let [opposite, first, second] = [0n, 0n, 0n];
  let places = 0;
  for (const [place, net] of one) {
    first += size(net);
    const theirs = other.get(place) ?? 0n;
    if (theirs === 0n || net > 0n === theirs > 0n) continue;
    opposite += size(net) < size(theirs) ? size(net) : size(theirs);
    places += 1;
  }
  for (const net of other.values()) second += size(net);
  return places >= OPPOSITE_PLACES_MIN && opposite * 10n >= (first > second ? first : second) * OPPOSITE_TENTHS;
}

const size = (net: bigint): bigint => (net < 0n ? -net : net);
