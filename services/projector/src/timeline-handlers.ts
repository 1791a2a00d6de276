/** The call of an order's timeline. */
import { ApiError, type Handlers, type timelineRoutes } from '@orrery/api';
import { orderId } from '@orrery/units';
import type { Timelines } from './timeline.ts';

export const timelineHandlers = (timelines: Timelines): Handlers<typeof timelineRoutes> => ({
  orderTimeline({ principal: { account }, query }) {
    const number = Number(query.orderId);
    if (!Number.isSafeInteger(number)) throw new ApiError('UnknownOrder', { field: 'orderId' });
    return timelines.of({ account, orderId: orderId(number) });
  },
});
