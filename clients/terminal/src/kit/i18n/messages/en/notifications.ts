/** Texts of the notification centre and of the popover about the connection. Ids begin with `notifications.` or `latency.`. */
export const notifications = {
  'notifications.category': 'Kinds of notifications',
  'notifications.all': 'All',
  'notifications.orders': 'Orders',
  'notifications.money': 'Money',
  'notifications.rewards': 'Rewards',
  'notifications.system': 'System',
  'notifications.new': '(new)',
  'notifications.clear': 'Clear',
  'notifications.empty': 'Nothing here yet. What happens to your orders, your money and your rewards is listed here.',

  'latency.title': 'Connection',
  'latency.orders': 'Own orders, round trip',
  'latency.ordersOf': 'p50 {median} ms · p95 {slowest} ms · last {count}',
  'latency.noOrders': 'No order sent yet',
  'latency.feed': 'Market data',
  'latency.feedAge': '{age} old',
  'latency.gaps': 'Gaps, books read again',
  'latency.reconnects': 'Reconnections',
  'latency.call': 'Round trip to the exchange',
  'latency.more': 'State of the exchange',
} as const;
