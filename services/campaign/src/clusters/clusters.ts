/**
 * Clusters: accounts that belong to one hand, as far as can be told. Three things join them: an address that money came from or went to,
 * a small invite tree, and trading with one another far beyond chance, within seconds, back and forth with little left over.
 * Trades inside a cluster count on no board. Where members trade with one another beyond chance, they are a wash ring.
 */
import { type AccountId, assert, type MarketId } from '@orrery/units';
import { deviations, Meetings, type Pair } from './chance.ts';
import { Groups } from './groups.ts';
import type { Flow } from '../leaderboard/flows.ts';

export const EVIDENCE = ['FUNDING', 'INVITES', 'TRADING'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface Relations {
  /** An address that the account's money came from or went to; its own address among them. */
  readonly funding: readonly { readonly account: AccountId; readonly address: string }[];
  readonly invites: readonly { readonly account: AccountId; readonly inviter: AccountId }[];
}

export interface Cluster {
  /** At least two, by account. */
  readonly members: readonly AccountId[];
  readonly evidence: readonly Evidence[];
  /** Trades among the members, and how many of them were to be expected. */
  readonly trades: number;
  readonly expected: number;
  /** Quote atoms traded among the members; each trade once. */
  readonly volume: bigint;
  /** The members that trade with the others; nobody while that could be chance. */
  readonly washers: readonly AccountId[];
}

export interface Clusters {
  readonly all: readonly Cluster[];
  isOneCluster(one: AccountId, other: AccountId): boolean;
  /** Names the cluster: its lowest account, or itself where one is alone. */
  rootOf(account: AccountId): AccountId;
}

export interface ClusterGround {
  readonly flows: Iterable<Flow>;
  readonly relations: Relations;
  /** The exchange's own accounts trade with everybody and belong to no cluster. */
  readonly isHouse: (account: AccountId) => boolean;
}

/** In a larger tree people do not know each other: it joins only whom their trading joins too. */
const TREE_MAX = 20;
/** Fewer trades prove nothing. */
const PAIR_TRADES_MIN = 10;
/** How far beyond chance: times what was expected, and standard deviations. */
const SURE = { times: 5, deviations: 6 };
/** Enough between two that are a large part of each other's trading, or that one invite tree joins. */
const LIKELY = { times: 2.5, deviations: 6 };
const LARGE_PART = 0.15;
/** Of trades that nobody hurried. */
const SLOW_PAIR_TRADES_MIN = 20;
const SLOW = { times: 8, deviations: 12 };
const QUICK_PART = 0.5;
/** Of what was traded, what a ring is left with at most. */
const LEFT_OVER_MAX = 0.35;
/** Fewer inside, and one belongs to the cluster but washes nothing. */
const WASHER_TRADES_MIN = 5;
const RING = { times: 2, deviations: 6 };

export function findClusters({ flows: told, relations, isHouse }: ClusterGround): Clusters {
  const flows = [...told];
  const meetings = new Meetings(flows);
  const groups = new Groups();
  const joined: Joined = { FUNDING: [], INVITES: [], TRADING: [] };
  const person = (account: AccountId): boolean => !isHouse(account);
  for (const edge of fundingEdges(relations)) if (edge.every(person)) joined.FUNDING.push(edge);
  const trees = treesOf(relations);
  for (const tree of trees.all()) if (tree.length <= TREE_MAX) joined.INVITES.push(...chained(tree.filter(person)));
  const suspects = [...meetings.pairs(PAIR_TRADES_MIN)].filter(
    (pair) => person(pair.low) && person(pair.high) && isBeyondChance(pair, meetings, trees),
  );
  joined.TRADING.push(...roundTrips(suspects, flows));
  for (const edges of Object.values(joined)) for (const [one, other] of edges) groups.join(one, other);
  return {
    all: clustersOf(groups, { flows, meetings, joined }),
    isOneCluster: (one, other) => groups.isTogether(one, other),
    rootOf: (account) => groups.rootOf(account),
  };
}

type Edge = readonly [AccountId, AccountId];
type Joined = Readonly<Record<Evidence, Edge[]>>;

/** Each account with the first that the same address paid, or was paid by. */
function* fundingEdges({ funding }: Relations): Generator<Edge> {
  const firstAt = new Map<string, AccountId>();
  for (const { account, address } of funding) {
    const first = firstAt.get(address);
    if (first === undefined) firstAt.set(address, account);
    else if (first !== account) yield [first, account];
  }
}

function treesOf({ invites }: Relations): Groups {
  const trees = new Groups();
  for (const { account, inviter } of invites) trees.join(account, inviter);
  return trees;
}

/** Each with the one before it. */
const chained = (members: readonly AccountId[]): Edge[] =>
  members.flatMap((member, index) => {
    const before = members[index - 1];
    return before === undefined ? [] : [[before, member] as const];
  });

function isBeyondChance(pair: Pair, meetings: Meetings, trees: Groups): boolean {
  const { low, high, trades, quick } = pair;
  const isQuick = quick >= QUICK_PART * trades;
  if (!isQuick && trades < SLOW_PAIR_TRADES_MIN) return false;
  const met = { trades, expected: meetings.expected(pair) };
  if (trades >= SLOW_PAIR_TRADES_MIN && isFar(met, SLOW)) return true;
  if (!isQuick) return false;
  const most = Math.max(meetings.tradesOf(low), meetings.tradesOf(high));
  const isNear = trades >= LARGE_PART * most || trees.isTogether(low, high);
  return isFar(met, isNear ? LIKELY : SURE);
}

const isFar = ({ trades, expected }: Met, bound: typeof SURE): boolean =>
  trades >= bound.times * expected && deviations(trades, expected) >= bound.deviations;

/** Of the suspects those whose trades, with all that hangs together or between the two alone, end about where they began. */
function roundTrips(suspects: readonly Pair[], flows: readonly Flow[]): readonly Edge[] {
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
function leftOvers(flows: readonly Flow[], nameOf: (one: AccountId, other: AccountId) => string | undefined): ReadonlyMap<string, number> {
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

interface Findings {
  readonly flows: readonly Flow[];
  readonly meetings: Meetings;
  readonly joined: Joined;
}

function clustersOf(groups: Groups, { flows, meetings, joined }: Findings): readonly Cluster[] {
  const inside = new Map<AccountId, Inside>();
  for (const [root] of groups.all()) if (root !== undefined) inside.set(root, new Inside());
  const at = (one: AccountId, other: AccountId) => (groups.isTogether(one, other) ? inside.get(groups.rootOf(one)) : undefined);
  for (const { taker, maker, takerLeg } of flows) {
    const found = at(taker, maker);
    if (found !== undefined) found.volume += takerLeg.volume;
  }
  for (const pair of meetings.pairs(1)) {
    const found = at(pair.low, pair.high);
    if (found === undefined) continue;
    const expected = meetings.expected(pair);
    for (const sum of [found, found.of(pair.low), found.of(pair.high)]) {
      sum.trades += pair.trades;
      sum.expected += expected;
    }
  }
  for (const kind of EVIDENCE) for (const [one, other] of joined[kind]) at(one, other)?.evidence.add(kind);
  return groups.all().map((members) => {
    const found = members[0] === undefined ? undefined : inside.get(members[0]);
    assert(found !== undefined, 'every group was looked into');
    const { trades, expected, volume, evidence } = found;
    const isWashing = trades >= PAIR_TRADES_MIN && isFar(found, RING);
    const washers = isWashing ? members.filter((member) => isWasher(found.of(member))) : [];
    return { members, evidence: EVIDENCE.filter((kind) => evidence.has(kind)), trades, expected, volume, washers };
  });
}

const isWasher = ({ trades, expected }: Met): boolean => trades >= WASHER_TRADES_MIN && trades >= RING.times * expected;

interface Met {
  trades: number;
  expected: number;
}

/** What was found inside one group. */
class Inside implements Met {
  trades = 0;
  expected = 0;
  volume = 0n;
  readonly evidence = new Set<Evidence>();
  readonly #members = new Map<AccountId, Met>();

  of(member: AccountId): Met {
    const met = this.#members.get(member) ?? { trades: 0, expected: 0 };
    this.#members.set(member, met);
    return met;
  }
}
