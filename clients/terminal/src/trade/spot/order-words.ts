/** An order in one line of words: side, size and price. */
import type { CreateOrder } from '@orrery/api';
import { shownName } from '../../market/market.ts';
import { formatDecimal } from '../../kit/format/number-format.ts';
import { say } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';

export type WordedOrder = Pick<CreateOrder, 'symbol' | 'direction' | 'tradeType' | 'price' | 'stopPrice' | 'totalAmount' | 'funds'>;

export function orderWords(order: WordedOrder): string {
  const format = useSettings.getState().numberFormat;
  const [coin = '', quote = ''] = order.symbol.split('_').map(shownName);
  const number = (value: string | undefined): string => formatDecimal(value, { format });
  const values = {
    side: say(order.direction === 'BUY' ? 'trade.buy' : 'trade.sell'),
    size: number(order.totalAmount),
    funds: number(order.funds),
    price: number(order.price),
    trigger: number(order.stopPrice),
    coin,
    quote,
  };
  if (order.funds !== undefined) return say('trade.ticket.submitBuyFor', values);
  switch (order.tradeType) {
    case 'LIMIT':
      return say('trade.done.rests', values);
    case 'MARKET':
      return say('trade.done.atMarket', values);
    case 'STOP_LIMIT':
    case 'TAKE_PROFIT_LIMIT':
      return say('trade.done.waitsForLimit', values);
    case 'STOP_MARKET':
    case 'TAKE_PROFIT_MARKET':
      return say('trade.done.waitsForMarket', values);
    case 'TRAILING_STOP_MARKET':
      return say('trade.done.follows', values);
  }
}
