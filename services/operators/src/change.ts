/** What operators change outside this service's own tables, and how it is done. Doing it twice changes nothing. */
import type { Budgets } from '@orrery/api';
import { unreachable, type Address } from '@orrery/units';
import type { Blocking } from './blocking.ts';
import type { CampaignOperations } from './ports.ts';

export type Change =
  | { readonly kind: 'ADMIT'; readonly addresses: readonly Address[] }
  | { readonly kind: 'BLOCK'; readonly address: Address; readonly reason: string }
  | { readonly kind: 'UNBLOCK'; readonly address: Address; readonly reason: string }
  | ({ readonly kind: 'BUDGET' } & Budgets)
  | { readonly kind: 'AWARD'; readonly id: string; readonly address: Address; readonly points: number; readonly reason: string }
  | { readonly kind: 'REVERSAL'; readonly key: string; readonly reason: string };

export interface Hands {
  readonly campaign: CampaignOperations;
  readonly blocking: Blocking;
}

export async function perform(change: Change, { campaign, blocking }: Hands): Promise<void> {
  switch (change.kind) {
    case 'ADMIT':
      return campaign.whitelist.admit(change.addresses);
    case 'BLOCK':
      return blocking.set(change.address, true);
    case 'UNBLOCK':
      return blocking.set(change.address, false);
    case 'BUDGET':
      return campaign.budgets.change({ pointsPerDay: change.pointsPerDay, faucetClaimsPerDay: change.faucetClaimsPerDay });
    case 'AWARD': {
      const { id, address, points, reason } = change;
      return campaign.awards.giveManual({ id, address, points, reason });
    }
    case 'REVERSAL':
      return campaign.awards.reverse({ key: change.key, reason: change.reason });
    default:
      return unreachable(change);
  }
}
