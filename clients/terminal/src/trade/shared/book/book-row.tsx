/** One price of the book. It hears of its own row only and renders only when that row changed. */
import { memo } from 'react';
import type { ReactElement } from 'react';
import type { Ticks } from '@orrery/units';
import type { BookSideName } from '../../../platform/data/streams/streams.ts';
import { useLadderRow } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { useNumbers } from '../../../market/use-numbers.ts';
import styles from './order-book.module.css';

export interface BookRowProps {
  readonly side: BookSideName;
  readonly index: number;
  readonly id: string;
  readonly own: ReadonlySet<Ticks>;
  readonly isActive: boolean;
  readonly onPick: (side: BookSideName, index: number) => void;
}

export const BookRow = memo(function BookRow({ side, index, id, own, isActive, onPick }: BookRowProps): ReactElement {
  const row = useLadderRow(side, index);
  const numbers = useNumbers(useMarket());
  const text = useText();
  const isOwn = row !== undefined && own.has(row.price);
  const name = classes(styles['row'], styles[side], isOwn && styles['own']);
  if (row === undefined) return <div id={id} role="option" aria-selected="false" aria-hidden="true" className={name} />;
  return (
    <div
      id={id}
      role="option"
      aria-selected={isActive}
      data-active={isActive || undefined}
      className={name}
      onClick={() => onPick(side, index)}
    >
      <span className={styles['bar']} style={{ transform: `scaleX(${row.share})` }} />
      <span className={styles['price']}>{numbers.price(row.price)}</span>
      <span>{numbers.size(row.size)}</span>
      <span className={styles['total']}>{numbers.size(row.total)}</span>
      {isOwn && <span className="sr-only">{text('trade.book.own')}</span>}
    </div>
  );
});
