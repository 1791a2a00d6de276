/** Faucet claims: one CLAIM of the faucet budget per account and 24 h, held until the chain has paid it or never will. */
import { atoms, type AssetId, type Millis } from '@orrery/units';
import type { CommandRejected, Event, ReserveFaucetClaim, SettleFaucetClaim } from '@orrery/protocol';
import { CLAIM, CLAIM_INTERVAL_MS, reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import { hold, payFromHeld, release } from '../ledger/movements.ts';
import { assetByCode } from '../instruments/listings.ts';
import type { MoneyState } from './money-state.ts';
import { budgetBalance } from './budgets.ts';
import { checkKey } from './check-money.ts';
import type { Claim } from './money-records.ts';

const ONE_CLAIM = atoms(1n);

export function reserveFaucetClaim(state: MoneyState, command: ReserveFaucetClaim, at: Millis): Event[] {
  const { account: id, claimId } = command;
  const before = state.money.claims.get(claimId);
  if (before?.account === id) return [{ type: 'CommandRepeated', key: claimId }];
  const malformed = checkKey(claimId, 'claimId');
  if (malformed !== undefined) return [malformed];
  const asset = assetByCode(state, CLAIM)?.asset;
  if (asset === undefined) return [reject('UnknownAsset')];
  const account = state.accounts.get(id);
  if (account === undefined) return [reject('UnknownAccount', 'account')];
  const refusal = refuseClaim(state, account, asset, before, at);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.claims.set(claimId, { account: id, asset, reservedAt: at, state: 'reserved' });
  account.lastClaimAt = at;
  hold(state.ledger, budgetBalance(state, 'faucet', asset), 'withdrawalHold', ONE_CLAIM);
  return [{ type: 'FaucetClaimReserved', account: id, claimId }];
}

function refuseClaim(
  state: MoneyState,
  account: Account,
  asset: AssetId,
  before: Claim | undefined,
  at: Millis,
): CommandRejected | undefined {
  if (state.accounts.is(account.id, 'blocked')) return reject('AccountBlocked', 'account');
  if (!state.accounts.is(account.id, 'whitelisted')) return reject('NotWhitelisted', 'account');
  if (account.lastClaimAt !== undefined && at - account.lastClaimAt < CLAIM_INTERVAL_MS) return reject('ClaimTooSoon', 'account');
  if (before !== undefined) return reject('KeyConflict', 'claimId');
  return state.ledger.free(budgetBalance(state, 'faucet', asset)) < ONE_CLAIM ? reject('BudgetExhausted') : undefined;
}

/** A claim that failed returns to the budget and does not count as the account's claim of the day. */
export function settleFaucetClaim(state: MoneyState, { claimId, outcome }: SettleFaucetClaim): Event[] {
  const claim = state.money.claims.get(claimId);
  if (claim === undefined) return [reject('UnknownClaim', 'claimId')];
  if (claim.state === outcome) return [{ type: 'CommandRepeated', key: claimId }];
  if (claim.state !== 'reserved') return [reject('KeyConflict', 'outcome')];
  // After this point nothing fails.
  claim.state = outcome;
  const { ledger } = state;
  const budget = budgetBalance(state, 'faucet', claim.asset);
  if (outcome === 'paid') payFromHeld(ledger, budget, 'withdrawalHold', ledger.system('EXTERNAL', claim.asset), ONE_CLAIM);
  else returnClaim(state, claim);
  return [{ type: 'FaucetClaimSettled', account: claim.account, claimId, outcome }];
}

function returnClaim(state: MoneyState, claim: Claim): void {
  release(state.ledger, budgetBalance(state, 'faucet', claim.asset), 'withdrawalHold', ONE_CLAIM);
  const account = state.accounts.known(claim.account);
  // A later claim, made when this one was older than a day, still counts.
  if (account.lastClaimAt === claim.reservedAt) account.lastClaimAt = undefined;
}
