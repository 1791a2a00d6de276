/**
 * Who pays the deficit of one bankrupt account a second time, obvious and slow, from a snapshot and the marks that follow it: by plain numbers of every position,
 * without a line of the engine or the rules. All accounts are cross, and the others have lost nothing elsewhere.
 */
import { naiveFilling, naiveShares } from '../../../rules/src/testing/naive-filling.ts';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export interface NaivePayment {
  readonly account: number;
  readonly market: number;
  readonly gain: bigint;
  readonly paid: bigint;
}

export interface NaiveDeficit {
  readonly missing: bigint;
  readonly payments: readonly NaivePayment[];
  readonly uncovered: bigint;
}

export function naiveDeficit(snapshot: Snapshot, marks: ReadonlyMap<number, number>, bankrupt: number): NaiveDeficit {
  const worth = ({ market, size }: PositionSnapshot): bigint => {
    const { terms } = snapshot.contracts.find((one) => one.terms.market === market)!;
    const lots = BigInt(Math.abs(size)) * terms.tickLotAtoms;
    return terms.payoff === 'linear' ? lots * BigInt(marks.get(market)!) : lots / BigInt(marks.get(market)!);
  };
  const profit = (position: PositionSnapshot): bigint => {
    const { terms } = snapshot.contracts.find((one) => one.terms.market === position.market)!;
    const more = worth(position) - position.cost;
    return position.size > 0 === (terms.payoff === 'linear') ? more : -more;
  };
  const open = snapshot.positions.filter(({ size }) => size !== 0);
  const own = open.filter(({ account }) => account === bankrupt);
  const { terms } = snapshot.contracts.find((one) => one.terms.market === own[0]!.market)!;
  const money = snapshot.balances.find(
    (one) =>
      one.account === bankrupt && one.asset === terms.settle && one.wallet === (terms.payoff === 'linear' ? 'futures' : 'coinFutures'),
  );
  const equity = own.reduce((sum, position) => sum + profit(position), money?.free ?? 0n);
  const missing = equity < 0n ? 0n - equity : 0n;
  // The position with the greatest maintenance margin first, which with equal terms is the largest: of equal remainders it gets the atom.
  own.sort((left, right) => {
    const difference = worth(right) - worth(left);
    return difference < 0n ? -1 : difference > 0n ? 1 : left.market - right.market;
  });
  const against = own.map(({ market, size }) =>
    open
      .filter((one) => one.market === market && one.size > 0 !== size > 0 && profit(one) > 0n)
      .sort((left, right) => left.account - right.account),
  );
  const caps = against.map((list) => list.reduce((sum, one) => sum + profit(one), 0n));
  const parts = naiveFilling(
    missing,
    own.map((position, index) => ({ weight: worth(position), cap: caps[index]! })),
  );
  const payments = against.flatMap((list, index) => {
    const paid = naiveShares(parts[index]!, list.map(profit), [...list.keys()]);
    return list.map((one, place) => ({ account: one.account, market: one.market, gain: profit(one), paid: paid[place]! }));
  });
  return { missing, payments, uncovered: missing - parts.reduce((sum, part) => sum + part, 0n) };
}
