/**
 * Calls for trying things out, on an exchange that says so: elsewhere there are no such calls. They move prices for everybody on that exchange, and act for the
 * caller's account alone otherwise.
 */
import { Type, type Static } from 'typebox';
import { Decimal, Millis, OrderIdText, SignedDecimal, Symbol, strict } from './fields.ts';
import { routes } from './route.ts';

export const MOVE_SECONDS_MAX = 600;

export const MovePrice = strict(
  {
    symbol: Symbol,
    change: Type.String({ pattern: '^(0|-?0\\.\\d{1,6})$', maxLength: 9, examples: ['-0.08'] }),
    seconds: Type.Integer({ minimum: 1, maximum: MOVE_SECONDS_MAX }),
  },
  'change: what is added to every outside price of the contract, as a ratio from -0.5 to 0.5; 0 ends an earlier move. seconds: how long; then prices are what they are outside.',
);
export type MovePrice = Static<typeof MovePrice>;

const giving = { method: 'POST', access: 'trade', rate: 'order' } as const;

export const sandboxRoutes = routes({
  movePrice: {
    ...giving,
    path: '/sandbox/v1/move-price',
    summary: 'Shift the outside prices of a contract for a while: mark and index follow with the next rounds, by at most 5 % each round.',
    body: MovePrice,
    response: Type.Object({ symbol: Symbol, change: SignedDecimal, endsAt: Millis }),
  },
  forceFunding: {
    ...giving,
    path: '/sandbox/v1/force-funding',
    summary: 'Settle the funding of a contract now, for everybody who holds it; the regular settlement at the hour pays as ever.',
    body: strict({ symbol: Symbol }),
    response: Type.Object({ symbol: Symbol, fundingRate: SignedDecimal, price: Decimal, createdTime: Millis }),
  },
  fillMyOrder: {
    ...giving,
    path: '/sandbox/v1/fill-my-order',
    summary:
      'Let the house take your resting order in a contract: by an order of its own in the book, which takes what stands before yours too.',
    body: strict({ orderId: OrderIdText }),
    response: Type.Object({ orderId: OrderIdText, filledQty: Decimal, isFilled: Type.Boolean() }),
  },
});
