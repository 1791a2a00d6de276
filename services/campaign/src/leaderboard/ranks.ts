/** Who stands where: computed from the flows while a campaign can still change, read from what was decided after. */
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, accountId, type Address, atoms, type MarketId } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { Cluster, Clusters } from '../clusters/clusters.ts';
import { ClusterFinder } from '../clusters/finder.ts';
import type { Relations } from '../clusters/links.ts';
import { fundingLinks, isGift } from '../clusters/money.ts';
import type { FundPort, MoneyPort, Payment, TracePort } from '../ports.ts';
import { dayOfBlock, type Flow } from './flows.ts';
import type { Course, FlowFollower } from './follower.ts';
import { type Period, prizeOf } from './periods.ts';
import { type PairGround, type ProfitPair, profitPairs } from './profit-pairs.ts';
import { profitScores, type ProfitScore, type ScoreGround, standings } from './scores.ts';
import { loadFlows, loadMarks } from './store.ts';
import type { ValueTerms } from './worth.ts';
import type { Board } from '../tables/leaderboard.ts';
import type { CampaignTables } from '../tables/tables.ts';

/** How long computed clusters are cached while no payout depends on them, because computing them is expensive; milliseconds. */
const CLUSTERS_KEPT_MS = 10 * 60_000;
const RANKS_KEPT_MS = 5_000;
/** Who is to be a counterparty trades a tenth of what is worth passing on. */
const COUNTERPARTY_PART = 10n;

export interface Rank {
  readonly rank: number;
  readonly account: AccountId;
  readonly value: bigint;
  readonly points: number;
}

/** How one stands on a board. */
export interface OwnScore {
  /** Undefined where one is not ranked. */
  readonly rank: number | undefined;
  readonly value: bigint;
  readonly points: number;
  /** On the board of profit of a campaign that is not decided: what counts, and with how many others enough was traded. */
  readonly profit: Pick<ProfitScore, 'counted' | 'counterparties'> | undefined;
}

/** What of a payer's money an account must take along, for the two to be joined by it. */
export interface FundingMinimum {
  readonly coin: string;
  readonly atoms: bigint;
}

/** Whether trades of its members do not count. */
export const withholds = ({ volume }: Cluster): boolean => volume > 0n;

interface Kept<Value> {
  readonly at: number;
  readonly value: Promise<Value>;
}

export class Ranks {
  readonly #db: Kysely<CampaignTables>;
  readonly #members: AccountDirectory;
  readonly #follower: FlowFollower;
  readonly #money: MoneyPort;
  readonly #fundingMinimums: readonly FundingMinimum[];
  readonly #traces: TracePort;
  readonly #isHouse: (account: AccountId) => boolean;
  readonly #houseAddresses: ReadonlySet<Address>;
  readonly #funds: FundPort;
  readonly #now: () => number;
  readonly #finder = new ClusterFinder();
  readonly #clusters = new Map<string, Kept<Clusters>>();
  readonly #ranks = new Map<string, Kept<readonly Rank[]>>();
  readonly #profitsOf = new Map<string, Kept<readonly ProfitScore[]>>();
  readonly #pairs = new Map<string, Kept<readonly ProfitPair[]>>();

  constructor(parts: {
    db: Kysely<CampaignTables>;
    members: AccountDirectory;
    follower: FlowFollower;
    money: MoneyPort;
    fundingMinimums: readonly FundingMinimum[];
    traces: TracePort;
    isHouse: (account: AccountId) => boolean;
    houseAddresses: readonly Address[];
    funds: FundPort;
    now: () => number;
  }) {
    this.#db = parts.db;
    this.#members = parts.members;
    this.#follower = parts.follower;
    this.#money = parts.money;
    this.#fundingMinimums = parts.fundingMinimums;
    this.#traces = parts.traces;
    this.#isHouse = parts.isHouse;
    this.#houseAddresses = new Set(parts.houseAddresses);
    this.#funds = parts.funds;
    this.#now = parts.now;
  }

