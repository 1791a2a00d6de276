/** Texts about the way to the exchange: what is lost, since when, and what is live. */
export const reach = {
  'reach.lost': 'The exchange cannot be reached since {time}. Data shown may be out of date. Reconnecting.',
  'reach.offline': 'This device is offline since {time}. Data shown may be out of date. Reconnecting.',

  'live.calls': 'Calls',
  'live.stream': 'Market data',
  'live.book': 'Order book',
  'live.account': 'Your account',
  'live.fresh': 'Live',
  'live.idle': 'Not on this page',
  'live.waiting': 'Waiting',
  'live.failed': 'Failed to load. Retrying.',
} as const;
