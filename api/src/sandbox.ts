/**
 * For testers, where the environment says so: prices that move and fills that come when they are wanted. Never in production. The contract whose price is moved is
 * everybody's, so that these calls exist only where the exchange is one person's own.
 */
import { Type } from 'typebox';
import { DecimalInput, Decimal, Millis, OrderIdText, Symbol, strict } from './fields.ts';
import { routes } from './route.ts';

/** The longest time for which a price is moved. */
export const MOVE_PRICE_MS_MAX = 600_000;

const trying = { method: 'POST', access: 'session', rate: 'manage', sameOrigin: true } as const;

export const sandboxRoutes = routes({
  movePrice: {
    ...trying,
    path: '/sandbox/v1/move-price',
    summary: "Hold a contract's outside price away from where it is, for a time: liquidations can be tried without waiting.",
    body: strict(
      {
        symbol: Symbol,
        change: Type.String({ maxLength: 9, pattern: '^-?0\\.[0-9]{1,6}$', examples: ['-0.1'] }),
        durationMs: Type.Integer({ minimum: 1_000, maximum: MOVE_PRICE_MS_MAX }),
      },
      'change: as a ratio of the outside price, from -0.9 to 0.9',
    ),
    response: Type.Object({ symbol: Symbol, until: Millis }),
  },
  forceFunding: {
    ...trying,
    path: '/sandbox/v1/force-funding',
    summary: 'Settle the funding of a contract now, by the rate predicted now.',
    body: strict({ symbol: Symbol }),
    response: Type.Object({ symbol: Symbol, fundingRate: Type.String(), time: Millis }),
  },
  fillMyOrder: {
    ...trying,
    path: '/sandbox/v1/fill-my-order',
    summary: 'Fill a resting order of yours: the house takes the other side at its limit.',
    body: strict({ orderId: OrderIdText, quantity: DecimalInput }),
    response: Type.Object({ orderId: OrderIdText, filled: Decimal }),
  },
});
