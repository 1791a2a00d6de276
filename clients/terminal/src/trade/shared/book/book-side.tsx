/** One side of the book as a list: arrows walk along the prices, Enter takes one into the ticket. */
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { BookSideName } from '../../../feed/ladder-store.ts';
import { useLadderRow } from '../../../feed/use-feed.ts';
import { useText } from '../../../i18n/text.tsx';
import { classes } from '../../../ui/classes.ts';
import { BookRow } from './book-row.tsx';
import styles from './order-book.module.css';

export interface BookSideProps {
  readonly side: BookSideName;
  readonly rows: number;
  readonly own: ReadonlySet<number>;
  readonly onPick: (side: BookSideName, index: number) => void;
}

/** On the screen asks grow upwards from the spread and bids downwards. */
function moved(side: BookSideName, key: string, active: number, rows: number): number | undefined {
  const away = side === 'ask' ? 'ArrowUp' : 'ArrowDown';
  const back = side === 'ask' ? 'ArrowDown' : 'ArrowUp';
  if (key === away) return Math.min(rows - 1, active + 1);
  if (key === back) return Math.max(0, active - 1);
  if (key === 'Home') return 0;
  return key === 'End' ? rows - 1 : undefined;
}

export function BookSide({ side, rows, own, onPick }: BookSideProps): ReactElement {
  const text = useText();
  const id = useId();
  const [active, setActive] = useState(0);
  const best = useLadderRow(side, 0);
  const press = (event: KeyboardEvent): void => {
    const next = moved(side, event.key, active, rows);
    if (next !== undefined) setActive(next);
    else if (event.key === 'Enter' || event.key === ' ') onPick(side, active);
    else return;
    event.preventDefault();
  };
  return (
    <div
      role="listbox"
      tabIndex={0}
      aria-label={text(side === 'bid' ? 'trade.book.bidList' : 'trade.book.askList')}
      aria-activedescendant={`${id}-${active}`}
      onKeyDown={press}
      className={classes(styles['side'], side === 'ask' && styles['asks'])}
    >
      {best === undefined && (
        <p className="absolute inset-0 flex items-center justify-center text-sm text-fg3">{text('trade.book.empty')}</p>
      )}
      {Array.from({ length: rows }, (_, index) => (
        <BookRow key={index} id={`${id}-${index}`} side={side} index={index} own={own} isActive={index === active} onPick={onPick} />
      ))}
    </div>
  );
}
