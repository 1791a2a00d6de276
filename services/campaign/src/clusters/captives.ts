/**
 * Captive accounts: they trade with one hand alone, so that what they lose it wins. Such an account is of that hand: what the two trade with one another
 * counts for nobody. So is one that hands on to a second what it won from a first: together with the first it trades with the second alone.
 *
 * An account is captive where nine tenths of what it traded for, the exchange's own accounts included, was with one other hand, where that is as much as
 * is worth passing on, and where chance does not explain it: in a quiet market a newcomer meets the one person who quotes there again and again.
 */
import type { AccountId } from '@orrery/units';
import { binomialTail } from '../binomial.ts';
import type { Meetings } from './chance.ts';
import type { Groups } from './groups.ts';
import type { Apart, Edge } from './links.ts';
import type { Meeting } from './packed.ts';

/** Parts of ten that a captive account trades with its hand at least. */
const CAPTIVE_TENTHS = 9n;
/** One or two trades may be with anybody. */
const TRADES_MIN = 3;
/** The probability at which chance no longer explains that number of trades with one hand. */
const BY_CHANCE = 1 / 10_000;

interface Parts {
  /** Who is one hand by everything else. */
  readonly joined: Groups;
  readonly meetings: Meetings;
  readonly apart: Apart;
  readonly isPerson: (account: AccountId) => boolean;
  /** Quote atoms that an account has traded with a hand at least, to be captive; without it none is. */
  readonly least: bigint | undefined;
}

/** What two accounts, or two hands, traded with one another. */
interface Dealings {
  trades: number;
  volume: bigint;
  /** Who took from whom. */
  readonly pairs: Edge[];
}

/** What joins captive accounts to their hands; `joined` is left as it is. */
export function captiveEdges(flows: readonly Meeting[], parts: Parts): readonly Edge[] {
  if (parts.least === undefined) return [];
  const pairs = dealingsOfPairs(flows);
  const groups = parts.joined.copy();
  const edges: Edge[] = [];
  for (;;) {
    const found = parts.apart.without(captiveNow(pairs, groups, { ...parts, least: parts.least }));
    const news = found.filter(([one, other]) => !groups.isTogether(one, other));
    if (news.length === 0) return edges;
    for (const [one, other] of news) groups.join(one, other);
    edges.push(...news);
  }
}

/** By who took from whom: that the other one takes from everybody explains nothing that one took from it. */
function dealingsOfPairs(flows: readonly Meeting[]): readonly Dealings[] {
  const found = new Map<AccountId, Map<AccountId, Dealings>>();
  for (const { taker, maker, trades, takerLeg } of flows) {
    const makers = found.get(taker) ?? new Map<AccountId, Dealings>();
    found.set(taker, makers);
    const dealings = makers.get(maker) ?? { trades: 0, volume: 0n, pairs: [[taker, maker]] };
    makers.set(maker, dealings);
    dealings.trades += trades;
    dealings.volume += takerLeg.volume;
  }
  return [...found.values()].flatMap((makers) => [...makers.values()]);
}

/** Of the hands as they are now. */
function captiveNow(pairs: readonly Dealings[], groups: Groups, { isPerson, least, meetings }: Parts & { least: bigint }): readonly Edge[] {
  const hands = new Map<AccountId, Map<AccountId, Dealings>>();
  for (const dealings of pairs)
    for (const [one, other] of dealings.pairs) {
      const [first, second] = [groups.rootOf(one), groups.rootOf(other)];
      if (first === second) continue;
      add(hands, [first, second], dealings);
      add(hands, [second, first], dealings);
    }
  const edges: Edge[] = [];
  for (const [hand, others] of hands) {
    if (!isPerson(hand)) continue;
    const [volume, trades] = [sumOf(others, (one) => one.volume), [...others.values()].reduce((sum, one) => sum + one.trades, 0)];
    for (const [other, dealings] of others)
      if (isPerson(other) && isCaptive(dealings, { volume, trades, least, meetings })) edges.push(...dealings.pairs);
  }
  return edges;
}

/** What an account traded in all, and what it is judged by. */
interface Whole {
  readonly volume: bigint;
  readonly trades: number;
  readonly least: bigint;
  readonly meetings: Meetings;
}

function isCaptive(dealings: Dealings, all: Whole): boolean {
  const { volume, trades: successes, pairs } = dealings;
  if (successes < TRADES_MIN || volume < all.least || volume * 10n < all.volume * CAPTIVE_TENTHS) return false;
  const expected = pairs.reduce((sum, [taker, maker]) => sum + all.meetings.expectedOf(taker, maker), 0);
  const chance = expected / all.trades;
  return chance < 1 && binomialTail({ draws: all.trades, successes, chance }) < BY_CHANCE;
}

function add(hands: Map<AccountId, Map<AccountId, Dealings>>, [hand, other]: Edge, { trades, volume, pairs }: Dealings): void {
  const others = hands.get(hand) ?? new Map<AccountId, Dealings>();
  hands.set(hand, others);
  const sum = others.get(other) ?? { trades: 0, volume: 0n, pairs: [] };
  others.set(other, sum);
  sum.trades += trades;
  sum.volume += volume;
  sum.pairs.push(...pairs);
}

const sumOf = (others: ReadonlyMap<AccountId, Dealings>, valueOf: (one: Dealings) => bigint): bigint =>
  [...others.values()].reduce((sum, one) => sum + valueOf(one), 0n);
