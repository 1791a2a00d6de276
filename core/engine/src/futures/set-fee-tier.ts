import type { Event, SetFeeTier } from '@orrery/protocol';
import { FEE_TIER_MAX, REBATE_TIER_MAX, reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';

/** Every trade from now on pays by the new tier. */
export function setFeeTier({ accounts, positions }: Exchange, { account, tier, rebateTier }: SetFeeTier): Event[] {
  if (tier > FEE_TIER_MAX) return [reject('InvalidField', 'tier')];
  if (rebateTier > REBATE_TIER_MAX) return [reject('InvalidField', 'rebateTier')];
  if (!accounts.has(account)) return [reject('UnknownAccount', 'account')];
  // After this point nothing fails.
  const holder = positions.holder(account);
  holder.feeTier = tier;
  holder.rebateTier = rebateTier;
  return [{ type: 'FeeTierSet', account, tier, rebateTier }];
}
