/** Pairs that trade with one another far beyond chance, within seconds, back and forth with little left over. */
import type { AccountId, MarketId } from '@orrery/units';
import type { Meeting } from './packed.ts';
import { deviations, type Meetings, type Pair } from './chance.ts';
import { Groups } from './groups.ts';
import type { Edge, Links } from './links.ts';

/** Fewer trades prove nothing. */
export const PAIR_TRADES_MIN = 10;
/** How far beyond chance: times what was expected, and standard deviations. */
const SURE = { times: 6, deviations: 7 };
/** Enough between two that are a large part of each other's trading, or of one invite tree or network. */
const LIKELY = { times: 3, deviations: 7 };
const LARGE_PART = 0.15;
/** For slow trading; a pair of one network needs only the thresholds of quick trading. */
const SLOW_PAIR_TRADES_MIN = 20;
const SLOW = { times: 8, deviations: 12 };
const QUICK_PART = 0.5;
/** Of what was traded, what a ring is left with at most. */
const LEFT_OVER_MAX = 0.35;

/** How often two met, and how often chance would have made them meet. */
export interface Met {
  trades: number;
  expected: number;
}

export const isFar = ({ trades, expected }: Met, bound: typeof SURE): boolean =>
  trades >= bound.times * expected && deviations(trades, expected) >= bound.deviations;

export function tradingEdges(
  flows: readonly Meeting[],
  { meetings, links, isPerson }: { meetings: Meetings; links: Links; isPerson: (account: AccountId) => boolean },
): readonly Edge[] {
  const suspects = [...meetings.pairs(PAIR_TRADES_MIN)].filter(
    (pair) => isPerson(pair.low) && isPerson(pair.high) && isBeyondChance(pair, meetings, links),
  );
  return roundTrips(suspects, flows);
}

function isBeyondChance(pair: Pair, meetings: Meetings, links: Links): boolean {
  const { low, high, trades, quick } = pair;
  const isOneNetwork = links.isOneNetwork(low, high);
  const isQuick = isOneNetwork || quick >= QUICK_PART * trades;
  if (!isQuick && trades < SLOW_PAIR_TRADES_MIN) return false;
  const met = { trades, expected: meetings.expected(pair) };
  if (trades >= SLOW_PAIR_TRADES_MIN && isFar(met, SLOW)) return true;
  if (!isQuick) return false;
  const most = Math.max(meetings.tradesOf(low), meetings.tradesOf(high));
  const isNear = isOneNetwork || trades >= LARGE_PART * most || links.isOneTree(low, high);
  return isFar(met, isNear ? LIKELY : SURE);
}

/** Of the suspects those whose trades, with all that hangs together or between the two alone, end about where they began. */
function roundTrips(suspects: readonly Pair[], flows: readonly Meeting[]): readonly Edge[] {
  const groups = new Groups();
  for (const { low, high } of suspects) groups.join(low, high);
  const nameOfGroup = (one: AccountId, other: AccountId): string | undefined =>
    groups.isTogether(one, other) ? `${groups.rootOf(one)}` : undefined;
  const pairs = new Set(suspects.map(({ low, high }) => `${low} ${high}`));
  const nameOfPair = (one: AccountId, other: AccountId): string | undefined => {
    const name = one < other ? `${one} ${other}` : `${other} ${one}`;
    return pairs.has(name) ? name : undefined;
  };
  const [ofGroups, ofPairs] = [leftOvers(flows, nameOfGroup), leftOvers(flows, nameOfPair)];
  const isRound = (leftOver: number | undefined): boolean => leftOver !== undefined && leftOver <= LEFT_OVER_MAX;
  return suspects
    .filter(({ low, high }) => isRound(ofGroups.get(`${groups.rootOf(low)}`)) || isRound(ofPairs.get(`${low} ${high}`)))
    .map(({ low, high }) => [low, high]);
}

/** By name: the part of what was traded that the members are left with, markets weighed by what was traded in them. */
function leftOvers(
  flows: readonly Meeting[],
  nameOf: (one: AccountId, other: AccountId) => string | undefined,
): ReadonlyMap<string, number> {
  const nets = new Map<string, Map<MarketId, { net: Map<AccountId, number>; lots: number; quote: number }>>();
  for (const flow of flows) {
    const name = nameOf(flow.taker, flow.maker);
    if (name === undefined) continue;
    const markets = nets.get(name) ?? new Map<MarketId, { net: Map<AccountId, number>; lots: number; quote: number }>();
    nets.set(name, markets);
    const market = markets.get(flow.market) ?? { net: new Map<AccountId, number>(), lots: 0, quote: 0 };
    markets.set(flow.market, market);
    const net = Number(flow.netLots);
    market.net.set(flow.taker, (market.net.get(flow.taker) ?? 0) + net);
    market.net.set(flow.maker, (market.net.get(flow.maker) ?? 0) - net);
    market.lots += Number(flow.lots);
    market.quote += Number(flow.takerLeg.volume);
  }
  const parts = new Map<string, number>();
  for (const [name, markets] of nets) {
    let [weighed, weight] = [0, 0];
    for (const { net, lots, quote } of markets.values()) {
      const left = [...net.values()].reduce((sum, each) => sum + Math.abs(each), 0) / (2 * lots);
      weighed += left * quote;
      weight += quote;
    }
    parts.set(name, weight === 0 ? 1 : weighed / weight);
  }
  return parts;
}
