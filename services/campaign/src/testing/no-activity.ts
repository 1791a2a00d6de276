/** For tests that are not about tasks: accounts that never did anything. */
import type { InvitePort } from '../members/invites.ts';
import type { ActivityPort } from '../tasks/activity.ts';

/** Of a day on which nothing was done in contracts. */
export const NO_CONTRACTS = { contractOrders: 0, contractTrades: 0, contractVolume: 0n } as const;

export const noActivity: ActivityPort & InvitePort = {
  activity: () =>
    Promise.resolve({ orders: 0, volume: 0n, firstDepositAt: undefined, firstTransferAt: undefined, firstClaimAt: undefined }),
  dayActivity: () => Promise.resolve([]),
  hasTraded: () => Promise.resolve(false),
  countTraders: () => Promise.resolve(0),
};
