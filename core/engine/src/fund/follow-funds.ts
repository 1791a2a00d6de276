/** What other commands mean for funds: that a manager was heard, and that a fund was liquidated. */
import type { Command, Event } from '@orrery/protocol';
import type { Funds } from '../funds/funds.ts';

/** What only the owner of an account gives for it. */
const OF_MANAGER: ReadonlySet<Command['type']> = new Set<Command['type']>([
  'PlaceOrder',
  'PlaceSpotOrder',
  'PlacePair',
  'PlaceOrders',
  'AmendOrder',
  'CancelOrder',
  'CancelOrders',
  'CancelAllOrders',
  'PlaceContractOrder',
  'AmendTrigger',
  'SetProtection',
  'CloseAllPositions',
  'ScheduleCancel',
  'PlaceTwap',
  'CancelTwap',
  'SetLeverage',
  'SetMarginMode',
  'SetPositionMode',
  'AdjustMargin',
  'SetAutoMargin',
  'Transfer',
]);

/** Commands whose events may liquidate. */
const LIQUIDATES: ReadonlySet<Command['type']> = new Set<Command['type']>(['SubmitPrices', 'ContinueLiquidations']);

export function followFunds(funds: Funds, command: Command, events: readonly Event[]): void {
  if (events[0]?.type === 'CommandRejected') return;
  if ('account' in command && command.account !== 0 && OF_MANAGER.has(command.type)) {
    const fund = funds.of(command.account);
    if (fund !== undefined) fund.silent = 0;
  }
  if (!LIQUIDATES.has(command.type)) return;
  for (const event of events) {
    const fund = event.type === 'LiquidationStep' ? funds.of(event.account) : undefined;
    if (fund !== undefined) fund.isLiquidated = true;
  }
}
