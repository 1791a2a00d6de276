import type { Event, SetWithdrawalCaps } from '@orrery/protocol';
import { invalidCapsField, reject } from '@orrery/rules';
import type { MoneyState } from './money-state.ts';
import { checkChainAsset, unknownAsset } from './check-money.ts';

/** What was held before counts toward the new caps. Nothing that is held is touched. */
export function setWithdrawalCaps(state: MoneyState, { asset, hourly, daily }: SetWithdrawalCaps): Event[] {
  const caps = { asset, hourly, daily };
  const invalid = invalidCapsField(caps);
  if (invalid !== undefined) return [reject('InvalidField', invalid)];
  const refusal = checkChainAsset(state, asset) ?? unknownAsset(state, asset);
  if (refusal !== undefined) return [refusal];
  if (state.rules < 4) return [reject('RulesTooOld')];
  // After this point nothing fails.
  state.money.caps.set(asset, caps);
  return [{ type: 'WithdrawalCapsSet', ...caps }];
}
