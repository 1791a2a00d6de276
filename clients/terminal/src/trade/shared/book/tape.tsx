/** The latest trades of the market, newest first. */
import { memo } from 'react';
import type { ReactElement } from 'react';
import { TAPE_LENGTH } from '../../../platform/feed/tape.ts';
import type { TapeTrade } from '../../../platform/feed/tape.ts';
import { useTape } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';
import { EmptyState } from '../../../kit/ui/empty-state.tsx';
import { Skeleton } from '../../../kit/ui/skeleton.tsx';
import { useMarket } from '../../../market/market-context.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import { PriceHead } from './price-head.tsx';
import styles from './order-book.module.css';

const TapeRow = memo(function TapeRow({ trade }: { readonly trade: TapeTrade }): ReactElement {
  const numbers = useNumbers(useMarket());
  const format = useFormat();
  const text = useText();
  const isBuy = trade.takerSide === 'buy';
  return (
    <li className={classes(styles['row'], isBuy ? styles['bid'] : styles['ask'])}>
      <span className={styles['price']}>
        {numbers.price(trade.price)}
        <span className="sr-only"> {text(isBuy ? 'trade.tape.bought' : 'trade.tape.sold')}</span>
      </span>
      <span>{numbers.size(trade.size)}</span>
      <time dateTime={new Date(trade.time).toISOString()} className={styles['total']}>
        {format.time(trade.time).slice(11)}
      </time>
    </li>
  );
});

export function Tape(): ReactElement {
  const market = useMarket();
  const text = useText();
  const { value: trades, phase } = useTape();
  const isStale = phase === 'stale';
  return (
    <section aria-label={text('trade.tab.trades')} className={styles['book']}>
      <div className={styles['head']} aria-hidden="true">
        <PriceHead />
        <span>{text('trade.sizeIn', { coin: market.sizeName })}</span>
        <span>{text('trade.time')}</span>
      </div>
      {trades?.length === 0 && <EmptyState>{text('trade.tape.empty')}</EmptyState>}
      <ol
        aria-label={text('trade.tape.label')}
        tabIndex={0}
        className={classes('min-h-0 flex-1 overflow-y-auto outline-offset-[-2px]', isStale && styles['stale'])}
      >
        {trades?.map((trade) => (
          <TapeRow key={trade.id} trade={trade} />
        ))}
        {trades === undefined &&
          Array.from({ length: TAPE_LENGTH / 3 }, (_, index) => (
            <li key={index} className={styles['row']}>
              <span className={styles['price']}>
                <Skeleton className="w-14" />
              </span>
            </li>
          ))}
      </ol>
    </section>
  );
}
