/** Texts of the trading page. Ids begin with `trade.`. */
export const trade = {
  'trade.title': 'Spot trading',
} as const;
