/** Under which the pages of history are kept: an event of the account makes them stale. */
export const FILLS = 'fills';
export const ORDER_HISTORY = 'orderHistory';
