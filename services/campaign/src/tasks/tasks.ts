/** Tasks of an account: their progress, computed from history, and their rewards. */
import { ApiError, type TaskItem, type TaskState, type TaskStatus } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, type Address, atoms, printAtoms, unreachable } from '@orrery/units';
import type { AwardKind, Awards } from '../awards/awards.ts';
import type { Invites } from '../members/invites.ts';
import { offerOf, type Task, type TaskCatalogue } from './catalogue.ts';
import { countedOf } from './counted.ts';
import type { DayActivity, ActivityPort } from './activity.ts';
import { periodAt } from './period.ts';

const QUOTE = 'USDC';

/** Who belongs to one hand. */
export interface ClusterPort {
  /** The accounts of its cluster, itself among them; as they were found a few minutes ago at most. */
  membersOf(account: AccountId): Promise<readonly AccountId[]>;
  /** As they are found by everything that has happened until now. */
  membersNow(account: AccountId): Promise<readonly AccountId[]>;
}

export interface Person {
  readonly account: AccountId;
  readonly address: Address;
}

interface Progress {
  readonly task: Task;
  /** In atoms of USDC where that is the unit, else a count. */
  readonly progress: bigint;
  readonly status: TaskState;
  /** Under which the reward is given. */
  readonly awardKey: string;
}

interface Measured {
  readonly account: AccountId;
  readonly now: number;
  readonly clusterOf: (account: AccountId) => Promise<readonly AccountId[]>;
}

/** The reward that an activity gives automatically, without a claim. */
const KIND_OF_ACTIVITY: Partial<Record<Task['rule'], AwardKind>> = { LUCKY_BLOCKS: 'LUCKY_BLOCK', LEADERBOARDS: 'LEADERBOARD' };

/** What is measured beside the account's cluster: what it trades inside itself counts for none of these. */
const BY_CLUSTER: ReadonlySet<Task['rule']> = new Set([
  'ORDERS',
  'TRADES',
  'VOLUME',
  'CONTRACT_ORDERS',
  'CONTRACT_TRADES',
  'CONTRACT_VOLUME',
  'INVITED',
]);

export class Tasks {
  readonly #catalogue: TaskCatalogue;
  readonly #activity: ActivityPort;
  readonly #awards: Awards;
  readonly #invites: Invites;
  readonly #members: AccountDirectory;
  readonly #clusters: ClusterPort;
  readonly #now: () => number;

  constructor(parts: {
    catalogue: TaskCatalogue;
    activity: ActivityPort;
    awards: Awards;
    invites: Invites;
    members: AccountDirectory;
    clusters: ClusterPort;
    now: () => number;
  }) {
    this.#catalogue = parts.catalogue;
    this.#activity = parts.activity;
    this.#awards = parts.awards;
    this.#invites = parts.invites;
    this.#members = parts.members;
    this.#clusters = parts.clusters;
    this.#now = parts.now;
  }

  async statuses(person: Person): Promise<TaskStatus[]> {
    const standings = await this.#progressOf(person, await this.#catalogue.offered());
    return standings.map(({ task, status }) => ({ taskCode: task.code, status }));
  }

