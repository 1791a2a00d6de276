/** How one field of a record is written and read back. */
import {
  accountId,
  advertisementId,
  assetId,
  atoms,
  cents,
  fiatPrice,
  lots,
  marketId,
  millis,
  orderId,
  otcOrderId,
  parseAddress,
  ppm,
  signedLots,
  ticks,
  tradeId,
} from '@orrery/units';
import type {
  AccountId,
  Address,
  AdvertisementId,
  AssetId,
  Atoms,
  Cents,
  FiatPrice,
  Lots,
  MarketId,
  Millis,
  OrderId,
  OtcOrderId,
  Ppm,
  SignedLots,
  Ticks,
  TradeId,
} from '@orrery/units';
import { WALLETS } from '../commands.ts';
import type { Wallet } from '../commands.ts';
import { CLOSE_REASONS, ORDER_SIZINGS, ORDER_TYPES, SELF_TRADE_PREVENTIONS, SIDES, TIMES_IN_FORCE } from '../order.ts';
import type { CloseReason, OrderSizing, OrderType, SelfTradePrevention, Side, TimeInForce } from '../order.ts';
import { DecodeError } from './reader.ts';
import type { Reader } from './reader.ts';
import type { Writer } from './writer.ts';

export interface Field<Value> {
  write(writer: Writer, value: Value): void;
  read(reader: Reader): Value;
}

function whole<Value extends number>(brand: (value: number) => Value): Field<Value> {
  return {
    write: (writer, value) => writer.uint(value),
    read: (reader) => brand(reader.uint()),
  };
}

/** A safe integer of either sign. */
function signed<Value extends number>(brand: (value: number) => Value): Field<Value> {
  return {
    write: (writer, value) => writer.bigint(BigInt(value)),
    read: (reader) => {
      const value = Number(reader.bigint());
      if (!Number.isSafeInteger(value)) throw new DecodeError('an integer beyond the safe ones');
      return brand(value);
    },
  };
}

/** An id, or 0 for none. */
function optionalId<Id extends number>(brand: (value: number) => Id): Field<Id | 0> {
  return {
    write: (writer, value) => writer.uint(value),
    read: (reader) => {
      const value = reader.uint();
      return value === 0 ? 0 : brand(value);
    },
  };
}

/** One of a closed list of words, as its place in the list: new words go to the end. */
export function oneOf<Word extends string>(words: readonly Word[]): Field<Word> {
  return {
    write: (writer, value) => {
      // Comparing one by one: short lists, and less work than a search by the runtime.
      let index = 0;
      while (index < words.length && words[index] !== value) index += 1;
      if (index === words.length) throw new RangeError(`${value} is none of ${words.join(', ')}`);
      writer.byte(index);
    },
    read: (reader) => {
      const word = words[reader.byte()];
      if (word === undefined) throw new DecodeError(`none of ${words.join(', ')}`);
      return word;
    },
  };
}

export const truth: Field<boolean> = {
  write: (writer, value) => writer.byte(value ? 1 : 0),
  read: (reader) => {
    const value = reader.byte();
    if (value > 1) throw new DecodeError('neither false nor true');
    return value === 1;
  },
};

export const text: Field<string> = {
  write: (writer, value) => writer.text(value),
  read: (reader) => reader.text(),
};

export const address: Field<Address> = {
  write: (writer, value) => writer.text(value),
  read: (reader) => {
    const written = reader.text();
    const value = parseAddress(written);
    if (value !== written) throw new DecodeError('not an address in lower case');
    return value;
  },
};

export const amount: Field<Atoms> = {
  write: (writer, value) => writer.bigint(value),
  read: (reader) => atoms(reader.bigint()),
};

export const fiatAmount: Field<Cents> = { write: (writer, value) => writer.bigint(value), read: (reader) => cents(reader.bigint()) };
export const fiatRate: Field<FiatPrice> = { write: (writer, value) => writer.bigint(value), read: (reader) => fiatPrice(reader.bigint()) };

/** Of either sign and any size. */
export const integer: Field<bigint> = { write: (writer, value) => writer.bigint(value), read: (reader) => reader.bigint() };
export const count: Field<number> = whole((value) => value);
export const price: Field<Ticks> = whole(ticks);
export const size: Field<Lots> = whole(lots);
export const signedCount: Field<number> = signed((value) => value);
export const position: Field<SignedLots> = signed(signedLots);
export const rate: Field<Ppm> = whole(ppm);
export const time: Field<Millis> = whole(millis);
export const account: Field<AccountId> = whole(accountId);
export const asset: Field<AssetId> = whole(assetId);
export const market: Field<MarketId> = whole(marketId);
export const order: Field<OrderId> = whole(orderId);
export const trade: Field<TradeId> = whole(tradeId);
export const optionalOrder: Field<OrderId | 0> = optionalId(orderId);
export const advertisement: Field<AdvertisementId> = whole(advertisementId);
export const otcOrder: Field<OtcOrderId> = whole(otcOrderId);
export const optionalAccount: Field<AccountId | 0> = optionalId(accountId);
export const optionalMarket: Field<MarketId | 0> = optionalId(marketId);

export const side: Field<Side> = oneOf(SIDES);
export const orderType: Field<OrderType> = oneOf(ORDER_TYPES);
export const timeInForce: Field<TimeInForce> = oneOf(TIMES_IN_FORCE);
export const selfTradePrevention: Field<SelfTradePrevention> = oneOf(SELF_TRADE_PREVENTIONS);
export const orderSizing: Field<OrderSizing> = oneOf(ORDER_SIZINGS);
export const closeReason: Field<CloseReason> = oneOf(CLOSE_REASONS);
export const wallet: Field<Wallet> = oneOf(WALLETS);
