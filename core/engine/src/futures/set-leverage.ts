import { type ListedContract } from '../instruments/listed-market.ts';
import { addAtoms, type Atoms, lots, type Millis, NO_ATOMS, NO_LOTS, NO_POSITION, NO_TICKS, subtractAtoms } from '@orrery/units';
import type { CommandRejected, Event, SetLeverage } from '@orrery/protocol';
import {
  contractNotional,
  countBeyond,
  initialMargin,
  maxNotionalAt,
  missingMoney,
  reject,
  rejectBeyond,
  valueBeyond,
} from '@orrery/rules';
import { moveMargin } from '../clearing/fill-position.ts';
import { payFunding } from '../clearing/pay-funding.ts';
import { reserveOrders } from '../clearing/perpetual.ts';
import type { Exchange } from '../exchange.ts';
import { isLiquidated } from '../risk/under-liquidation.ts';
import { availableOf, crossMargin, hasCross, isSecure } from '../margin/cross-margin.ts';
import { refuseLeavingDegraded } from '../margin/open-positions.ts';
import { orderNeedOf } from '../margin/order-need.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { freeAfterFunding, marginAfterFunding } from '../positions/unpaid-funding.ts';
import { refuseHolder, refuseSideOf } from './refuse-holder.ts';

/**
 * Changes what positions and orders need from now on. An isolated position whose margin is below the new initial margin takes the difference from the
 * free money of the wallet. Refused where the change itself asks for more than the account has, and where it frees what the account must keep (P4); before rules 7 also for what
 * other contracts need.
 */
export function setLeverage(exchange: Exchange, command: SetLeverage, at: Millis): Event[] {
  const { account, market, positionSide, leverage } = command;
  const listed = exchange.contracts.get(market);
  if (leverage < 1 || (listed !== undefined && leverage > (listed.terms.tiers[0]?.maxLeverage ?? 0)))
    return [refuseLeverage(leverage, listed)];
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseHolder(exchange, account) ?? refuseSideOf(exchange, command, listed);
  if (refusal !== undefined) return [refusal];
  const row = exchange.positions.row(account, listed.contract, positionSide);
  if (row.leverage === leverage) return [{ type: 'CommandRepeated', key: `${leverage}` }];
  if (leverage > row.leverage && isLiquidated(exchange, account, listed.contract)) return [reject('UnderLiquidation')];
  const largest = largestNotional(row);
  const limit = maxNotionalAt(leverage, listed.terms.tiers);
  if (largest > limit) return [rejectBeyond('PositionTooLarge', 'leverage', valueBeyond(market, { asked: largest, limit }))];
  const change: LeverageChange = { row, before: row.leverage, after: leverage, at };
  const missing = row.exposure.mode === 'isolated' ? refuseIsolated(exchange, change) : refuseCross(exchange, change);
  if (missing !== undefined) return [missing];
  // After this point nothing fails.
  const events: Event[] = [{ type: 'LeverageSet', account, market, positionSide, leverage }];
  // A leverage that rises asks for nothing, also of a position whose margin funding has used.
  const isAsking = exchange.rules < 7 || leverage < row.leverage;
  row.leverage = leverage;
  payFunding(exchange, row.exposure.holder, events);
  const added = isAsking ? marginMissing(row) : NO_ATOMS;
  if (added > NO_ATOMS) {
    exchange.positions.touch(row);
    moveMargin(exchange, row, added);
  }
  reserveOrders(exchange, row.exposure);
  return events;
}

function refuseLeverage(asked: number, listed: ListedContract | undefined): CommandRejected {
  const most = listed?.terms.tiers[0]?.maxLeverage;
  if (most === undefined || !Number.isInteger(asked)) return reject('InvalidLeverage', 'leverage');
  return rejectBeyond('InvalidLeverage', 'leverage', countBeyond({ asked, limit: asked < 1 ? 1 : most }));
}

