/** Texts of the questions before an order is sent, and before one is moved. Ids begin with `confirm.`. */
export const confirm = {
  'confirm.title': 'Confirm Order',
  'confirm.action': 'Action',
  'confirm.size': 'Size',
  'confirm.price': 'Price',
  'confirm.trigger': 'Trigger price',
  'confirm.activation': 'Activation price',
  'confirm.marketPrice': 'Market',
  'confirm.warnBid': 'Warning: You are using a limit price that is {rate} more aggressive than the best bid price',
  'confirm.warnAsk': 'Warning: You are using a limit price that is {rate} more aggressive than the best ask price',
  'confirm.noGas': 'You pay no gas. The order will be confirmed within a few seconds.',
  'confirm.again': "Don't show this again",
  'confirm.confirm': 'Confirm',
  'confirm.move.title': 'Change order',
  'confirm.move.lead':
    '{side} {size} {coin}: the price goes from {from} to {to} {quote} / {coin}. The order then stands behind the others at its new price.',
  'confirm.move.stopLead': '{side} {size} {coin}: the trigger price goes from {from} to {to} {quote} / {coin}.',
} as const;
