/** Between the sides: the last price with its direction, and the spread. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { bigintOf, divFloor, NO_TICKS, printDecimal, ticksBetween } from '@orrery/units';
import type { Ticks } from '@orrery/units';
import type { LadderTop } from '../../../platform/data/streams/streams.ts';
import { useLadderTop, useTape } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import styles from './order-book.module.css';

/** Of the middle, in hundredths of a per cent, rounded down: `0.002%`. */
function spreadPercent({ bestBid, bestAsk }: LadderTop): string {
  const thousandths = divFloor(bigintOf(ticksBetween(bestBid, bestAsk)) * 200_000n, bigintOf(bestAsk) + bigintOf(bestBid));
  const [whole = '0', fraction = ''] = printDecimal(thousandths, 3).split('.');
  return `${whole}.${fraction.padEnd(3, '0')}%`;
}

export type Direction = 'up' | 'down' | 'none';

/** Which way a price last moved; it stays while the price stands still. */
export function useDirection(price: Ticks | undefined): Direction {
  const [seen, setSeen] = useState<{ readonly price: Ticks | undefined; readonly direction: Direction }>({ price, direction: 'none' });
  if (seen.price === price) return seen.direction;
  const isMove = seen.price !== undefined && price !== undefined;
  const direction: Direction = !isMove ? 'none' : (price ?? 0) > (seen.price ?? 0) ? 'up' : 'down';
  setSeen({ price, direction });
  return direction;
}

export function SpreadLine(): ReactElement {
  const market = useMarket();
  const numbers = useNumbers(market);
  const text = useText();
  const { value: top } = useLadderTop();
  const last = useTape().value?.[0]?.price;
  const direction = useDirection(last);
  const hasBoth = top !== undefined && top.bestBid > NO_TICKS && top.bestAsk > NO_TICKS;
  return (
    <div className={styles['middle']}>
      <span
        className={classes(styles['last'], 'flex items-center gap-1', direction === 'up' && 'text-up', direction === 'down' && 'text-down')}
      >
        {last === undefined ? '—' : numbers.price(last)}
        {direction === 'up' && <ArrowUp size={13} strokeWidth={2.5} aria-hidden="true" />}
        {direction === 'down' && <ArrowDown size={13} strokeWidth={2.5} aria-hidden="true" />}
      </span>
      {hasBoth && (
        <span className="truncate text-sm text-fg3">
          {text('trade.book.spread', { spread: numbers.price(ticksBetween(top.bestBid, top.bestAsk)), percent: spreadPercent(top) })}
        </span>
      )}
    </div>
  );
}
