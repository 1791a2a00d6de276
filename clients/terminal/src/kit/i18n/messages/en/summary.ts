/** Texts under the order ticket. */
export const summary = {
  'summary.holdings': 'Your balance',
  'summary.held': 'in orders',
  'summary.fills': 'Your last fills',
  'summary.task': 'Next task',
} as const;
