/** What operators do with points: give some by hand, take an award back. The same order twice does it once. */
import { ApiError } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { AWARD_POINTS_MAX } from '@orrery/rules';
import type { Address } from '@orrery/units';
import type { Awards, PointsPage } from './awards.ts';

const ID = /^[0-9a-zA-Z_-]{1,64}$/;
const REASON_LENGTH_MAX = 200;
const POINTS_MAX = Number(AWARD_POINTS_MAX);

export interface AwardOperations {
  /** What an address got and gave back, newest first; an unknown address has none. Pages are counted from 1. */
  of(query: { address: Address; page: number; size: number }): Promise<PointsPage>;
  /** `id` names the order: given again it gives nothing more. The reason is what the person reads. */
  giveManual(order: { id: string; address: Address; points: number; reason: string }): Promise<void>;
  reverse(order: { key: string; reason: string }): Promise<void>;
}

export function awardOperations(parts: { awards: Awards; members: AccountDirectory; now: () => number }): AwardOperations {
  const { awards, members, now } = parts;
  return {
    async of({ address, ...slice }) {
      const account = members.find(address)?.account;
      return account === undefined ? { list: [], total: 0 } : awards.history({ account, ...slice });
    },
    async giveManual({ id, address, points, reason }) {
      if (!ID.test(id)) throw new ApiError('MalformedField', { field: 'id' });
      if (!Number.isSafeInteger(points) || points < 1 || points > POINTS_MAX) {
        throw new ApiError('MalformedField', { field: 'points', message: `points must be a whole number from 1 to ${POINTS_MAX}` });
      }
      checkReason(reason);
      const account = members.find(address)?.account;
      if (account === undefined) throw new ApiError('UnknownThing', { field: 'address' });
      await awards.give({ key: `manual:${id}`, account, kind: 'MANUAL', name: { en: reason }, points, at: now() });
    },
    async reverse({ key, reason }) {
      checkReason(reason);
      await awards.reverse({ key, reason });
    },
  };
}

function checkReason(reason: string): void {
  if (reason.trim() === '' || reason.length > REASON_LENGTH_MAX) throw new ApiError('MalformedField', { field: 'reason' });
}
