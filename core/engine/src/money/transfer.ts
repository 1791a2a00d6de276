import { type AccountId, addAtoms, type AssetId, type Millis, NO_ATOMS, NO_TICKS } from '@orrery/units';
import type { CommandRejected, Event, Transfer, Wallet, MarginGroup } from '@orrery/protocol';
import { isTransferRoute, missingMoney, moneyBeyond, reject, rejectBeyond } from '@orrery/rules';
import { payFunding } from '../clearing/pay-funding.ts';
import { refuseClosingFund } from '../funds/refuse-fund.ts';
import { pay } from '../ledger/movements.ts';
import { isGroupLiquidated } from '../risk/under-liquidation.ts';
import { openingWorthAt, priceOf } from '../margin/collaterals.ts';
import { crossMarginOf, secureBeyondMargin, transferableOf } from '../margin/cross-margin.ts';
import { refuseLeavingDegraded } from '../margin/open-positions.ts';
import { walletOf } from '../positions/positions.ts';
import { freeAfterFunding, unpaidFrom } from '../positions/unpaid-funding.ts';
import type { MoneyState } from './money-state.ts';
import { checkAmount, checkChainAsset, checkKey, checkTerms, unknownAsset } from './check-money.ts';
import { bodyOf, memoryOf, type Memory } from './money-records.ts';

/** Moves free money between two wallets of one account: both legs or none. */
export function transfer(state: MoneyState, command: Transfer, at: Millis): Event[] {
  const { account, transferId, asset, amount, from, to } = command;
  const transfers = state.money.bodies('transfer');
  const key = bodyOf(account, transferId);
  const body = bodyOf(asset, amount, from, to);
  const memory = memoryOf(transfers, key, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key: transferId }];
  const refusal = refuseTransfer(state, command, memory, at);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  state.money.remember('transfer', key, body);
  const { ledger } = state;
  const events: Event[] = [{ type: 'Transferred', account, transferId, asset, amount, from, to }];
  const holder = state.positions.known(account);
  if (holder !== undefined && isOfContracts(from)) payFunding(state, holder, events);
  pay(ledger, ledger.of(account, from, asset), ledger.of(account, to, asset), amount);
  return events;
}

function refuseTransfer(state: MoneyState, command: Transfer, memory: Memory, at: Millis): CommandRejected | undefined {
  const malformed =
    checkKey(command.transferId, 'transferId') ??
    (command.from === command.to ? reject('InvalidCombination', 'to') : undefined) ??
    checkChainAsset(state, command.asset) ??
    checkAmount(command.amount) ??
    unknownAsset(state, command.asset);
  if (malformed !== undefined) return malformed;
  if (!state.accounts.has(command.account)) return reject('UnknownAccount', 'account');
  if (state.accounts.is(command.account, 'blocked')) return reject('AccountBlocked', 'account');
  const terms = checkTerms(state, command.account) ?? refuseClosingFund(state, command.account);
  if (terms !== undefined) return terms;
  if (!isTransferRoute(command.from, command.to)) return reject('TransferRouteClosed', 'to');
  if (isOfCoins(command) && state.rules < 5) return reject('RulesTooOld');
  const capped = refuseCollateral(state, command);
  if (capped !== undefined) return capped;
  const degraded = refuseDegraded(state, command, at);
  if (degraded !== undefined) return degraded;
  if (memory === 'other') return reject('KeyConflict', 'transferId');
  const { ledger, positions } = state;
  const free = freeAfterFunding(ledger, positions.known(command.account), ledger.of(command.account, command.from, command.asset));
  if (free < command.amount)
    return rejectBeyond('InsufficientBalance', 'amount', missingMoney(command.asset, { needed: command.amount, available: free }));
  return refuseLeaving(state, command, at);
}

const isOfCoins = ({ from, to }: Transfer): boolean => from === 'coinFutures' || to === 'coinFutures';

