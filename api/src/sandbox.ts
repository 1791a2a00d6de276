/**
 * Calls for trying things out, on an exchange that says so: elsewhere there are no such calls. They act on practice contracts, whose money is worth nothing, and
 * everybody who holds one is notified of what was done to it. An exchange on one machine can be started so that they act on every contract.
 */
import { Type, type Static } from 'typebox';
import { Coin, Decimal, Millis, OrderIdText, SignedDecimal, Symbol, strict } from './fields.ts';
import { PositionSideName } from './futures-fields.ts';
import { routes } from './route.ts';

export const MOVE_SECONDS_MAX = 600;

export const MovePrice = strict(
  {
    symbol: Symbol,
    change: Type.String({ pattern: '^(0|-?0\\.\\d{1,6})$', maxLength: 9, examples: ['-0.08'] }),
    seconds: Type.Integer({ minimum: 1, maximum: MOVE_SECONDS_MAX }),
  },
  'change: what is added to every outside price of the contract, as a ratio from -0.5 to 0.5; 0 ends an earlier move. seconds: how long; then prices return to what they are outside.',
);
export type MovePrice = Static<typeof MovePrice>;

export const LiquidateMe = strict({ symbol: Symbol, positionSide: Type.Optional(PositionSideName) }, 'positionSide: BOTH unless given');
export type LiquidateMe = Static<typeof LiquidateMe>;

export const PRACTICE_ACTIONS = ['MOVE_PRICE', 'FORCE_FUNDING', 'SKIP_HOUR', 'LIQUIDATE_ME'] as const;

/** What somebody did to a contract for everybody. */
export const PracticeAction = Type.Object({
  id: Type.String(),
  symbol: Symbol,
  action: Type.Enum([...PRACTICE_ACTIONS]),
  by: Type.String({ description: 'the address, shortened' }),
  change: Type.Union([SignedDecimal, Type.Null()], { description: 'of a move' }),
  endsAt: Type.Union([Millis, Type.Null()], { description: 'of a move' }),
  createdTime: Millis,
});
export type PracticeAction = Static<typeof PracticeAction>;

const giving = { method: 'POST', access: 'trade', rate: 'sandbox' } as const;
const FundingForced = { symbol: Symbol, fundingRate: SignedDecimal, price: Decimal, createdTime: Millis };

export const sandboxRoutes = routes({
  movePrice: {
    ...giving,
    path: '/sandbox/v1/move-price',
    summary: 'Shift the outside prices of a contract for a while: mark and index follow with the next rounds, by less than 5 % each round.',
    body: MovePrice,
    response: Type.Object({ symbol: Symbol, change: SignedDecimal, endsAt: Millis }),
  },
  forceFunding: {
    ...giving,
    path: '/sandbox/v1/force-funding',
    summary: 'Settle the funding of a contract now, for everybody who holds it; the regular settlement at the hour pays as ever.',
    body: strict({ symbol: Symbol }),
    response: Type.Object(FundingForced),
  },
  fillMyOrder: {
    ...giving,
    path: '/sandbox/v1/fill-my-order',
    summary:
      'Let the house take your resting order in a contract, by an order of its own in the book, which takes what stands before yours too. In practice contracts only within 1 % of the mark.',
    body: strict({ orderId: OrderIdText }),
    response: Type.Object({ orderId: OrderIdText, filledQty: Decimal, isFilled: Type.Boolean() }),
  },
  liquidateMe: {
    ...giving,
    path: '/sandbox/v1/liquidate-me',
    summary:
      'Move the outside prices of a contract against your position, round after round, until it is liquidated: by the rules of any liquidation. Then prices return.',
    body: LiquidateMe,
    response: Type.Object({
      symbol: Symbol,
      positionSide: PositionSideName,
      liquidationPrice: Decimal,
      change: SignedDecimal,
      endsAt: Millis,
    }),
  },
  skipHour: {
    ...giving,
    path: '/sandbox/v1/skip-hour',
    summary:
      'Do what the end of an hour does to positions in a contract: the running funding interval ends now, at its rate so far, and each position pays or receives within moments. No price, timer or cooldown moves.',
    body: strict({ symbol: Symbol }),
    response: Type.Object(FundingForced),
  },
  grantPractice: {
    ...giving,
    path: '/sandbox/v1/grant',
    summary: 'Take the 10,000 PRACTICE that anyone may have each UTC day. It is margin of practice contracts and nothing else.',
    body: strict({}),
    response: Type.Object({ coin: Coin, amount: Decimal, isRepeated: Type.Boolean(), nextTime: Millis }),
  },
  practiceActions: {
    method: 'GET',
    access: 'public',
    rate: 'public',
    path: '/sandbox/v1/actions',
    summary: 'What was last done to contracts by these calls, and by whom: the newest fifty since the start, newest first.',
    response: Type.Array(PracticeAction),
  },
});
