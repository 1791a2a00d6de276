import { bigintOf, NO_ATOMS, type AssetId, type Atoms, type MarketId, type Ticks } from '@orrery/units';
import type { CommandRejected, MeasuredReason, RejectFigures, RejectReason } from '@orrery/protocol';

/** @param field the command's field that is refused; empty when no single one is. */
export function reject(reason: RejectReason, field = ''): CommandRejected {
  return { type: 'CommandRejected', reason, field };
}

/** The same of a number beyond another one, with both. */
export function rejectBeyond(reason: MeasuredReason, field: string, figures: RejectFigures): CommandRejected {
  return { type: 'CommandRejected', reason, field, figures };
}

interface Compared<Quantity> {
  readonly asked: Quantity;
  readonly limit: Quantity;
}

/** Money that is missing: what is there counts from nothing, so that the difference is what would have to be added. */
export function missingMoney(asset: AssetId, { needed, available }: { readonly needed: Atoms; readonly available: Atoms }): RejectFigures {
  const limit = available > NO_ATOMS ? available : NO_ATOMS;
  return { unit: 'atoms', id: asset, asked: limit + (needed - available), limit };
}

export const moneyBeyond = (asset: AssetId, compared: Compared<Atoms>): RejectFigures => ({ unit: 'atoms', id: asset, ...compared });
export const valueBeyond = (market: MarketId, compared: Compared<Atoms>): RejectFigures => ({ unit: 'value', id: market, ...compared });
export const priceBeyond = (market: MarketId, { asked, limit }: Compared<Ticks>): RejectFigures => ({
  unit: 'ticks',
  id: market,
  asked: bigintOf(asked),
  limit: bigintOf(limit),
});
export const sizeBeyond = (market: MarketId, { asked, limit }: Compared<number>): RejectFigures => ({
  unit: 'lots',
  id: market,
  asked: bigintOf(asked),
  limit: bigintOf(limit),
});
export const countBeyond = ({ asked, limit }: Compared<number>): RejectFigures => ({
  unit: 'count',
  id: 0,
  asked: bigintOf(asked),
  limit: bigintOf(limit),
});
