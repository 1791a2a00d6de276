/**
 * Prices, sizes and money. A price counts ticks, a size counts lots, money counts atoms
 * (the smallest unit of its asset). Brands are made here and nowhere else.
 */
import { assert, AssertionError } from './assert.ts';
import type { Brand } from './brand.ts';

/** A price: whole ticks of its market. */
export type Ticks = Brand<number, 'Ticks'>;
/** A size: whole lots of its market. */
export type Lots = Brand<number, 'Lots'>;
/** The size of a position: whole lots, above zero when it is long, below zero when it is short. */
export type SignedLots = Brand<number, 'SignedLots'>;
/** Money: whole atoms of its asset. Signed where it is a change. */
export type Atoms = Brand<bigint, 'Atoms'>;
/** Money outside the exchange: whole hundredths of a fiat unit. */
export type Cents = Brand<bigint, 'Cents'>;
/** A price in fiat money: ten-thousandths of a fiat unit for one whole coin. */
export type FiatPrice = Brand<bigint, 'FiatPrice'>;
/** A rate in parts per million: 500 is 0.05 %. */
export type Ppm = Brand<number, 'Ppm'>;
/** A rate in parts per million that may be below zero: -50 pays 0.005 %. */
export type SignedPpm = Brand<number, 'SignedPpm'>;

// These run for every number of every command: the sentence is built only when it is needed.
function whole(value: number, noun: string): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new AssertionError(`${noun} must be a safe integer from 0: ${value}`);
  return value;
}

/** @param value 0 or more; 0 stands for "no price" in commands. */
export const ticks = (value: number): Ticks => whole(value, 'price in ticks') as Ticks;
/** @param value 0 or more; 0 stands for "no size" in commands. */
export const lots = (value: number): Lots => whole(value, 'size in lots') as Lots;
export function signedLots(value: number): SignedLots {
  if (!Number.isSafeInteger(value)) throw new AssertionError(`a position in lots must be a safe integer: ${value}`);
  // Of the two zeros of a float only one may be in the state.
  return (value + 0) as SignedLots;
}
export const ppm = (value: number): Ppm => whole(value, 'rate in ppm') as Ppm;
export function signedPpm(value: number): SignedPpm {
  if (!Number.isSafeInteger(value)) throw new AssertionError(`signed rate in ppm must be a safe integer: ${value}`);
  return value as SignedPpm;
}
export const atoms = (value: bigint): Atoms => value as Atoms;

/** @param value 0 stands for "no total" in commands. */
export const cents = (value: bigint): Cents => value as Cents;
export const fiatPrice = (value: bigint): FiatPrice => value as FiatPrice;

export const NO_CENTS: Cents = 0n as Cents;
export const NO_ATOMS: Atoms = 0n as Atoms;
export const NO_TICKS: Ticks = 0 as Ticks;
export const NO_POSITION: SignedLots = 0 as SignedLots;
export const NO_LOTS: Lots = 0 as Lots;

export const addAtoms = (left: Atoms, right: Atoms): Atoms => (left + right) as Atoms;
export const subtractAtoms = (left: Atoms, right: Atoms): Atoms => (left - right) as Atoms;
export const negateAtoms = (value: Atoms): Atoms => (0n - value) as Atoms;
export const minAtoms = (left: Atoms, right: Atoms): Atoms => (left < right ? left : right);

/** Between two prices, rounded down to a tick. */
export const midTicks = (left: Ticks, right: Ticks): Ticks => ticks(Math.floor((left + right) / 2));
/** `steps` ticks further up, or down below 0; at least 1 tick. */
export const stepTicks = (from: Ticks, steps: number): Ticks => ticks(Math.max(1, from + steps));

/** How far `high` is above `low`; no ticks where it is not above. */
export const ticksBetween = (low: Ticks, high: Ticks): Ticks => ticks(Math.max(0, high - low));
/** The multiple of `step` at or below a price. @param step whole ticks from 1. */
export const floorTicks = (price: Ticks, step: number): Ticks => ticks(Math.floor(price / step) * step);
/** The multiple of `step` at or above a price. @param step whole ticks from 1. */
export const ceilTicks = (price: Ticks, step: number): Ticks => ticks(Math.ceil(price / step) * step);
/** The tick at or below a place on a picture, such as the middle of two prices; 0 below it. */
export const tickBelow = (place: number): Ticks => ticks(Math.max(0, Math.floor(place)));
/** The tick that is nearest to a place on a picture, the upper one of two; 0 below it. */
export const tickNear = (place: number): Ticks => ticks(Math.max(0, Math.round(place)));
/** The whole lots within a part of a size. */
export const lotsWithin = (part: number): Lots => lots(Math.max(0, Math.floor(part)));

export const addLots = (left: Lots, right: Lots): Lots => lots(left + right);
export const subtractLots = (left: Lots, right: Lots): Lots => lots(left - right);
export const minLots = (left: Lots, right: Lots): Lots => (left < right ? left : right);

const EIGHT_BYTES = new DataView(new ArrayBuffer(8));

/**
 * The same integer as a bigint; `value` is a safe integer from 0. `BigInt(value)` leaves compiled code for the runtime as soon as the value
 * needs more than 31 bits, which takes ten times as long.
 */
export function bigintOf(value: number): bigint {
  EIGHT_BYTES.setUint32(0, value, true);
  EIGHT_BYTES.setUint32(4, value / 0x1_0000_0000, true);
  return EIGHT_BYTES.getBigInt64(0, true);
}

/** Quotient rounded down: for what the exchange pays out. Both operands at least 0, divisor above 0. */
export function divFloor(dividend: bigint, divisor: bigint): bigint {
  assert(dividend >= 0n && divisor > 0n, 'divFloor wants a dividend from 0 and a positive divisor');
  return dividend / divisor;
}

/** Quotient rounded up: for what the exchange charges. Both operands at least 0, divisor above 0. */
export function divCeil(dividend: bigint, divisor: bigint): bigint {
  assert(dividend >= 0n && divisor > 0n, 'divCeil wants a dividend from 0 and a positive divisor');
  return (dividend + divisor - 1n) / divisor;
}
