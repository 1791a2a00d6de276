/** What happened to an order, step by step. */
import { CLOSE_REASONS } from '@orrery/protocol';
import { Type, type Static } from 'typebox';
import { Decimal, Millis, nullable, OrderIdText, strict } from './fields.ts';
import { routes } from './route.ts';

export const OrderStep = Type.Object({
  step: Type.Enum(['ACCEPTED', 'TRIGGERED', 'MATCHED', 'CLOSED']),
  seq: nullable(
    Type.Integer({
      description: 'number of the command in the journal, which had it on disk before anybody saw the step; null in old history',
    }),
  ),
  time: Millis,
  execId: Type.Optional(Type.String({ description: 'of a match' })),
  price: Type.Optional(Decimal),
  quantity: Type.Optional(Decimal),
  reason: Type.Optional(Type.Enum([...CLOSE_REASONS], { description: 'why it was closed' })),
});
export type OrderStep = Static<typeof OrderStep>;
export type OrderTimelineSteps = OrderStep[];

export const OrderTimeline = Type.Object({
  orderId: OrderIdText,
  steps: Type.Array(OrderStep, { description: 'oldest first; of matches the first 500' }),
});
export type OrderTimeline = Static<typeof OrderTimeline>;

export const timelineRoutes = routes({
  orderTimeline: {
    method: 'GET',
    path: '/pro/u/order/timeline',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'What happened to an order of yours, step by step, with the numbers of the commands in the journal.',
    query: strict({ orderId: OrderIdText }),
    response: OrderTimeline,
  },
});
