import { type Atoms, type Millis, negateAtoms, NO_ATOMS, NO_POSITION } from '@orrery/units';
import type { AdjustMargin, CommandRejected, Event } from '@orrery/protocol';
import { missingMoney, moneyBeyond, reject, rejectBeyond, removableMargin } from '@orrery/rules';
import { moveMargin } from '../clearing/fill-position.ts';
import { payFunding } from '../clearing/pay-funding.ts';
import type { Exchange } from '../exchange.ts';
import { isGroupLiquidated, isPositionLiquidated } from '../risk/under-liquidation.ts';
import { availableOf, crossMargin, hasCross, unrealisedOf } from '../margin/cross-margin.ts';
import { refuseLeavingDegraded } from '../margin/open-positions.ts';
import { checkAmount, checkKey } from '../money/check-money.ts';
import { bodyOf, memoryOf } from '../money/money-records.ts';
import type { PositionRow } from '../positions/position-row.ts';
import { freeAfterFunding, marginAfterFunding } from '../positions/unpaid-funding.ts';
import { refuseHolder, refuseSideOf } from './refuse-holder.ts';

/** Adds free money of the wallet to the margin of an isolated position, or takes what is above its initial margin and its loss. */
export function adjustMargin(exchange: Exchange, command: AdjustMargin, at: Millis): Event[] {
  const { account, market, positionSide, direction, amount, key } = command;
  const name = bodyOf(account, key);
  const body = bodyOf(market, positionSide, direction, amount);
  const memory = memoryOf(exchange.money.bodies('margin'), name, body);
  if (memory === 'same') return [{ type: 'CommandRepeated', key }];
  const malformed = checkKey(key, 'key') ?? checkAmount(amount);
  if (malformed !== undefined) return [malformed];
  const listed = exchange.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseHolder(exchange, account);
  if (refusal !== undefined) return [refusal];
  const row = exchange.positions.row(account, listed.contract, positionSide);
  const objection =
    refusePosition(row) ??
    refuseSideOf(exchange, command, listed) ??
    (direction === 'remove' ? refuseLeavingDegraded(exchange, account, [listed.contract.group], at) : undefined) ??
    (memory === 'other' ? reject('KeyConflict', 'key') : undefined);
  if (objection !== undefined) return [objection];
  if (isPaying(exchange, row, direction)) return [reject('UnderLiquidation')];
  const missing = direction === 'add' ? refuseAdding(exchange, row, amount, at) : refuseRemoving(row, amount);
  if (missing !== undefined) return [missing];
  // After this point nothing fails.
  exchange.money.remember('margin', name, body);
  const events: Event[] = [{ type: 'MarginAdjusted', account, market, positionSide, direction, amount, key }];
  payFunding(exchange, row.exposure.holder, events);
  exchange.positions.touch(row);
  moveMargin(exchange, row, direction === 'add' ? amount : negateAtoms(amount));
  exchange.positions.recheck(row.exposure);
  return events;
}

/** Money would leave what is being liquidated: the wallet, or the position. */
function isPaying(exchange: Exchange, { exposure }: PositionRow, direction: AdjustMargin['direction']): boolean {
  const { holder, contract } = exposure;
  if (direction === 'add') return isGroupLiquidated(exchange, holder.account, contract.group);
  return isPositionLiquidated(exchange, holder.account, contract);
}

function refusePosition({ size, exposure }: PositionRow): CommandRejected | undefined {
  if (size === NO_POSITION) return reject('UnknownPosition', 'positionSide');
  return exposure.mode === 'isolated' ? undefined : reject('UnknownPosition', 'market');
}

function refuseAdding(exchange: Exchange, { exposure }: PositionRow, amount: Atoms, at: Millis): CommandRejected | undefined {
  const { holder, contract, balance } = exposure;
  const { group } = contract;
  const lacking = (available: Atoms): CommandRejected | undefined =>
    available < amount
      ? rejectBeyond('InsufficientMargin', 'amount', missingMoney(contract.terms.settle, { needed: amount, available }))
      : undefined;
  const refusal = lacking(freeAfterFunding(exchange.ledger, holder, balance));
  if (refusal !== undefined || !hasCross(holder, group)) return refusal;
  return lacking(availableOf(crossMargin(exchange, holder, group, at)));
}

function refuseRemoving(row: PositionRow, amount: Atoms): CommandRejected | undefined {
  const { cost, leverage } = row;
  const margin = marginAfterFunding(row);
  const removable = removableMargin(margin, { cost, leverage, unrealized: unrealisedOf(row) });
  if (amount > removable) {
    const { settle } = row.exposure.contract.terms;
    return rejectBeyond('MarginNotRemovable', 'amount', moneyBeyond(settle, { asked: amount, limit: removable }));
  }
  // The whole margin cannot be removed, which the initial margin sees to while it is above zero.
  return amount === margin || removable === NO_ATOMS ? reject('MarginNotRemovable', 'amount') : undefined;
}
