/** Texts of points and progress. */
export const points = {
  'points.title': 'Points',
  'points.lead': 'What you have earned on this testnet. Points have no value outside it.',
  'points.signIn': 'Sign in to see your points.',
  'points.total': 'Points in all',
  'points.history': 'Claim history',
  'points.time': 'Time',
  'points.name': 'Name',
  'points.points': 'Points',
  'points.empty': 'No points yet.',

  'progress.title': 'Current Progress',
  'progress.orders': 'Orders',
  'progress.volume': 'Trading volume',
  'progress.more': 'Trade More',
} as const;
