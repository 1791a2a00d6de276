/** Texts of the story of a liquidation. Ids begin with `why.`. */
export const why = {
  'why.title': 'Why was I liquidated',
  'why.open': 'Why?',
  'why.lead': 'Position in {symbol}, step by step, from the records of the exchange.',
  'why.reason': 'At the mark price {mark} the equity was {equity} {coin}, {percent}% of the maintenance margin of {maintenance} {coin}.',
  'why.rule':
    'A position is liquidated when its equity (its margin with its profit or loss at the mark price) is below its maintenance margin: half of the initial margin at the most leverage of its tier. Crossed positions share the equity and the maintenance margin of the account.',
  'why.steps': 'Steps of the liquidation',
  'why.stage': 'Step',
  'why.ORDER_BOOK': 'Order in the book',
  'why.TAKE_OVER': 'Taken over',
  'why.ADL': 'Deleveraged',
  'why.equity': 'Equity',
  'why.maintenance': 'Maintenance',
  'why.closed': 'Closed',
  'why.closedInAll': 'Closed in all',
  'why.marginPaid': 'Margin paid',
  'why.fromMargin': 'Paid by your margin',
  'why.fromLiquidator': 'Paid by the liquidator',
  'why.fromInsurance': 'Paid by the insurance fund',
  'why.uncovered': 'Uncovered',
  'why.stages':
    'First the position is closed by orders in the book, which leave its maintenance share at most. Below two thirds of the maintenance margin the liquidator takes it over at mark. What the margin does not cover is paid by the liquidator and the insurance fund up to their hourly limit, then by the gains of the other side; you owe nothing.',
  'why.notYet': 'The exchange has no record of it yet.',
} as const;
