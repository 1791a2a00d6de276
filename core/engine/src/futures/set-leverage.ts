import { addAtoms, lots, NO_ATOMS, NO_LOTS, NO_POSITION, NO_TICKS, subtractAtoms, type Atoms } from '@orrery/units';
import type { CommandRejected, Event, SetLeverage } from '@orrery/protocol';
import { contractNotional, initialMargin, maxNotionalAt, reject } from '@orrery/rules';
import { moveMargin } from '../clearing/fill-position.ts';
import { payFunding } from '../clearing/pay-funding.ts';
import { reserveOrders } from '../clearing/perpetual.ts';
import type { Exchange } from '../exchange.ts';
import { isLiquidated } from '../liquidation/under-liquidation.ts';
import { availableOf, crossMargin, hasCross, isSecure } from '../margin/cross-margin.ts';
import { orderNeedOf } from '../margin/order-need.ts';
import { heldLots, type PositionRow } from '../positions/position-row.ts';
import { freeAfterFunding, marginAfterFunding } from '../positions/unpaid-funding.ts';
import { refuseHolder, refuseSideOf } from './refuse-holder.ts';

/**
 * Changes what positions and orders need from now on. An isolated position whose margin is below the new initial margin takes the difference from the
 * free money of the wallet. P4: refused where the account has too little for the new leverage.
 */
export function setLeverage(exchange: Exchange, command: SetLeverage): Event[] {
  const { account, market, positionSide, leverage } = command;
  const listed = exchange.contracts.get(market);
  if (leverage < 1 || (listed !== undefined && leverage > (listed.terms.tiers[0]?.maxLeverage ?? 0)))
    return [reject('InvalidLeverage', 'leverage')];
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseHolder(exchange, account) ?? refuseSideOf(exchange, command, listed);
  if (refusal !== undefined) return [refusal];
  const row = exchange.positions.row(account, listed.contract, positionSide);
  if (row.leverage === leverage) return [{ type: 'CommandRepeated', key: `${leverage}` }];
  if (leverage > row.leverage && isLiquidated(exchange, account, listed.contract)) return [reject('UnderLiquidation')];
  if (largestNotional(row) > maxNotionalAt(leverage, listed.terms.tiers)) return [reject('PositionTooLarge', 'leverage')];
  const before = row.leverage;
  row.leverage = leverage;
  const missing = row.exposure.mode === 'isolated' ? refuseIsolated(exchange, row) : refuseCross(exchange, row);
  if (missing !== undefined) {
    row.leverage = before;
    return [missing];
  }
  // After this point nothing fails.
  const events: Event[] = [{ type: 'LeverageSet', account, market, positionSide, leverage }];
  payFunding(exchange, row.exposure.holder, events);
  const added = marginMissing(row);
  if (added > NO_ATOMS) {
    exchange.positions.touch(row);
    moveMargin(exchange, row, added);
  }
  reserveOrders(exchange, row.exposure);
  return events;
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

function refuseIsolated(exchange: Exchange, row: PositionRow): CommandRejected | undefined {
  const { exposure } = row;
  const { group } = exposure.contract;
  const needed = addAtoms(subtractAtoms(orderNeedOf(exposure), exposure.reserved), marginMissing(row));
  if (needed <= NO_ATOMS) return undefined;
  if (freeAfterFunding(exchange.ledger, exposure.holder, exposure.balance) < needed) return reject('InsufficientMargin', 'leverage');
  if (!hasCross(exposure.holder, group)) return undefined;
  return availableOf(crossMargin(exchange, exposure.holder, group)) < needed ? reject('InsufficientMargin', 'leverage') : undefined;
}

/** With the new leverage an unrealised profit does not count, as when money leaves. */
function refuseCross(exchange: Exchange, { exposure }: PositionRow): CommandRejected | undefined {
  const { holder, contract } = exposure;
  if (!hasCross(holder, contract.group)) return undefined;
  return isSecure(crossMargin(exchange, holder, contract.group)) ? undefined : reject('InsufficientMargin', 'leverage');
}
