/** Texts under the order ticket. */
export const standing = {
  'standing.holdings': 'Your balance',
  'standing.held': 'in orders',
  'standing.fills': 'Your last fills',
  'standing.task': 'Next task',
} as const;
