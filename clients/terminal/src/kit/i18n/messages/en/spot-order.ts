/** Texts of orders of spot markets in tables. Ids begin with `spotOrder.`. */
export const spotOrder = {
  'spotOrder.pair': 'OCO',
  'spotOrder.ofPurchase': 'TP/SL of a purchase',
  'spotOrder.callback': 'Callback {rate}%',
  'spotOrder.from': 'from {price}',
  'spotOrder.takeProfit': 'TP {price}',
  'spotOrder.stopLoss': 'SL {price}',
  'spotOrder.stalled': 'Reached, no counterpart yet',
} as const;