  /** Best first. A few seconds old at most, and by clusters of the last minutes. */
  of(period: Period, board: Board): Promise<readonly Rank[]> {
    if (period.isDecided) return this.#decided(period, board);
    return this.#kept(this.#ranks, `${period.campaignId} ${board}`, RANKS_KEPT_MS, async () =>
      this.#rank(period, board, await this.clusters(period.campaignId)),
    );
  }

  /** As old as the ranks. */
  async own(period: Period, board: Board, account: AccountId): Promise<OwnScore> {
    const ranked = (await this.of(period, board)).find((one) => one.account === account);
    const { rank, value = 0n, points = 0 } = ranked ?? {};
    if (board === 'VOLUME' || period.isDecided) return { rank, value, points, profit: undefined };
    const profit = (await this.#profits(period)).find((one) => one.account === account);
    return { rank, value: ranked?.value ?? profit?.value ?? 0n, points, profit };
  }

  /** Those of which one won nearly what the other lost; as they were found a few minutes ago at most. */
  pairs({ campaignId }: Pick<Period, 'campaignId'>): Promise<readonly ProfitPair[]> {
    return this.#kept(this.#pairs, campaignId, CLUSTERS_KEPT_MS, () => Promise.resolve(profitPairs(this.pairGround(campaignId))));
  }

  /** What pairs are found in: also what they traded. */
  pairGround(campaignId: string): PairGround {
    const { flows, marks } = this.#follower.course(campaignId);
    return { ...this.#marks(marks), flows: [...flows.all()], isHouse: this.#isHouse, from: this.#leastUsdc() ?? 0n };
  }

  /** As they are at this moment. */
  final(period: Period, board: Board, clusters: Clusters): readonly Rank[] {
    return this.#rank(period, board, clusters);
  }

  /** As they would be decided now, of a campaign that is decided already. */
  async again(period: Period): Promise<readonly { readonly board: Board; readonly ranks: readonly Rank[] }[]> {
    const { campaignId } = period;
    const course = { flows: await loadFlows(this.#db, campaignId), marks: await loadMarks(this.#db, campaignId) };
    const clusters = await this.#find(course.flows.all());
    return period.boards.map((board) => ({ board, ranks: this.#rank(period, board, clusters, course) }));
  }

  /** The cluster of which trades of an account did not count; as it was decided, or as it was found a few minutes ago at most. */
  async withheld({ campaignId, isDecided }: Period, account: AccountId): Promise<Pick<Cluster, 'members' | 'evidence'>> {
    const none = { members: [], evidence: [] };
    if (!isDecided) return (await this.clusters(campaignId)).all.find((one) => withholds(one) && one.members.includes(account)) ?? none;
    const rows = await this.#db
      .selectFrom('campaign_withheld as own')
      .innerJoin('campaign_withheld as other', (on) =>
        on.onRef('other.campaign_id', '=', 'own.campaign_id').onRef('other.root', '=', 'own.root'),
      )
      .select(['other.account', 'other.evidence'])
      .where('own.campaign_id', '=', campaignId)
      .where('own.account', '=', account)
      .orderBy('other.account')
      .execute();
    const apart = new Set((await this.#apart()).filter((set) => set.includes(account)).flat());
    const members = rows.map((row) => accountId(row.account)).filter((member) => member === account || !apart.has(member));
    return members.length < 2 ? none : { members, evidence: rows[0]?.evidence ?? [] };
  }

  /** Who was of one cluster with the account when campaigns were decided, and was not found to be somebody else since. */
  async decidedMembers(account: AccountId): Promise<readonly AccountId[]> {
    const rows = await this.#db
      .selectFrom('campaign_withheld as own')
      .innerJoin('campaign_withheld as other', (on) =>
        on.onRef('other.campaign_id', '=', 'own.campaign_id').onRef('other.root', '=', 'own.root'),
      )
      .select('other.account')
      .distinct()
      .where('own.account', '=', account)
      .orderBy('other.account')
      .execute();
    const apart = new Set((await this.#apart()).filter((set) => set.includes(account)).flat());
    return rows.map((row) => accountId(row.account)).filter((member) => !apart.has(member));
  }

  /** From now on nothing is looked for; who waits for it is refused. */
  close(): Promise<void> {
    return this.#finder.close();
  }

  /** Drops the cache. */
  forget(): void {
    this.#clusters.clear();
    this.#ranks.clear();
    this.#profitsOf.clear();
    this.#pairs.clear();
  }

  /** As they were found a few minutes ago at most. */
  clusters(campaignId: string | undefined): Promise<Clusters> {
    return this.#kept(this.#clusters, campaignId ?? '', CLUSTERS_KEPT_MS, () => this.findClusters(campaignId));
  }

  /** Puts a search of this moment into the cache. */
  async searchAgain(campaignId: string | undefined): Promise<void> {
    this.#clusters.delete(campaignId ?? '');
    await this.clusters(campaignId);
  }

  /** Computed without the cache: payouts use these. Outside of any campaign by money and invitations alone. */
  async findClusters(campaignId: string | undefined): Promise<Clusters> {
    return this.#find(campaignId === undefined ? [] : this.#follower.course(campaignId).flows.all());
  }

  async #find(flows: Iterable<Flow>): Promise<Clusters> {
    const captiveFrom = this.#leastUsdc();
    return this.#finder.find({ flows, relations: await this.#relations(), house: this.#house(), captiveFrom });
  }

  #house(): readonly AccountId[] {
    const own = [...this.#houseAddresses].flatMap((address) => this.#members.find(address)?.account ?? []);
    const led = this.#funds.all().filter(({ account }) => this.#isHouse(account));
    return [...own, ...led.map(({ account }) => account)];
  }

  #rank(period: Period, board: Board, clusters: Clusters, course = this.#follower.course(period.campaignId)): readonly Rank[] {
    return standings(board, this.#ground(period, clusters, course)).map(({ account, value }, index) => {
      const rank = index + 1;
      return { rank, account, value, points: prizeOf(period, { rank, value }) };
    });
  }

  #profits(period: Period): Promise<readonly ProfitScore[]> {
    return this.#kept(this.#profitsOf, period.campaignId, RANKS_KEPT_MS, async () =>
      profitScores(this.#ground(period, await this.clusters(period.campaignId), this.#follower.course(period.campaignId))),
    );
  }

  #ground(period: Period, clusters: Clusters, { flows, marks }: Course): ScoreGround {
    return {
      ...this.#marks(marks),
      flows: flows.all(),
      clusterOf: (account) => clusters.rootOf(account),
      isHouse: this.#isHouse,
      counterpartyFrom: (this.#leastUsdc() ?? 0n) / COUNTERPARTY_PART,
      dayOf: (block) => dayOfBlock(block, period.startsAt),
      volumeCapPerDay: period.volumeCapPerDay,
      // A fund is no person: what it trades and gains belongs to those who hold its shares.
      isRanked: (account) =>
        !this.#isHouse(account) && this.#funds.leaderOf(account) === undefined && this.#members.get(account)?.flags.blocked === false,
    };
  }

  #marks(marks: Course['marks']): Pick<ScoreGround, 'marks' | 'marketOf'> {
    return { marks, marketOf: (market) => termsOf(this.#members, market) };
  }

  /** As much as is worth passing on: what of a payer's money joins it with an account. */
  #leastUsdc(): bigint | undefined {
    return this.#fundingMinimums.find(({ coin }) => coin === 'USDC')?.atoms;
  }

  async #decided({ campaignId }: Period, board: Board): Promise<readonly Rank[]> {
    const rows = await this.#db
      .selectFrom('campaign_result')
      .selectAll()
      .where('campaign_id', '=', campaignId)
      .where('board', '=', board)
      .orderBy('rank')
      .execute();
    return rows.map(({ rank, account, value, points }) => ({ rank, account: accountId(account), value: BigInt(value), points }));
  }

  async #relations(): Promise<Relations> {
    const invites = await this.#db.selectFrom('campaign_invite').select(['invited', 'inviter']).orderBy('invited').execute();
    return {
      funding: await this.#funding(),
      invites: invites.map(({ invited, inviter }) => ({ account: accountId(invited), inviter: accountId(inviter) })),
      traces: await this.#traces.all(),
      apart: await this.#apart(),
      funds: this.#funds.all(),
    };
  }

  async #funding(): Promise<Relations['funding']> {
    // Accounts funded by the exchange, such as those that claim from the faucet, are not linked by that.
    const all = [...(await this.#money.payments()), ...(await this.#internalPayments())];
    const payments = all.filter(({ counterparty }) => !this.#houseAddresses.has(counterparty));
    const gifts = payments.filter(isGift);
    const accountAt = (address: Address): AccountId | undefined => this.#members.find(address)?.account;
    const accounts = [...new Set(gifts.map(({ address }) => accountAt(address)))].filter((account) => account !== undefined);
    const assets = [...new Set(gifts.map(({ asset }) => asset))];
    const moves = gifts.length === 0 ? [] : await this.#money.fundingMoves({ accounts, assets });
    const minimums = new Map(this.#fundingMinimums.map(({ coin, atoms }) => [this.#members.asset(coin)?.asset, atoms]));
    return fundingLinks({
      payments,
      moves,
      accountAt,
      addressOf: (account) => this.#members.get(account)?.address,
      minimumOf: (asset) => minimums.get(asset),
    });
  }

  async #internalPayments(): Promise<readonly Payment[]> {
    const withdrawals = await this.#money.internalWithdrawals();
    return withdrawals.flatMap(({ withdrawalId: key, account, to: address, asset, amount }) => {
      const counterparty = this.#members.get(account)?.address;
      return counterparty === undefined ? [] : [{ direction: 'INTERNAL', key, address, counterparty, asset, amount } as const];
    });
  }

  async #apart(): Promise<Relations['apart']> {
    const rows = await this.#db.selectFrom('campaign_apart').selectAll().orderBy('appeal_id').orderBy('account').execute();
    const sets = Map.groupBy(rows, ({ appeal_id: appealId }) => appealId);
    return [...sets.values()].map((set) => set.map(({ account }) => accountId(account)));
  }

  /** Concurrent callers share one computation; after a failure the next caller retries. */
  #kept<Value>(all: Map<string, Kept<Value>>, key: string, keepMs: number, make: () => Promise<Value>): Promise<Value> {
    const found = all.get(key);
    const now = this.#now();
    if (found !== undefined && now - found.at < keepMs) return found.value;
    const value = make();
    all.set(key, { at: now, value });
    value.catch(() => all.delete(key));
    return value;
  }
}

/** A lot of a contract is worth a tick's atoms at each tick; of an inverse contract no position is counted. */
function termsOf(members: AccountDirectory, id: MarketId): ValueTerms | undefined {
  const contract = members.contract(id);
  return contract === undefined ? members.market(id) : { tickLotAtoms: contract.tickLotAtoms, lotAtoms: ONE_LOT };
}

const ONE_LOT = atoms(1n);
