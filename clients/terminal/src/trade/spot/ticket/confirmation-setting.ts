import type { OrderDraft } from './order-draft.ts';

/** The switch of the settings that asks for confirmation of this kind of order. */
export const confirmationSetting = (kind: OrderDraft['kind']): 'confirmLimitOrders' | 'confirmMarketOrders' =>
  ['limit', 'stopLimit', 'takeProfitLimit', 'pair'].includes(kind) ? 'confirmLimitOrders' : 'confirmMarketOrders';
