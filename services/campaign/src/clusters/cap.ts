/** A cap that the accounts of one cluster have together: below it everything counts, above it each account's share of the cap. */
import { divFloor } from '@orrery/units';

/** Of one account's `own` part of `all`; rounded down, so that the shares never exceed the cap. */
export const cappedShare = ({ own, all, cap }: { readonly own: bigint; readonly all: bigint; readonly cap: bigint }): bigint =>
  all <= cap ? own : divFloor(own * cap, all);
