import type { Event, SetLiquidator } from '@orrery/protocol';
import { reject } from '@orrery/rules';
import type { Exchange } from '../exchange.ts';

/** The liquidator is named once: what it holds could not change hands. */
export function setLiquidator({ accounts, liquidations, positions }: Exchange, { account }: SetLiquidator): Event[] {
  if (!accounts.has(account)) return [reject('UnknownAccount', 'account')];
  if (liquidations.liquidator === account) return [{ type: 'CommandRepeated', key: `liquidator ${account}` }];
  if (liquidations.liquidator !== 0) return [reject('AlreadyRegistered', 'account')];
  if (positions.known(account) !== undefined) return [reject('PositionOpen', 'account')];
  // After this point nothing fails.
  liquidations.liquidator = account;
  return [{ type: 'LiquidatorSet', account }];
}
