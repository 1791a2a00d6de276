import type { Order } from '@orrery/api';

/** Filled and cancelled orders are over. */
export const isOver = (order: Pick<Order, 'state'>): boolean => order.state === 3 || order.state === 4;