/** X1: while the prices of a position are not reliable, what its account is worth is not known. */
function refuseDegraded(state: MoneyState, { account, from }: Transfer, at: Millis): CommandRejected | undefined {
  return isOfContracts(from) ? refuseLeavingDegraded(state, account, [from === 'futures' ? 'linear' : 'inverse'], at) : undefined;
}

/** P4: what leaves a wallet of contracts was free of losses and margin. */
function refuseLeaving(state: MoneyState, { account, from, asset, amount }: Transfer, at: Millis): CommandRejected | undefined {
  if (!isOfContracts(from)) return undefined;
  if (groupsOf(state, from, asset).some((group) => isGroupLiquidated(state, account, group))) return reject('UnderLiquidation');
  if (isShortOfFunding(state, account)) return reject('InsufficientMargin', 'amount');
  const margin = crossMarginOf(state, account, from === 'futures' ? 'linear' : 'inverse', at);
  if (margin === undefined) return undefined;
  const collateral = from === 'futures' ? state.collaterals.get(asset) : undefined;
  const counts = collateral === undefined ? (isSettled(state, asset, from) ? amount : NO_ATOMS) : openingWorthAt(amount, collateral, at);
  // A collateral of which an old price counts for nothing still keeps the positions from liquidation: it stays while they need it.
  if (state.rules >= 7 && collateral !== undefined && priceOf(collateral) !== NO_TICKS)
    return counts > secureBeyondMargin(margin) ? reject('InsufficientMargin', 'amount') : undefined;
  const transferable = transferableOf(margin);
  if (counts <= transferable) return undefined;
  // What a coin counts for is not its amount: the margin is in the settle asset.
  if (collateral !== undefined) return reject('InsufficientMargin', 'amount');
  return rejectBeyond('InsufficientMargin', 'amount', missingMoney(asset, { needed: counts, available: transferable }));
}

const isOfContracts = (wallet: Wallet): boolean => wallet === 'futures' || wallet === 'coinFutures';

/** Whether the free money of the account does not pay its funding: its gains and its collateral will, and what is left of them nobody knows before. */
function isShortOfFunding({ ledger, positions }: MoneyState, account: AccountId): boolean {
  const holder = positions.known(account);
  return holder !== undefined && holder.exposures.some(({ balance }) => ledger.free(balance) + unpaidFrom(holder, balance) < NO_ATOMS);
}

/** Whose positions stand on this money: the asset is their settle asset, or collateral of linear ones. */
function groupsOf({ contracts, collaterals }: MoneyState, wallet: Wallet, asset: AssetId): readonly MarginGroup[] {
  const groups = new Set<MarginGroup>(wallet === 'futures' && collaterals.get(asset) !== undefined ? ['linear'] : []);
  for (const { contract } of contracts.values())
    if (contract.terms.settle === asset && walletOf(contract.group) === wallet) groups.add(contract.group);
  return [...groups];
}

/** Whether contracts of the wallet are settled in an asset: another one counts for nothing there. */
function isSettled({ contracts }: MoneyState, asset: AssetId, wallet: Wallet): boolean {
  for (const { contract } of contracts.values()) if (contract.terms.settle === asset && walletOf(contract.group) === wallet) return true;
  return false;
}

/** The cap of a collateral holds for what a transfer brings the wallet to. */
function refuseCollateral({ ledger, collaterals }: MoneyState, { account, to, asset, amount }: Transfer): CommandRejected | undefined {
  const collateral = to === 'futures' ? collaterals.get(asset) : undefined;
  if (collateral === undefined) return undefined;
  const there = ledger.free(ledger.of(account, 'futures', asset));
  const total = addAtoms(there, amount);
  const { cap: limit } = collateral.terms;
  return total > limit ? rejectBeyond('CollateralCapExceeded', 'amount', moneyBeyond(asset, { asked: total, limit })) : undefined;
}
