/** The service put together: whitelist, faucet policy, tasks. */
import {
  type AwardNews,
  faucetRoutes,
  futuresCampaignRoutes,
  inviteRoutes,
  leaderboardRoutes,
  luckyBlockRoutes,
  type TableHandlers,
  taskRoutes,
  whitelistRoutes,
} from '@orrery/api';
import { AccountDirectory, type LeasePort, repeat, whileHeld } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';
import type { Kysely } from 'kysely';
import { type AwardOperations, awardOperations } from './awards/operations.ts';
import { type Award, Awards, type RewardTerms } from './awards/awards.ts';
import { Budgets, type BudgetTerms } from './awards/budgets.ts';
import { type Claim, Claims, type ClaimStatus, statusOf } from './faucet/claims.ts';
import { Faucet, type FaucetTerms } from './faucet/faucet.ts';
import { faucetHandlers, inviteHandlers, newsOf, type SessionPort, taskHandlers, whitelistHandlers } from './handlers.ts';
import { futuresCampaignHandlers } from './futures-campaign.ts';
import { type InvitePort, Invites } from './members/invites.ts';
import { type Lucky, openLucky, type LuckyOperations, type LuckyTerms } from './lucky/lucky.ts';
import { type Leaderboard, type LeaderboardGround, openLeaderboard } from './leaderboard/leaderboard.ts';
import { MONDAY_NOON_CRON } from './whitelist/monday-noon.ts';
import { type CampaignTables, migrations } from './tables/tables.ts';
import { type OperatedTask, TaskCatalogue, type TaskChange } from './tasks/catalogue.ts';
import { TASK_PLANS, taskNameOf } from './tasks/plans.ts';
import type { ActivityPort } from './tasks/activity.ts';
import { Tasks } from './tasks/tasks.ts';
import type { PersonKeysPort } from './ports.ts';
import { type BoxPort, SealedEmails } from './whitelist/sealed-emails.ts';
import { Whitelist, type WhitelistOperations, type WhitelistPolicy } from './whitelist/whitelist.ts';

const MIDNIGHT_CRON = '0 0 * * *';

const routes = {
  whitelist: whitelistRoutes,
  faucet: faucetRoutes,
  task: taskRoutes,
  invite: inviteRoutes,
  luckyBlock: luckyBlockRoutes,
  leaderboard: leaderboardRoutes,
  futuresCampaign: futuresCampaignRoutes,
};

