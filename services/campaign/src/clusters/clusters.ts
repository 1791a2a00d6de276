/**
 * Clusters: accounts that appear to have one owner. Sufficient alone: an address that money came from or went to, a small
 * invite tree, a shared device, leading a fund, and trading with one another far beyond chance. A shared network joins only together with something else: a
 * large invite tree, or trading beyond chance, of which it then takes less. An account that trades with one of them alone is captive, and one of
 * them too. Trades inside a cluster count on no board and for no task. Where members trade with one another beyond chance, they are a wash ring.
 */
import { type AccountId, assert } from '@orrery/units';
import { captiveEdges } from './captives.ts';
import { Meetings } from './chance.ts';
import { Groups } from './groups.ts';
import { Apart, type CommonFunder, type Edge, Links, type Relations } from './links.ts';
import type { Meeting } from './packed.ts';
import { isFar, type Met, PAIR_TRADES_MIN, tradingEdges } from './trading.ts';

export const EVIDENCE = ['FUNDING', 'INVITES', 'DEVICE', 'NETWORK', 'TRADING', 'CAPTIVE', 'FUND'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface Cluster {
  /** At least two, by account. */
  readonly members: readonly AccountId[];
  readonly evidence: readonly Evidence[];
  /** Trades among the members, and how many of them were to be expected. */
  readonly trades: number;
  readonly expected: number;
  /** Quote atoms traded among the members; each trade once. */
  readonly volume: bigint;
  /** The members that trade with the others; empty while that could be chance. */
  readonly washers: readonly AccountId[];
}

/** The result in a form that one thread can send to another. */
export interface Found {
  readonly all: readonly Cluster[];
  /** Addresses that pay too many to join them, those of most accounts first. */
  readonly commonFunders: readonly CommonFunder[];
}

export interface Clusters extends Found {
  isOneCluster(one: AccountId, other: AccountId): boolean;
  /** Names the cluster: its lowest account, or itself where one is alone. */
  rootOf(account: AccountId): AccountId;
}

export interface ClusterGround {
  readonly flows: Iterable<Meeting>;
  readonly relations: Relations;
  /** The exchange's own accounts trade with everybody and belong to no cluster. */
  readonly isHouse: (account: AccountId) => boolean;
  /** Quote atoms that an account has traded with one hand at least, to be captive; without it none is. */
  readonly captiveFrom: bigint | undefined;
}

/** Fewer inside, and one belongs to the cluster but washes nothing. */
const WASHER_TRADES_MIN = 5;
const RING = { times: 3, deviations: 6 };

export const findClusters = (ground: ClusterGround): Clusters => clustersOf(lookForClusters(ground));

export function clustersOf(found: Found): Clusters {
  const roots = new Map(found.all.flatMap(({ members }) => members.map((member) => [member, members[0] ?? member] as const)));
  const rootOf = (account: AccountId): AccountId => roots.get(account) ?? account;
  return { ...found, rootOf, isOneCluster: (one, other) => rootOf(one) === rootOf(other) };
}

export function lookForClusters({ flows: emitted, relations, isHouse, captiveFrom }: ClusterGround): Found {
  const flows = [...emitted];
  const meetings = new Meetings(flows);
  const isPerson = (account: AccountId): boolean => !isHouse(account);
  const links = new Links(relations, isPerson);
  const apart = new Apart(relations.apart);
  const [invites, devices] = [apart.without(links.invites), apart.without(links.devices)];
  const trading = apart.without(tradingEdges(flows, { meetings, links, isPerson }));
  // Trading of two that one network joins is found by it too.
  const networks = [...apart.without(links.networks), ...trading.filter(([one, other]) => links.isOneNetwork(one, other))];
  const groups = new Groups();
  join(groups, invites, devices, networks, trading, links.funds);
  const { edges, common } = links.funding(groups);
  const funding = apart.without(edges);
  join(groups, funding);
  const captive = captiveEdges(flows, { joined: groups, meetings, apart, isPerson, least: captiveFrom });
  join(groups, captive);
  const joined = {
    FUNDING: funding,
    INVITES: invites,
    DEVICE: devices,
    NETWORK: networks,
    TRADING: trading,
    CAPTIVE: captive,
    FUND: links.funds,
  };
  return {
    all: describe(groups, { flows, meetings, joined }),
    commonFunders: common.toSorted((left, right) => right.accounts - left.accounts || (left.address < right.address ? -1 : 1)),
  };
}

function join(groups: Groups, ...all: readonly (readonly Edge[])[]): void {
  for (const edges of all) for (const [one, other] of edges) groups.join(one, other);
}

type Joined = Readonly<Record<Evidence, readonly Edge[]>>;

interface Findings {
  readonly flows: readonly Meeting[];
  readonly meetings: Meetings;
  readonly joined: Joined;
}

function describe(groups: Groups, { flows, meetings, joined }: Findings): readonly Cluster[] {
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
