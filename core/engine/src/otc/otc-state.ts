import { assert, type AccountId, type AssetId, type Atoms } from '@orrery/units';
import type { OtcTerms } from '@orrery/protocol';
import type { Balance } from '../ledger/balance.ts';
import type { MoneyState } from '../money/money-state.ts';
import type { OtcDesk } from './otc-desk.ts';

/** The part of the state that the OTC desk needs. */
export interface OtcState extends MoneyState {
  readonly otc: OtcDesk;
}

/** Where the coins of advertisements, orders and deposits lie. */
export const escrowOf = ({ ledger }: OtcState, asset: AssetId): Balance => ledger.system('OTC_ESCROW', asset);

export const fundingOf = ({ ledger }: OtcState, account: AccountId, asset: AssetId): Balance => ledger.of(account, 'funding', asset);

/** Of an asset that an advertisement or an order names. */
export function decimalsOf({ assets }: OtcState, asset: AssetId): number {
  const decimals = assets.get(asset)?.decimals;
  assert(decimals !== undefined, 'what is traded at the desk is registered');
  return decimals;
}

/** Of a desk at which an order was made: it is open. */
export function termsOf({ otc: { terms } }: OtcState): OtcTerms {
  assert(terms !== undefined, 'orders are made at a desk that is open');
  return terms;
}

/** OT1: what lies in escrow is what lies there for somebody. */
export function assertEscrow(state: OtcState): void {
  for (const [asset, amount] of state.otc.escrow())
    assert(escrowIs(state, asset, amount), 'OT1: what lies in escrow is what advertisements, orders and deposits have there');
}

const escrowIs = (state: OtcState, asset: AssetId, amount: Atoms): boolean => state.ledger.free(escrowOf(state, asset)) === amount;
