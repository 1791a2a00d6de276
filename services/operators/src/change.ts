/** What operators change outside this service's own tables, and how it is done. Doing it twice changes nothing. */
import { unreachable, type Address } from '@orrery/units';
import type { Blocking } from './blocking.ts';
import type { CampaignOperations } from './ports.ts';

export type Change =
  | { readonly kind: 'ADMIT'; readonly addresses: readonly Address[] }
  | { readonly kind: 'BLOCK'; readonly address: Address; readonly reason: string }
  | { readonly kind: 'UNBLOCK'; readonly address: Address; readonly reason: string };

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
    default:
      return unreachable(change);
  }
}
