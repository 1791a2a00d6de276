/** The kinds of orders, by what decides how they act. */
import { NO_ATOMS, NO_LOTS } from '@orrery/units';
import type { Order } from '@orrery/protocol';

type Typed = Pick<Order, 'orderType'>;

export const isStop = ({ orderType }: Typed): boolean => orderType === 'stopLimit' || orderType === 'stopMarket';
/** Limit orders, the triggered ones too: the price is a limit and a remainder may rest. */
export const hasLimit = ({ orderType }: Typed): boolean => orderType === 'limit' || orderType === 'stopLimit';
/** BookTerms buys may be given by what to spend. */
export const isByFunds = (order: Order): boolean => order.funds > NO_ATOMS && order.size === NO_LOTS;
