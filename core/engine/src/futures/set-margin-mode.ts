import type { Event, SetMarginMode } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';
import { refuseHolder, refuseUse } from './refuse-holder.ts';

/** Only without a position or an open order in the contract. The mode that it has already is a repetition. */
export function setMarginMode(exchange: Exchange, { account, market, mode }: SetMarginMode): Event[] {
  const listed = exchange.contracts.get(market);
  if (listed === undefined) return [reject('UnknownMarket', 'market')];
  const refusal = refuseHolder(exchange, account);
  if (refusal !== undefined) return [refusal];
  const exposure = exchange.positions.exposure(account, listed.contract);
  if (exposure.mode === mode) return [{ type: 'CommandRepeated', key: mode }];
  const inUse = refuseUse(exchange, account, [exposure], (id) => id === market);
  if (inUse !== undefined) return [inUse];
  // After this point nothing fails.
  exposure.mode = mode;
  return [{ type: 'MarginModeSet', account, market, mode }];
}
