import type { OrderDraft } from './order-draft.ts';

/** The switch of the settings that asks for confirmation of this kind of order. */
export const confirmationSetting = (kind: OrderDraft['kind']): 'confirmLimitOrders' | 'confirmMarketOrders' =>
  kind === 'limit' || kind === 'stopLimit' ? 'confirmLimitOrders' : 'confirmMarketOrders';
