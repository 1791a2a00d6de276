import type { Event, SetAutoMargin } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import { refuseHolder, refuseSideOf } from './refuse-holder.ts';

/** It acts while the contract is isolated, and stays set while it is not. */
export function setAutoMargin(exchange: Exchange, command: SetAutoMargin): Event[] {
  const { account, market, positionSide, value } = command;
  const listed = exchange.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseHolder(exchange, account) ?? refuseSideOf(exchange, command, listed);
  if (refusal !== undefined) return [refusal];
  // After this point nothing fails.
  exchange.positions.row(account, listed.contract, positionSide).autoMargin = value;
  return [{ type: 'AutoMarginSet', account, market, positionSide, value }];
}
