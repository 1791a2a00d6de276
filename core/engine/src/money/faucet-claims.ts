/** Faucet claims: one CLAIM of the faucet budget per account and 24 h, held until the chain has paid it or never will. */
import { atoms, type AssetId, type Millis } from '@orrery/units';
import type { CommandRejected, Event, ReserveFaucetClaim, SettleFaucetClaim } from '@orrery/protocol';
import { CLAIM, CLAIM_INTERVAL_MS, reject } from '@orrery/rules';
import type { Account } from '../accounts/account.ts';
import { hold, payFromHeld, release } from '../ledger/movements.ts';
import { assetByCode, type Exchange } from '../exchange.ts';
import { budgetBalance } from './budgets.ts';
import { checkKey } from './check-money.ts';
import type { Claim } from './money-records.ts';

const ONE_CLAIM = atoms(1n);

export function reserveFaucetClaim(exchange: Exchange, command: ReserveFaucetClaim, at: Millis): Event[] {
  const { account: id, claimId } = command;
  const before = exchange.money.claims.get(claimId);
  if (before?.account === id) return [{ type: 'CommandRepeated', key: claimId }];
  const malformed = checkKey(claimId, 'claimId');
  if (malformed !== undefined) return [malformed];
  const asset = assetByCode(exchange, CLAIM)?.asset;
  if (asset === undefined) return [reject('UnknownAsset')];
  const account = exchange.accounts.get(id);
  if (account === undefined) return [reject('UnknownAccount', 'account')];
  const refusal = refuseClaim(exchange, account, asset, before, at);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  exchange.money.claims.set(claimId, { account: id, asset, reservedAt: at, state: 'reserved' });
  account.lastClaimAt = at;
  hold(exchange.ledger, budgetBalance(exchange, 'faucet', asset), ONE_CLAIM);
  return [{ type: 'FaucetClaimReserved', account: id, claimId }];
}

function refuseClaim(
  exchange: Exchange,
  account: Account,
  asset: AssetId,
  before: Claim | undefined,
  at: Millis,
): CommandRejected | undefined {
  if (exchange.accounts.is(account.id, 'blocked')) return reject('AccountBlocked', 'account');
  if (!exchange.accounts.is(account.id, 'whitelisted')) return reject('NotWhitelisted', 'account');
  if (account.lastClaimAt !== undefined && at - account.lastClaimAt < CLAIM_INTERVAL_MS) return reject('ClaimTooSoon', 'account');
  if (before !== undefined) return reject('KeyConflict', 'claimId');
  return exchange.ledger.free(budgetBalance(exchange, 'faucet', asset)) < ONE_CLAIM ? reject('BudgetExhausted') : undefined;
}

/** A claim that failed returns to the budget and does not count as the account's claim of the day. */
export function settleFaucetClaim(exchange: Exchange, { claimId, outcome }: SettleFaucetClaim): Event[] {
  const claim = exchange.money.claims.get(claimId);
  if (claim === undefined) return [reject('UnknownClaim', 'claimId')];
  if (claim.state === outcome) return [{ type: 'CommandRepeated', key: claimId }];
  if (claim.state !== 'reserved') return [reject('KeyConflict', 'outcome')];
  // After this point nothing fails.
  claim.state = outcome;
  const { ledger } = exchange;
  const budget = budgetBalance(exchange, 'faucet', claim.asset);
  if (outcome === 'paid') payFromHeld(ledger, budget, ledger.system('EXTERNAL', claim.asset), ONE_CLAIM);
  else returnClaim(exchange, claim);
  return [{ type: 'FaucetClaimSettled', account: claim.account, claimId, outcome }];
}

function returnClaim(exchange: Exchange, claim: Claim): void {
  release(exchange.ledger, budgetBalance(exchange, 'faucet', claim.asset), ONE_CLAIM);
  const account = exchange.accounts.known(claim.account);
  // A later claim, made when this one was older than a day, still counts.
  if (account.lastClaimAt === claim.reservedAt) account.lastClaimAt = undefined;
}
