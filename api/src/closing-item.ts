/** What a close-all answers of each position. */
import { LEFT_REASONS } from '@orrery/protocol';
import { Type, type Static } from 'typebox';
import { OrderIdText, Symbol, nullable } from './fields.ts';
import { PositionSideName } from './futures-fields.ts';

/** What became of one position: code 0 when nothing of it is left. */
export const ClosingItem = Type.Object({
  code: Type.Integer(),
  msg: Type.String({ description: 'why something is left' }),
  data: Type.Object({
    symbol: Symbol,
    positionSide: PositionSideName,
    positionSize: Type.String({ description: 'as it was; below 0 of a short one' }),
    closedQty: Type.String({ description: 'what was closed at once' }),
    leftQty: Type.String({ description: 'as it is now; below 0 of a short one' }),
    reason: nullable(Type.Enum(LEFT_REASONS.filter((reason) => reason !== 'none')), {
      description: 'why something is left; null where nothing is, and of a call that was made before',
    }),
    orderId: nullable(OrderIdText, { description: 'the limit order that is to close it' }),
  }),
});
export type ClosingItem = Static<typeof ClosingItem>;
