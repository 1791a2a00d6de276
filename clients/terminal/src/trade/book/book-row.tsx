/** One price of the book. It hears of its own row only and renders only when that row changed. */
import { memo } from 'react';
import type { ReactElement } from 'react';
import type { BookSideName } from '../../feed/ladder-store.ts';
import { useLadderRow } from '../../feed/use-feed.ts';
import { useText } from '../../i18n/text.tsx';
import { classes } from '../../ui/classes.ts';
import { useMarket } from '../market-context.tsx';
import { useNumbers } from '../use-numbers.ts';
import styles from './order-book.module.css';

export interface BookRowProps {
  readonly side: BookSideName;
  readonly index: number;
  readonly id: string;
  readonly own: ReadonlySet<number>;
  readonly isActive: boolean;
  readonly onPick: (side: BookSideName, index: number) => void;
}

export const BookRow = memo(function BookRow({ side, index, id, own, isActive, onPick }: BookRowProps): ReactElement {
  const row = useLadderRow(side, index);
  const numbers = useNumbers(useMarket());
  const text = useText();
  const name = classes(styles['row'], styles[side], row !== undefined && own.has(row.price) && styles['own']);
  if (row === undefined) return <div id={id} role="option" aria-selected="false" aria-hidden="true" className={name} />;
  const shown = { price: numbers.price(row.price), size: numbers.size(row.size), total: numbers.size(row.total) };
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      aria-label={text(own.has(row.price) ? 'trade.book.ownRow' : 'trade.book.row', shown)}
      data-active={isActive || undefined}
      className={name}
      onClick={() => onPick(side, index)}
    >
      <span className={styles['bar']} style={{ transform: `scaleX(${row.share})` }} />
      <span className={styles['price']}>{shown.price}</span>
      <span>{shown.size}</span>
      <span className={styles['total']}>{shown.total}</span>
    </div>
  );
});
