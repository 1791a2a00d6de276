/** The units in which sizes of a contract are written. The number that is typed counts lots, or is a value of which the largest size is taken. */
import type { QuantityUnit } from '@orrery/api';
import type { Payoff } from '@orrery/protocol';
import type { MessageId } from '../kit/i18n/catalog.ts';

/** `CONT` counts contracts, `COIN` the base coin, `VALUE` what a linear contract is settled in. */
export type SizeUnitName = 'CONT' | 'COIN' | 'VALUE';

export interface SizeUnit {
  readonly id: SizeUnitName;
  /** What stands behind the number: `Cont`, `BTC`, `USDC`. */
  readonly name: string;
  /** `lots` are taken exactly or refused; a `value` is in the settlement coin. */
  readonly counts: 'lots' | 'value';
  /** The most that can be typed. */
  readonly decimals: number;
  /** What one of it is: takes the `unit`, the `coin`, the `quote`, the price of one coin in it, and the `size` of a contract. */
  readonly means: MessageId;
}

export interface UnitTerms {
  readonly coin: string;
  readonly settle: string;
  readonly sizePrecision: number;
  readonly settleDecimals: number;
}

/** The first counts the lots: tables, orders and dialogs write sizes in it. */
export type SizeUnits = readonly [counted: SizeUnit, ...others: readonly SizeUnit[]];

const linear = ({ coin, settle, sizePrecision, settleDecimals }: UnitTerms): SizeUnits => [
  { id: 'COIN', name: coin, counts: 'lots', decimals: sizePrecision, means: 'futures.unit.coin' },
  { id: 'VALUE', name: settle, counts: 'value', decimals: settleDecimals, means: 'futures.unit.value' },
];

/** A contract is a number of dollars: its value is in the coin, and there is no other. */
const inverse = ({ coin, sizePrecision, settleDecimals }: UnitTerms): SizeUnits => [
  { id: 'CONT', name: 'Cont', counts: 'lots', decimals: sizePrecision, means: 'futures.unit.contract' },
  { id: 'COIN', name: coin, counts: 'value', decimals: settleDecimals, means: 'futures.unit.coinValue' },
];

const KINDS = { linear, inverse } as const satisfies Record<Payoff, (terms: UnitTerms) => SizeUnits>;

export const sizeUnits = (payoff: Payoff, terms: UnitTerms): SizeUnits => KINDS[payoff](terms);

/** What the first unit is called on the wire. */
export const LOT_UNIT = { linear: 'COIN', inverse: 'SHEET' } as const satisfies Record<Payoff, QuantityUnit>;