  async list(person: Person): Promise<TaskItem[]> {
    const standings = await this.#progressOf(person, await this.#catalogue.offered());
    return standings.map(({ task, status, progress }) => ({
      ...offerOf(task),
      status,
      progress: task.unit === 'USDC' ? printAtoms(atoms(progress), this.#quoteDecimals()) : String(progress),
    }));
  }

  /** Gives the reward of a task that is done; asking again gives nothing more. */
  async claim(person: Person, code: string): Promise<{ taskCode: string; reward: number }> {
    const task = await this.#catalogue.claimable(code);
    const { awardKey: key, status } = await this.#qualified(person, task);
    const { account } = person;
    if (KIND_OF_ACTIVITY[task.rule] === undefined && status === 1 && task.reward > 0) {
      await this.#awards.give({ key, account, kind: 'TASK', name: task.name, points: task.reward, at: this.#now() });
    }
    return { taskCode: code, reward: task.reward };
  }

  async count(person: Person): Promise<{ points: number; completed: number; orders: number; volume: string }> {
    const { orders, volume } = await this.#activity.activity(person.account);
    return {
      points: await this.#awards.total(person.account),
      completed: (await this.statuses(person)).filter(({ status }) => status > 0).length,
      orders,
      volume: printAtoms(atoms(volume), this.#quoteDecimals()),
    };
  }

  /** A reward that trading earns is given by the clusters of this moment: two who have just traded with one another may be one. */
  async #qualified(person: Person, task: Task): Promise<Progress> {
    const [lately] = await this.#progressOf(person, [task]);
    if (lately === undefined || lately.status === 0) throw new ApiError('NotQualified');
    if (lately.status === 2 || !BY_CLUSTER.has(task.rule)) return lately;
    const cluster = await this.#clusters.membersNow(person.account);
    const [standing] = await this.#progressOf(person, [task], () => Promise.resolve(cluster));
    if (standing === undefined || standing.status === 0) throw new ApiError('NotQualified');
    return standing;
  }

  async #progressOf(
    { account, address }: Person,
    tasks: readonly Task[],
    clusterOf = (one: AccountId) => this.#clusters.membersOf(one),
  ): Promise<readonly Progress[]> {
    const now = this.#now();
    const measure = this.#measure({ account, now, clusterOf });
    const keyed = tasks.map((task) => ({ task, awardKey: `task:${task.code}:${periodAt(task.period, now).key}:${address}` }));
    const given = await this.#awards.givenOf({ account, keys: keyed.map(({ awardKey }) => awardKey) });
    const standings: Progress[] = [];
    for (const { task, awardKey } of keyed) {
      const progress = await measure(task);
      const goal = this.#inUnits(task, task.goal);
      const done = progress >= goal;
      // An activity has given its award when it counts one.
      const rewarded = given.has(awardKey) || (done && KIND_OF_ACTIVITY[task.rule] !== undefined);
      standings.push({ task, awardKey, progress, status: rewarded ? 2 : done ? 1 : 0 });
    }
    return standings;
  }

  /** Asks history once for each stretch of time. */
  #measure({ account, now, clusterOf }: Measured): (task: Task) => Promise<bigint> {
    const activity = remembered(() => this.#activity.activity(account));
    const cluster = remembered(() => clusterOf(account));
    const dayActivity = remembered(async (range: string) => {
      const [from = 0, until = now] = range.split(' ').map(Number);
      return this.#activity.dayActivity({ accounts: await cluster(''), from, until });
    });
    return async (task) => {
      const from = Math.max(periodAt(task.period, now).from, task.startsAt ?? 0);
      const cap = task.dayCap === null ? undefined : this.#inUnits(task, task.dayCap);
      const inDays = async (countOf: (day: DayActivity) => bigint): Promise<bigint> =>
        countedOf(await dayActivity(`${from} ${Math.min(now, task.endsAt ?? now)}`), { account, cap, countOf });
      switch (task.rule) {
        case 'CLAIMS':
          return happened((await activity('')).firstClaimAt);
        case 'DEPOSITS':
          return happened((await activity('')).firstDepositAt);
        case 'TRANSFERS':
          return happened((await activity('')).firstTransferAt);
        case 'ORDERS':
          return inDays(({ orders }) => BigInt(orders));
        case 'TRADES':
          return inDays(({ trades }) => BigInt(trades));
        case 'VOLUME':
          return inDays(({ volume }) => volume);
        case 'CONTRACT_ORDERS':
          return inDays(({ contractOrders }) => BigInt(contractOrders));
        case 'CONTRACT_TRADES':
          return inDays(({ contractTrades }) => BigInt(contractTrades));
        case 'CONTRACT_VOLUME':
          return inDays(({ contractVolume }) => contractVolume);
        case 'INVITED':
          return BigInt(await this.#invites.tradersInvitedBy({ inviter: account, cluster: await cluster('') }));
        case 'LUCKY_BLOCKS':
        case 'LEADERBOARDS':
          return BigInt((await this.#awards.tally({ account, kind: KIND_OF_ACTIVITY[task.rule] ?? 'TASK' })).count);
        default:
          return unreachable(task.rule);
      }
    };
  }

  /** Counts are counts, USDC are atoms. */
  #inUnits({ unit }: Task, whole: number): bigint {
    return BigInt(whole) * (unit === 'USDC' ? 10n ** BigInt(this.#quoteDecimals()) : 1n);
  }

  #quoteDecimals(): number {
    return this.#members.asset(QUOTE)?.decimals ?? 0;
  }
}

const happened = (at: number | undefined): bigint => (at === undefined ? 0n : 1n);

/** Asks once for each key. */
function remembered<Answer>(ask: (key: string) => Promise<Answer>): (key: string) => Promise<Answer> {
  const answers = new Map<string, Promise<Answer>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}
