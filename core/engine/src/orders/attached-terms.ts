import type { Order } from '@orrery/protocol';
import { isAttached } from '@orrery/rules';

/** Whether a take-profit or stop-loss begins when the order is over. */
export const hasAttached = ({ contract }: Pick<Order, 'contract'>): boolean =>
  contract !== undefined && (isAttached(contract.takeProfit) || isAttached(contract.stopLoss));
