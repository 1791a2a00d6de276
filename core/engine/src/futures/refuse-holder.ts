/** Checks that the settings of futures share. */
import { NO_POSITION, type AccountId, type MarketId } from '@orrery/units';
import type { CommandRejected, PositionSide } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import type { ListedContract } from '../instruments/listed-market.ts';
import type { Exposure } from '../positions/position-row.ts';
import { positionModeOf } from '../positions/positions.ts';

/** Nothing of an account that does not exist, or is blocked, can be set. */
export function refuseHolder({ accounts }: Exchange, account: AccountId): CommandRejected | undefined {
  if (!accounts.has(account)) return reject('UnknownAccount', 'account');
  return accounts.is(account, 'blocked') ? reject('AccountBlocked', 'account') : undefined;
}

/** A side that exists in the position mode of the account. */
export function refuseSideOf(
  { positions }: Exchange,
  { account, positionSide }: { account: AccountId; positionSide: PositionSide },
  { contract }: ListedContract,
): CommandRejected | undefined {
  const isHedge = positionModeOf(positions.known(account), contract.group) === 'hedge';
  return (positionSide !== 'both') === isHedge ? undefined : reject('PositionSideMismatch', 'positionSide');
}

/** A mode changes only while there is neither a position nor an open order, armed ones included. */
export function refuseUse(
  { orders }: Exchange,
  account: AccountId,
  exposures: readonly Exposure[],
  inContract: (market: MarketId) => boolean,
): CommandRejected | undefined {
  if (exposures.some(({ rows }) => rows.some((row) => row !== undefined && row.size !== NO_POSITION))) return reject('PositionOpen');
  return orders.ofAccounts.of(account).some(({ order }) => inContract(order.market)) ? reject('OrdersOpen') : undefined;
}