/** The largest position that its orders may lead to, at mark. */
function largestNotional(row: PositionRow): Atoms {
  const { terms, prices } = row.exposure.contract;
  const long = Math.max(0, row.size) + row.buys.size;
  const short = Math.max(0, 0 - row.size) + row.sells.size;
  const largest = lots(Math.max(long, short));
  if (prices.mark === NO_TICKS) return addAtoms(row.cost, row.buys.notional > row.sells.notional ? row.buys.notional : row.sells.notional);
  return largest === NO_LOTS ? NO_ATOMS : contractNotional(prices.mark, largest, terms);
}

/** What an isolated position lacks of its initial margin. */
function marginMissing(row: PositionRow): Atoms {
  if (row.exposure.mode === 'cross' || row.size === NO_POSITION || heldLots(row) === NO_LOTS) return NO_ATOMS;
  const missing = subtractAtoms(initialMargin(row.cost, row.leverage), marginAfterFunding(row));
  return missing > NO_ATOMS ? missing : NO_ATOMS;
}

interface LeverageChange {
  readonly row: PositionRow;
  readonly before: number;
  readonly after: number;
  readonly at: Millis;
}

/** Whether its leverage decides what an account needs now. */
const isUsed = ({ size, buys, sells }: PositionRow): boolean => size !== NO_POSITION || buys.size > NO_LOTS || sells.size > NO_LOTS;

/** Looks at an account as it would be with a leverage, and puts it back. */
function withLeverage<Result>(row: PositionRow, leverage: number, look: () => Result): Result {
  const before = row.leverage;
  row.leverage = leverage;
  const result = look();
  row.leverage = before;
  return result;
}

/** What rises frees the reserve of orders into the wallet: the margin of the position stays until somebody removes it. */
function refuseIsolated(exchange: Exchange, { row, before, after, at }: LeverageChange): CommandRejected | undefined {
  const { exposure } = row;
  const { group } = exposure.contract;
  if (exchange.rules >= 7 && after > before)
    return isUsed(row) ? refuseLeavingDegraded(exchange, exposure.holder.account, [group], at) : undefined;
  const needed = withLeverage(row, after, () => addAtoms(subtractAtoms(orderNeedOf(exposure), exposure.reserved), marginMissing(row)));
  if (needed <= NO_ATOMS) return undefined;
  const lacking = (available: Atoms): CommandRejected | undefined =>
    available < needed ? lacksMargin(exposure, { needed, available }) : undefined;
  const refusal = lacking(freeAfterFunding(exchange.ledger, exposure.holder, exposure.balance));
  if (refusal !== undefined || !hasCross(exposure.holder, group)) return refusal;
  return lacking(availableOf(crossMargin(exchange, exposure.holder, group, at)));
}

const lacksMargin = (
  { contract }: PositionRow['exposure'],
  short: { readonly needed: Atoms; readonly available: Atoms },
): CommandRejected => rejectBeyond('InsufficientMargin', 'leverage', missingMoney(contract.terms.settle, short));

/**
 * A lower leverage asks for more initial margin, for which profits count as they do for an order. A higher one frees some, and an unrealised profit does not
 * count, as when money leaves. What changes nothing that the account holds is refused for nothing.
 */
function refuseCross(exchange: Exchange, { row, before, after, at }: LeverageChange): CommandRejected | undefined {
  const { holder, contract } = row.exposure;
  const { group } = contract;
  if (!hasCross(holder, group)) return undefined;
  const lacking = reject('InsufficientMargin', 'leverage');
  const degraded = after > before && isUsed(row) ? refuseLeavingDegraded(exchange, holder.account, [group], at) : undefined;
  if (degraded !== undefined) return degraded;
  const then = withLeverage(row, after, () => crossMargin(exchange, holder, group, at));
  if (exchange.rules < 7) return isSecure(then) ? undefined : lacking;
  const now = crossMargin(exchange, holder, group, at);
  if (then.initial === now.initial) return undefined;
  if (after < before) {
    const available = availableOf(now);
    const needed = subtractAtoms(available, availableOf(then));
    return availableOf(then) >= NO_ATOMS ? undefined : lacksMargin(row.exposure, { needed, available });
  }
  return isSecure(then) ? undefined : lacking;
}
