/** How withdrawals count toward the quota of their account: to the millisecond, so that any 24 hours hold no more than it. Since rules 10. */
import { NO_ATOMS, subtractAtoms, type Atoms, type Millis } from '@orrery/units';
import { AMOUNT_MAX } from './limits.ts';

export const QUOTA_DAY_MS = 24 * 3_600_000;
/** What an account may have asked for at different times of 24 hours before the two oldest count as one, from the later time on. */
export const QUOTA_USES_MAX = 64;

/** Whether what was asked for at `askedAt` still counts at `at`, which is no earlier. */
export const countsTowardQuota = (askedAt: Millis, at: Millis): boolean => at - askedAt < QUOTA_DAY_MS;

/** What a quota leaves; nothing when more than it is used, as after a level that sank. */
export const leftOfQuota = (quota: Atoms, used: Atoms): Atoms => (used >= quota ? NO_ATOMS : subtractAtoms(quota, used));

/** Whether a worth, or a quota, can be one: from nothing to the largest amount. */
export const isQuotaAmount = (amount: Atoms): boolean => amount >= NO_ATOMS && amount <= AMOUNT_MAX;
