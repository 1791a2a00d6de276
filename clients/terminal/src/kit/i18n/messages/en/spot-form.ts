/** Texts of orders of spot markets that wait for a price, and of what protects a purchase. Ids begin with `spotForm.`. */
export const spotForm = {
  'spotForm.legPrice': 'Stop limit',
  'spotForm.callback': 'Callback',
  'spotForm.activation': 'Activation (optional)',
  'spotForm.takeProfit': 'Take profit',
  'spotForm.stopLoss': 'Stop loss',
  'spotForm.stopBuy': 'Buys at the market once the last price rises to {trigger}.',
  'spotForm.stopSell': 'Sells at the market once the last price falls to {trigger}.',
  'spotForm.stopBuyLimit': 'Once the last price rises to {trigger}, a limit order to buy at {price} is placed.',
  'spotForm.stopSellLimit': 'Once the last price falls to {trigger}, a limit order to sell at {price} is placed.',
  'spotForm.profitBuy': 'Buys at the market once the last price falls to {trigger}.',
  'spotForm.profitSell': 'Sells at the market once the last price rises to {trigger}.',
  'spotForm.profitBuyLimit': 'Once the last price falls to {trigger}, a limit order to buy at {price} is placed.',
  'spotForm.profitSellLimit': 'Once the last price rises to {trigger}, a limit order to sell at {price} is placed.',
  'spotForm.trailingBuy':
    'Buys at the market once the last price is {rate}% above its lowest since the order was placed. If it turned now: at {now}.',
  'spotForm.trailingSell':
    'Sells at the market once the last price is {rate}% below its highest since the order was placed. If it turned now: at {now}.',
  'spotForm.trailingBuyFrom':
    'From {activation} on it follows the last price, and buys at the market once that is {rate}% above its lowest. If it turned there: at {now}.',
  'spotForm.trailingSellFrom':
    'From {activation} on it follows the last price, and sells at the market once that is {rate}% below its highest. If it turned there: at {now}.',
  'spotForm.pairBuy':
    'A limit order to buy rests at {price}. If the last price rises to {trigger} first, it is cancelled and the size is bought at the market.',
  'spotForm.pairSell':
    'A limit order to sell rests at {price}. If the last price falls to {trigger} first, it is cancelled and the size is sold at the market.',
  'spotForm.pairBuyLimit':
    'A limit order to buy rests at {price}. If the last price rises to {trigger} first, it is cancelled and one at {leg} is placed.',
  'spotForm.pairSellLimit':
    'A limit order to sell rests at {price}. If the last price falls to {trigger} first, it is cancelled and one at {leg} is placed.',
  'spotForm.protects': 'What each fill buys is sold at the market when the last price reaches one of the two. The other is then cancelled.',
  'spotForm.type': 'Order type',
  'spotForm.pair': 'OCO',
  'spotForm.trailing': 'Trailing stop',
} as const;
