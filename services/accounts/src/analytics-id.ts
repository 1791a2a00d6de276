/** What stands for an address where usage is measured: a keyed hash. Without the key nobody finds the address from it, and each month has another key. */
import { createHmac } from 'node:crypto';
import type { AnalyticsId, analyticsRoutes, Handlers } from '@orrery/api';
import type { Address } from '@orrery/units';
import type { SecretBox } from './sealed-secret.ts';

/** In UTC, such as 2026-03. @param at unix milliseconds */
const monthOf = (at: number): string => new Date(at).toISOString().slice(0, 7);

/** @param at unix milliseconds */
export function analyticsIdOf(box: Pick<SecretBox, 'keyFor'>, address: Address, at: number): AnalyticsId {
  const month = monthOf(at);
  return {
    walletAddress: createHmac('sha256', box.keyFor(`analytics ${month}`))
      .update(address)
      .digest('base64url'),
    month,
  };
}

export const analyticsHandlers = (box: Pick<SecretBox, 'keyFor'>, now: () => number): Handlers<typeof analyticsRoutes> => ({
  analyticsId: ({ principal }) => analyticsIdOf(box, principal.address, now()),
});
