/** Texts of the scale order. Ids begin with `scale.`. */
export const scale = {
  'scale.title': 'Scale order',
  'scale.lead': 'Spreads one size over several limit orders between two prices.',
  'scale.lower': 'Lower price',
  'scale.upper': 'Upper price',
  'scale.size': 'Total size',
  'scale.count': 'Number of orders',
  'scale.distribution': 'Distribution',
  'scale.flat': 'Flat',
  'scale.rising': 'Rising',
  'scale.falling': 'Falling',
  'scale.preview': 'Orders of the scale: price and size',
  'scale.submit': 'Place {count} orders',
  'scale.placed': '{count, plural, one {# order placed} other {# orders placed}}',
  'scale.placedOf': '{count} of {all} orders placed',
  'scale.tooNarrow': 'The upper price must be above the lower by at least a tick for each order',
  'scale.valueLow': 'Each order must be worth at least {value} {coin}',
} as const;
