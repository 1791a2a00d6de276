/** Which lines positions and orders of a contract are on its chart, and what dragging one of them means. Pure. */
import type { FuturesFill, FuturesOrder, Plan, Position, ProfitStopTerms } from '@orrery/api';
import type { FillMark, OrderLine } from '../../market/chart/chart-port.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';

export interface LineWords {
  readonly buy: string;
  readonly sell: string;
  readonly plan: string;
  readonly takeProfit: string;
  readonly stopLoss: string;
  readonly long: string;
  readonly short: string;
  readonly liquidation: string;
  readonly whole: string;
  /** An amount as it may be shown. */
  readonly size: (size: string) => string;
}

export interface Drawn {
  readonly positions: readonly Position[];
  readonly open: readonly FuturesOrder[];
  readonly plans: readonly Plan[];
  readonly stops: readonly ProfitStopTerms[];
}

const sideOf = (orderSide: 'BUY' | 'SELL'): 'buy' | 'sell' => (orderSide === 'BUY' ? 'buy' : 'sell');

function positionLines(position: Position, words: LineWords): readonly OrderLine[] {
  const isLong = !position.positionSize.startsWith('-');
  const side = isLong ? 'buy' : 'sell';
  const size = words.size(position.positionSize.replace(/^-/, ''));
  const { entryPrice, liquidationPrice, positionSide } = position;
  if (entryPrice === null) return [];
  const entry: OrderLine = {
    orderId: `entry:${positionSide}`,
    side,
    price: Number(entryPrice),
    label: `${isLong ? words.long : words.short} ${size}`,
    isMovable: true,
  };
  if (liquidationPrice === null) return [entry];
  return [
    entry,
    {
      orderId: `liquidation:${positionSide}`,
      side,
      price: Number(liquidationPrice),
      label: words.liquidation,
      isMovable: false,
      tone: 'risk',
    },
  ];
}

export function contractLines({ positions, open, plans, stops }: Drawn, wire: string, words: LineWords): readonly OrderLine[] {
  const isHere = ({ symbol }: { readonly symbol: string }): boolean => symbol === wire;
  const sized = (label: string, size: string | null): string => `${label} ${size === null ? words.whole : words.size(size)}`;
  return [
    ...positions.filter(isHere).flatMap((position) => positionLines(position, words)),
    ...open.filter(isHere).flatMap(({ orderId, orderSide, price, origQty }): readonly OrderLine[] =>
      price === null
        ? []
        : [
            {
              orderId: `order:${orderId}`,
              side: sideOf(orderSide),
              price: Number(price),
              label: sized(words[sideOf(orderSide)], origQty),
              isMovable: true,
            },
          ],
    ),
    ...plans.filter(isHere).flatMap(({ entrustId, orderSide, stopPrice, origQty }): readonly OrderLine[] =>
      stopPrice === null
        ? []
        : [
            {
              orderId: `plan:${entrustId}`,
              side: sideOf(orderSide),
              price: Number(stopPrice),
              label: sized(`${words.plan} ${words[sideOf(orderSide)]}`, origQty),
              isMovable: false,
            },
          ],
    ),
    ...stops.filter(isHere).flatMap((stop): readonly OrderLine[] => {
      const price = stop.triggerProfitPrice ?? stop.triggerStopPrice;
      const name = stop.triggerProfitPrice === null ? words.stopLoss : words.takeProfit;
      return price === null
        ? []
        : [
            {
              orderId: `stop:${stop.profitId}`,
              side: sideOf(stop.orderSide),
              price: Number(price),
              label: sized(name, stop.origQty),
              isMovable: true,
            },
          ];
    }),
  ];
}

/** What protects a position at a price: beyond the mark price on its winning side a profit is taken, on the other a loss is stopped. */
export function protectionAt(position: Pick<Position, 'positionSize' | 'markPrice' | 'entryPrice'>, price: string): 'profit' | 'stop' {
  const isLong = !position.positionSize.startsWith('-');
  const isAbove = compareDecimals(price, position.markPrice ?? position.entryPrice ?? '0') > 0;
  return isLong === isAbove ? 'profit' : 'stop';
}

/** One for each fill in a contract, which may be known twice: from history, and from the stream. */
export function fillMarks(fills: readonly FuturesFill[], wire: string): readonly FillMark[] {
  const marks = new Map<string, FillMark>();
  for (const { symbol, execId, orderId, orderSide, timestamp, price } of fills) {
    const id = `${execId}-${orderId}`;
    if (symbol === wire) marks.set(id, { id, side: orderSide === 'BUY' ? 'buy' : 'sell', time: timestamp, price: Number(price) });
  }
  return [...marks.values()];
}
