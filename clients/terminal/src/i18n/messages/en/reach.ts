/** Texts about the way to the exchange: what is lost, since when, and what is live. */
export const reach = {
  'reach.lost': 'The exchange cannot be reached since {time}. What you see is from before; everything is asked for again by itself.',

  'live.calls': 'Calls',
  'live.stream': 'Market data',
  'live.book': 'Order book',
  'live.account': 'Your account',
  'live.fresh': 'Live',
  'live.idle': 'Not on this page',
  'live.waiting': 'Waiting',
  'live.failed': 'Could not be loaded; tried again by itself',
} as const;
