/** The fields that many calls share: each has one shape everywhere. Sizes and lengths are the limits of the contract. */
import { Type, type Static, type TSchema } from 'typebox';

export const STRING_LENGTH_MAX = 256;
/** Orders that may go in one call or message. */
export const BATCH_ORDERS_MAX = 100;
export const PAGE_MAX = 1000;
export const PAGE_SIZES = [10, 20, 50, 100] as const;
/** EIP-4361 text of ours is well below it. */
export const MESSAGE_LENGTH_MAX = 2048;
/** Room for ERC-6492 signatures with their deployment data. */
export const SIGNATURE_LENGTH_MAX = 8192;

/** An object that takes its own fields and no others. */
export const strict = <Properties extends Record<string, TSchema>>(properties: Properties, description?: string) =>
  Type.Object(properties, description === undefined ? { additionalProperties: false } : { additionalProperties: false, description });

/**
 * A decimal that a client writes: its value counts, and zeros at its end change nothing; before it stands none. 38 digits and a point are 39 characters,
 * which together with the pattern bounds the digits.
 */
export const DecimalInput = Type.String({
  maxLength: 39,
  pattern: '^(0|[1-9][0-9]{0,37})(\\.[0-9]{1,37})?$',
  examples: ['0.25', '104689.00'],
  description: 'plain decimal from 0, without sign, exponent or leading zero, at most 38 digits; trailing zeros change nothing',
});
/** A decimal that the exchange writes: from 0, without sign, exponent or trailing zeros. */
export const Decimal = Type.String({
  maxLength: 40,
  pattern: '^(0|[1-9][0-9]{0,20})(\\.[0-9]{1,18})?$',
  examples: ['0.25'],
  description: 'plain decimal from 0',
});
/** A change of an amount: may be below 0. */
export const SignedDecimal = Type.String({ maxLength: 41, pattern: '^-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,18})?$' });
export const Symbol = Type.String({ maxLength: 25, pattern: '^[A-Z0-9]{1,12}_[A-Z0-9]{1,12}$', examples: ['BTC_USDC'] });
export const Coin = Type.String({ maxLength: 12, pattern: '^[A-Z0-9]{1,12}$', examples: ['USDC'] });
export const AddressText = Type.String({ minLength: 42, maxLength: 42, pattern: '^0x[0-9a-fA-F]{40}$', description: 'chain address' });
export const HashText = Type.String({ minLength: 66, maxLength: 66, pattern: '^0x[0-9a-fA-F]{64}$', description: '32 bytes in hex' });
export const OrderIdText = Type.String({ maxLength: 16, pattern: '^[1-9][0-9]{0,15}$', description: 'order id' });
export const ClientOrderId = Type.String({ maxLength: 36, pattern: '^[0-9a-zA-Z_-]{1,36}$', description: 'unique among your open orders' });
export const Millis = Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description: 'unix milliseconds' });
export const Count = Type.Integer({ minimum: 0 });
export const WalletName = Type.Enum(['funding', 'spot', 'futures', 'coinFutures']);
export const Interval = Type.Enum(['1m', '5m', '15m', '30m', '1h', '4h', '1d', '1w', '1M']);
export type Interval = Static<typeof Interval>;
export const INTERVALS = Interval.enum;

export const Nonce = Type.String({ minLength: 8, maxLength: 64, pattern: '^[0-9a-zA-Z]{8,64}$' });
export const Signature = Type.String({ minLength: 2, maxLength: SIGNATURE_LENGTH_MAX, pattern: '^0x([0-9a-fA-F]{2})*$' });
export const SignedMessage = Type.String({ minLength: 1, maxLength: MESSAGE_LENGTH_MAX, description: 'the EIP-4361 text that was signed' });

export const Page = Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: 1 });
export const PageSize = Type.Enum([...PAGE_SIZES], { default: 10 });
/** Answer only from a state that includes this sequence number: read your own writes. */
export const MinSeq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/** Lists of the spot family. */
export const paged = <Item extends TSchema>(item: Item) =>
  Type.Object({
    items: Type.Array(item),
    page: Type.Integer(),
    ps: Type.Integer(),
    total: Type.Integer({ description: 'at most 100,000 are counted' }),
  });

/** Lists of the `/biz` family and of ours. */
export const listed = <Item extends TSchema>(item: Item) => Type.Object({ list: Type.Array(item), total: Type.Integer() });

/** Newest first, a page after `id`: by `next` of the page before. */
export const Cursor = Type.String({
  minLength: 1,
  maxLength: STRING_LENGTH_MAX,
  pattern: '^[0-9a-zA-Z:_-]{1,256}$',
  description: 'next of the page before',
});

export const nullable = <Schema extends TSchema>(schema: Schema, options: { description?: string } = {}) =>
  Type.Union([schema, Type.Null()], options);

const Next = nullable(Type.String(), {
  description:
    'id of the page after this one, null at the end: pages that follow each other by it repeat and miss no row while rows arrive',
});

/** Histories, in either shape of lists: page by page, or by a cursor. */
export const pagedHistory = <Item extends TSchema>(item: Item) => Type.Object({ ...paged(item).properties, next: Next });
export const listedHistory = <Item extends TSchema>(item: Item) => Type.Object({ ...listed(item).properties, next: Next });
