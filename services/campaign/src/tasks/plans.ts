/** The tasks of the campaign as they are first written into the catalogue. Words and rules come from here; operators change reward, times and activity there. */
import type { TaskPeriod, TaskUnit } from '@orrery/api';

/** What is counted towards the goal: by history, by the invitations, or by the awards of an activity. */
export type TaskRule =
  | 'CLAIMS'
  | 'DEPOSITS'
  | 'TRANSFERS'
  | 'ORDERS'
  | 'TRADES'
  | 'VOLUME'
  | 'CONTRACT_ORDERS'
  | 'CONTRACT_TRADES'
  | 'CONTRACT_VOLUME'
  | 'INVITED'
  | 'LUCKY_BLOCKS'
  | 'LEADERBOARDS';

export interface TaskPlan {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly rule: TaskRule;
  /** How many times, or how many whole USDC. */
  readonly goal: number;
  readonly unit: TaskUnit;
  readonly period: TaskPeriod;
  /** What counts on one UTC day, of all accounts of one cluster together; nothing where everything does. */
  readonly dayCap?: number;
  /** Points. */
  readonly reward: number;
}

/** Of one cluster and UTC day: many accounts, or many orders, bring no advantage. */
const ORDERS_PER_DAY = 50;
const VOLUME_PER_DAY = 100_000;
/** Leverage makes it cheaper by the unit. */
const CONTRACT_VOLUME_PER_DAY = 500_000;

const once = (rule: TaskRule, goal: number, unit: TaskUnit) => ({ rule, goal, unit, period: 'ONCE' as const });
const orders = (goal: number) => ({ ...once('ORDERS', goal, 'ORDERS'), dayCap: ORDERS_PER_DAY });
const volume = (goal: number) => ({ ...once('VOLUME', goal, 'USDC'), dayCap: VOLUME_PER_DAY });

export const TASK_PLANS: readonly TaskPlan[] = [
  {
    code: 'ACTIVITY_LUCKY_BLOCK',
    name: 'Lucky Block',
    description: 'Send the first transaction of a block whose hash begins with a lucky prefix. Winners are announced daily at 12:00 UTC.',
    ...once('LUCKY_BLOCKS', 1, 'TIMES'),
    reward: 77_777,
  },
  {
    code: 'ACTIVITY_LEADERBOARD_CAMPAIGN',
    name: 'Leaderboard campaign',
    description: 'Be among the winners of a leaderboard campaign. The prize depends on the rank.',
    ...once('LEADERBOARDS', 1, 'TIMES'),
    reward: 0,
  },
  {
    code: 'NEWCOMER_FAUCET',
    name: 'Claim from the faucet',
    description: 'Claim test tokens from the faucet.',
    ...once('CLAIMS', 1, 'TIMES'),
    reward: 500,
  },
  {
    code: 'NEWCOMER_DEPOSIT',
    name: 'First deposit',
    description: 'Bring tokens into your funding account: a faucet claim counts.',
    ...once('DEPOSITS', 1, 'TIMES'),
    reward: 500,
  },
  {
    code: 'NEWCOMER_TRANSFER',
    name: 'Fund the spot wallet',
    description: 'Transfer from your funding account to your spot account.',
    ...once('TRANSFERS', 1, 'TIMES'),
    reward: 300,
  },
  {
    code: 'NEWCOMER_ORDER',
    name: 'First spot order',
    description: 'Place an order in any spot market.',
    ...orders(1),
    reward: 500,
  },
  {
    code: 'NEWCOMER_TRADE',
    name: 'First spot trade',
    description: 'Have an order filled in any spot market.',
    ...once('TRADES', 1, 'TIMES'),
    reward: 1_000,
  },
  {
    code: 'DAILY_TRADE',
    name: 'Trade of the day',
    description: 'Trade once in any spot market, each UTC day.',
    rule: 'TRADES',
    goal: 1,
    unit: 'TIMES',
    period: 'DAILY',
    reward: 200,
  },
  {
    code: 'WEEKLY_VOLUME_50K',
    name: 'Volume of the week: 50,000 USDC',
    description: 'Trade 50,000 USDC from Monday to Sunday, UTC.',
    rule: 'VOLUME',
    goal: 50_000,
    unit: 'USDC',
    period: 'WEEKLY',
    dayCap: VOLUME_PER_DAY,
    reward: 1_000,
  },
  { code: 'ORDERS_10', name: '10 orders', description: 'Place 10 spot orders.', ...orders(10), reward: 500 },
  { code: 'ORDERS_100', name: '100 orders', description: 'Place 100 spot orders.', ...orders(100), reward: 2_000 },
  {
    code: 'VOLUME_10K',
    name: 'Volume: 10,000 USDC',
    description: 'Trade 10,000 USDC in all.',
    ...volume(10_000),
    reward: 1_000,
  },
  {
    code: 'VOLUME_100K',
    name: 'Volume: 100,000 USDC',
    description: 'Trade 100,000 USDC in all.',
    ...volume(100_000),
    reward: 3_000,
  },
  {
    code: 'VOLUME_1M',
    name: 'Volume: 1,000,000 USDC',
    description: 'Trade 1,000,000 USDC in all.',
    ...volume(1_000_000),
    reward: 10_000,
  },
  {
    code: 'FUTURES_ORDER',
    name: 'First futures order',
    description: 'Place an order in any perpetual contract.',
    ...once('CONTRACT_ORDERS', 1, 'ORDERS'),
    dayCap: ORDERS_PER_DAY,
    reward: 500,
  },
  {
    code: 'FUTURES_TRADE',
    name: 'First futures trade',
    description: 'Have an order filled in any perpetual contract.',
    ...once('CONTRACT_TRADES', 1, 'TIMES'),
    reward: 1_000,
  },
  {
    code: 'FUTURES_DAILY_TRADE',
    name: 'Futures trade of the day',
    description: 'Trade once in any perpetual contract, each UTC day.',
    rule: 'CONTRACT_TRADES',
    goal: 1,
    unit: 'TIMES',
    period: 'DAILY',
    reward: 200,
  },
  {
    code: 'FUTURES_VOLUME_100K',
    name: 'Futures volume: 100,000 USDC',
    description: 'Trade 100,000 USDC in perpetual contracts in all.',
    ...once('CONTRACT_VOLUME', 100_000, 'USDC'),
    dayCap: CONTRACT_VOLUME_PER_DAY,
    reward: 1_000,
  },
  {
    code: 'FUTURES_VOLUME_1M',
    name: 'Futures volume: 1,000,000 USDC',
    description: 'Trade 1,000,000 USDC in perpetual contracts in all.',
    ...once('CONTRACT_VOLUME', 1_000_000, 'USDC'),
    dayCap: CONTRACT_VOLUME_PER_DAY,
    reward: 3_000,
  },
  {
    code: 'INVITE_1',
    name: 'Invite a friend',
    description: 'Somebody you invited has traded with others.',
    ...once('INVITED', 1, 'TIMES'),
    reward: 1_000,
  },
  {
    code: 'INVITE_5',
    name: 'Invite 5 friends',
    description: 'Five people you invited have traded with others.',
    ...once('INVITED', 5, 'TIMES'),
    reward: 5_000,
  },
];

export const taskNameOf = (code: string): string | undefined => TASK_PLANS.find((plan) => plan.code === code)?.name;
