/** A scale: one size spread over several limit orders between two prices. Exact: prices on the grid, sizes in whole lots that add up to the whole. */
import { divFloor, lots, ticks } from '@orrery/units';
import type { Atoms, Lots, Ticks } from '@orrery/units';
import type { Issue } from './ticket-text.ts';

export const DISTRIBUTIONS = ['flat', 'rising', 'falling'] as const;
/** How the size is spread: evenly, or more of it towards the upper or the lower price. */
export type Distribution = (typeof DISTRIBUTIONS)[number];

export const SCALE_ORDERS_MIN = 2;
export const SCALE_ORDERS_MAX = 20;

export interface Scale {
  readonly lower: Ticks;
  /** Above the lower price. */
  readonly upper: Ticks;
  /** From 2 to 20. */
  readonly count: number;
  readonly size: Lots;
  readonly distribution: Distribution;
}

export interface ScaleRung {
  readonly price: Ticks;
  readonly size: Lots;
}

export interface ScaleForm {
  readonly side: 'buy' | 'sell';
  /** Decimal text. */
  readonly lower: string;
  readonly upper: string;
  readonly size: string;
  readonly count: number;
  readonly distribution: Distribution;
}

export interface ScaleReading {
  /** Empty while something is missing. */
  readonly rungs: readonly ScaleRung[];
  readonly issue: Issue | undefined;
  /** Quote asset, of all orders at their prices. */
  readonly value: Atoms;
}

const weightOf = ({ count, distribution }: Scale, place: number): number =>
  distribution === 'flat' ? 1 : distribution === 'rising' ? place + 1 : count - place;

/** Lowest price first. Prices are rounded down to the grid; each size is rounded down to lots, and what remains goes to the first rungs, a lot each. */
export function rungsOf(scale: Scale): readonly ScaleRung[] {
  const { lower, upper, count, size } = scale;
  const places = Array.from({ length: count }, (_, place) => place);
  const weights = places.map((place) => weightOf(scale, place));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const sizes = weights.map((weight) => Number(divFloor(BigInt(size) * BigInt(weight), BigInt(whole))));
  const remains = size - sizes.reduce((sum, part) => sum + part, 0);
  return places.map((place) => ({
    price: ticks(lower + Number(divFloor(BigInt(upper - lower) * BigInt(place), BigInt(count - 1)))),
    size: lots((sizes[place] ?? 0) + (place < remains ? 1 : 0)),
  }));
}
