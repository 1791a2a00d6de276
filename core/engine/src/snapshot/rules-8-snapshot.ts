/** What a snapshot holds beside what earlier rules kept: since layout 6, which came with rules 8. The order of the fields is the format of the layout. */
import { fields, list, record, STALL_REASONS, type Field } from '@orrery/protocol';
import type { MarketId } from '@orrery/units';
import type { Exchange } from '../exchange.ts';
import type { Listed } from '../instruments/listed-market.ts';
import type { StalledPass, StalledTrigger } from '../triggers/stalled-triggers.ts';
import { byId } from './in-order.ts';

/** A pass over the stalled triggers of a market that is not over. */
export interface StalledPassSnapshot extends StalledPass {
  readonly market: MarketId;
}

export interface Rules8Snapshot {
  /** By contract, in the order in which they are tried; behind them those of spot markets. */
  readonly stalled: readonly StalledTrigger[];
  /** By contract, then by spot market. */
  readonly stalledPasses: readonly StalledPassSnapshot[];
}

export const NOTHING_OF_RULES_8: Rules8Snapshot = { stalled: [], stalledPasses: [] };

export const rules8Fields: { readonly [Part in keyof Rules8Snapshot]: Field<Rules8Snapshot[Part]> } = {
  stalled: list(record<StalledTrigger>({ orderId: fields.order, reason: fields.oneOf(STALL_REASONS) })),
  stalledPasses: list(record<StalledPassSnapshot>({ market: fields.market, left: fields.count, misses: fields.count })),
};

export function takeRules8({ contracts, markets }: Exchange): Rules8Snapshot {
  const listed: readonly Listed[] = [...byId(contracts), ...byId(markets)];
  return {
    stalled: listed.flatMap(({ triggers }) => triggers.stalled.list()),
    stalledPasses: listed.flatMap(({ terms: { market }, triggers: { stalled } }) =>
      stalled.pass.left > 0 ? [{ market, ...stalled.pass }] : [],
    ),
  };
}

/** Behind the orders that wait for a price. */
export function restoreStalled({ orders, contracts, markets }: Exchange, { stalled, stalledPasses }: Rules8Snapshot): void {
  for (const { orderId, reason } of stalled) {
    const open = orders.known(orderId);
    open.market.triggers.stalled.add(orderId, reason);
    if (open.market.contract !== undefined) open.market.clearing.reserve(open);
  }
  for (const { market, ...pass } of stalledPasses) (contracts.get(market) ?? markets.get(market))?.triggers.stalled.restore(pass);
}
