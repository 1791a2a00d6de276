/**
 * Ids are branded safe integers, counted from 1 by the engine; 0 is never an id.
 * Strings from outside (addresses, keys) keep their own brands, in their canonical form.
 */
import { AssertionError } from './assert.ts';
import type { Brand } from './brand.ts';

export type AccountId = Brand<number, 'AccountId'>;
export type AssetId = Brand<number, 'AssetId'>;
export type MarketId = Brand<number, 'MarketId'>;
export type OrderId = Brand<number, 'OrderId'>;
export type TradeId = Brand<number, 'TradeId'>;
/** Of an advertisement of the OTC desk. */
export type AdvertisementId = Brand<number, 'AdvertisementId'>;
/** Of an order of the OTC desk: counted apart from the orders of markets. */
export type OtcOrderId = Brand<number, 'OtcOrderId'>;
/** A command's place in history. The first command is 1. */
export type Seq = Brand<number, 'Seq'>;
/** Unix time in milliseconds, UTC. */
export type Millis = Brand<number, 'Millis'>;
/** A chain address in lower case: `0x` and 40 hex digits. */
export type Address = Brand<string, 'Address'>;

function positive(value: number, noun: string): number {
  if (!Number.isSafeInteger(value) || value <= 0) throw new AssertionError(`${noun} must be a positive safe integer: ${value}`);
  return value;
}

export const accountId = (value: number): AccountId => positive(value, 'account id') as AccountId;
export const assetId = (value: number): AssetId => positive(value, 'asset id') as AssetId;
export const marketId = (value: number): MarketId => positive(value, 'market id') as MarketId;
export const orderId = (value: number): OrderId => positive(value, 'order id') as OrderId;
export const tradeId = (value: number): TradeId => positive(value, 'trade id') as TradeId;
export const advertisementId = (value: number): AdvertisementId => positive(value, 'advertisement id') as AdvertisementId;
export const otcOrderId = (value: number): OtcOrderId => positive(value, 'OTC order id') as OtcOrderId;

/** @param value 0 (before the first command) or more. */
export function seq(value: number): Seq {
  if (!Number.isSafeInteger(value) || value < 0) throw new AssertionError(`sequence must be a safe integer from 0: ${value}`);
  return value as Seq;
}

export function millis(value: number): Millis {
  if (!Number.isSafeInteger(value) || value < 0) throw new AssertionError(`time must be whole milliseconds from 0: ${value}`);
  return value as Millis;
}

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** Parses an address in any case; `undefined` when the text is no address. */
export function parseAddress(text: string): Address | undefined {
  return ADDRESS.test(text) ? (text.toLowerCase() as Address) : undefined;
}

/** The address that a trusted source has written, such as our own tables. @throws AssertionError when it is none. */
export function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new AssertionError(`not an address: ${text}`);
  return address;
}

/** Parses the decimal digits of an id; `undefined` when the text is no positive safe integer. */
export function parseOrderId(text: string): OrderId | undefined {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? (value as OrderId) : undefined;
}