export interface CampaignOptions {
  readonly heart: Heart;
  readonly db: Kysely<CampaignTables>;
  /** By connections of their own, for lists that are paged through. */
  readonly reads: Kysely<CampaignTables>;
  readonly whitelist: WhitelistPolicy;
  readonly sessions: SessionPort;
  /** Seals the e-mails of those who wait. */
  readonly box: BoxPort;
  readonly keys: PersonKeysPort;
  readonly faucet: FaucetTerms;
  readonly rewards: RewardTerms;
  readonly lucky: LuckyTerms;
  readonly leaderboard: LeaderboardGround;
  /** Of all processes on the database one does what is due. */
  readonly leases: LeasePort;
  /** History of the accounts. */
  readonly activity: ActivityPort & InvitePort;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export interface ClaimChange {
  readonly account: AccountId;
  readonly address: Address;
  readonly status: ClaimStatus;
}

export interface AwardChange {
  readonly account: AccountId;
  readonly news: AwardNews;
}

/** What operators have a hand in. Every change may be asked for twice. */
export interface CampaignOperations {
  readonly whitelist: WhitelistOperations;
  readonly lucky: LuckyOperations;
  readonly budgets: { list(): Promise<BudgetTerms>; change(terms: BudgetTerms): Promise<void> };
  readonly tasks: { list(): Promise<readonly OperatedTask[]>; change(change: TaskChange): Promise<void> };
  readonly awards: AwardOperations;
}

export interface Campaign {
  readonly handlers: TableHandlers<typeof routes>;
  readonly operations: CampaignOperations & Leaderboard['operations'];
  readonly clusters: Pick<Leaderboard['clusters'], 'membersOf'>;
  /** Of an account; made when it is first asked for. */
  inviteCodeOf(account: AccountId): Promise<string>;
  /** What is kept of a person is gone when it resolves; asked for again it changes nothing. */
  erase(person: { account: AccountId; address: Address }): Promise<void>;
  /** Calls `listener` whenever a claim has moved on. */
  onClaim(listener: (change: ClaimChange) => void): () => void;
  /** Calls `listener` whenever points were given. */
  onAward(listener: (change: AwardChange) => void): () => void;
  /** Executes what is due; also runs automatically at its times. */
  runDue(): Promise<void>;
  stop(): Promise<void>;
}

/** The tables must be there: see `migrations`. */
export async function openCampaign(options: CampaignOptions): Promise<Campaign> {
  const { heart, db, reads, keys, leases, now, onTrouble } = options;
  const claimChanges = listened<ClaimChange>();
  const awardChanges = listened<AwardChange>();
  const members = new AccountDirectory(heart);
  const whitelist = new Whitelist({ db, reads, members, emails: await SealedEmails.open(options), policy: options.whitelist, now });
  members.onOpened(({ address }) => void whitelist.admit(address).catch(onTrouble));
  const notify = (claim: Claim): void => {
    const account = members.get(claim.account);
    if (account === undefined) return;
    claimChanges.notify({ account: claim.account, address: account.address, status: statusOf(claim, now()) });
  };
  const claims = new Claims({ heart, db, members, taskNameOf, onTrouble, onChange: notify });
  const { rewards, faucet: faucetTerms } = options;
  const budgets = new Budgets({ db, configured: { pointsPerDay: rewards.pointsPerDay, faucetClaimsPerDay: faucetTerms.claimsPerDay } });
  const claimsPerDay = async (): Promise<number> => (await budgets.list()).faucetClaimsPerDay;
  const faucet = new Faucet({ heart, db, members, claims, whitelist, terms: faucetTerms, claimsPerDay, now });
  const onGiven = (award: Award): void => awardChanges.notify({ account: award.account, news: newsOf(award) });
  const pointsPerDay = async (): Promise<number> => (await budgets.list()).pointsPerDay;
  const caughtUp = async (): Promise<void> => claims.reached(await heart.end());
  const awards = new Awards({ heart, db, reads, members, terms: rewards, pointsPerDay, caughtUp, now, onGiven });
  const catalogue = new TaskCatalogue({ db, now });
  await catalogue.plant(TASK_PLANS);
  const invites = new Invites({ db, port: options.activity, now });
  members.start();
  await claims.start();
  // No listener receives a state older than the heart's.
  await claims.reached(heart.status().seq);
  for (const { address } of members.all()) await whitelist.admit(address);
  const leaderboard = await openLeaderboard({ ...options.leaderboard, heart, db, reads, members, awards, keys, leases, now, onTrouble });
  const { clusters } = leaderboard;
  const tasks = new Tasks({ catalogue, activity: options.activity, awards, invites, members, clusters, now });
  const { lucky: luckyTerms } = options;
  const luckyParts = { heart, db, members, awards, clusters, funds: options.leaderboard.funds, terms: luckyTerms, now, onTrouble };
  const lucky = openLucky({ ...luckyParts, lease: await leases.open('lucky blocks') });
  const lease = await leases.open('campaign');
  const runAll = async (): Promise<void> => {
    await whitelist.expand();
    await faucet.fundToday();
    await awards.fundToday();
    await awards.resume();
    await leaderboard.runDue();
  };
  const runDue = (): Promise<void> => whileHeld(lease, runAll);
  await runDue();
  lucky.start();
  const times = [MONDAY_NOON_CRON, MIDNIGHT_CRON].map((every) => repeat({ every, lease, work: runAll, onTrouble }));
  return {
    handlers: handlersOf({ ...options, whitelist, faucet, tasks, catalogue, awards, invites, members, lucky, leaderboard, now }),
    operations: {
      whitelist: whitelist.operations,
      lucky: lucky.operations,
      ...leaderboard.operations,
      ...rewardOperations({ budgets, catalogue, awards, members, now }),
    },
    clusters,
    inviteCodeOf: (account) => invites.codeOf(account),
    erase: (person) => erasePerson(person, { whitelist, leaderboard }),
    onClaim: claimChanges.on,
    onAward: awardChanges.on,
    runDue,
    async stop() {
      for (const time of times) await time.stop();
      for (const part of [lucky, leaderboard, claims, members]) await part.stop();
    },
  };
}

async function erasePerson(
  { account, address }: { account: AccountId; address: Address },
  { whitelist, leaderboard }: { whitelist: Whitelist; leaderboard: Leaderboard },
): Promise<void> {
  await whitelist.erase(address);
  await leaderboard.erase(account);
}

interface HandlerParts extends Pick<CampaignOptions, 'sessions'> {
  readonly whitelist: Whitelist;
  readonly faucet: Faucet;
  readonly tasks: Tasks;
  readonly catalogue: TaskCatalogue;
  readonly awards: Awards;
  readonly invites: Invites;
  readonly members: AccountDirectory;
  readonly lucky: Lucky;
  readonly leaderboard: Leaderboard;
  readonly now: () => number;
}

const handlersOf = (parts: HandlerParts): TableHandlers<typeof routes> => {
  const { whitelist, sessions, faucet, tasks, catalogue, awards, invites, members, lucky, leaderboard, now } = parts;
  return {
    whitelist: whitelistHandlers({ whitelist, sessions }),
    faucet: faucetHandlers(faucet),
    task: taskHandlers({ tasks, catalogue, awards, now }),
    invite: inviteHandlers({ invites, awards, members }),
    luckyBlock: lucky.handlers,
    leaderboard: leaderboard.handlers,
    futuresCampaign: futuresCampaignHandlers({ catalogue, awards, lucky, leaderboard }),
  };
};

interface RewardParts {
  readonly budgets: Budgets;
  readonly catalogue: TaskCatalogue;
  readonly awards: Awards;
  readonly members: AccountDirectory;
  readonly now: () => number;
}

const rewardOperations = ({ budgets, catalogue, ...parts }: RewardParts): Pick<CampaignOperations, 'budgets' | 'tasks' | 'awards'> => ({
  budgets: { list: () => budgets.list(), change: (terms) => budgets.change(terms) },
  tasks: { list: () => catalogue.operated(), change: (change) => catalogue.change(change) },
  awards: awardOperations(parts),
});

/** Those who listen to changes of one kind. */
function listened<Change>(): { notify(this: void, change: Change): void; on(this: void, listener: (change: Change) => void): () => void } {
  const listeners = new Set<(change: Change) => void>();
  return {
    notify: (change) => {
      for (const listener of listeners) listener(change);
    },
    on: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** What the program mounts. */
export const campaignService = { name: 'campaign', routes, migrations, open: openCampaign } as const;
