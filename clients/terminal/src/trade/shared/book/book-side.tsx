/** One side of the book as a list: arrows walk along the prices, Enter takes one into the ticket. */
import { useId, useState } from 'react';
import type { KeyboardEvent, ReactElement } from 'react';
import type { Ticks } from '@orrery/units';
import type { BookSideName } from '../../../platform/data/streams/streams.ts';
import { useLadderRow } from '../../../platform/data/streams/use-streams.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { BookRow } from './book-row.tsx';
import styles from './order-book.module.css';

export interface BookSideProps {
  readonly side: BookSideName;
  readonly rows: number;
  readonly own: ReadonlySet<Ticks>;
  /** @param as the side to order on; without it the ticket's stays. */
  readonly onPick: (side: BookSideName, index: number, as?: 'buy' | 'sell') => void;
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

const towardsSpread = { ask: 'ArrowDown', bid: 'ArrowUp' } as const satisfies Record<BookSideName, string>;
/** The keys that take a price for an order on a side. */
const ordersOn: Readonly<Record<string, 'buy' | 'sell'>> = { b: 'buy', B: 'buy', s: 'sell', S: 'sell' };

/** The ladder goes on across the spread. */
function focusOther(list: EventTarget & Element, side: BookSideName): void {
  const other = list.parentElement?.querySelector<HTMLElement>(`[data-side="${side === 'bid' ? 'ask' : 'bid'}"]`);
  other?.focus();
}

export function BookSide({ side, rows, own, onPick }: BookSideProps): ReactElement {
  const text = useText();
  const id = useId();
  const [active, setActive] = useState(0);
  const best = useLadderRow(side, 0);
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const next = moved(side, event.key, active, rows);
    const as = ordersOn[event.key];
    if (next === active && event.key === towardsSpread[side]) focusOther(event.currentTarget, side);
    else if (next !== undefined) setActive(next);
    else if (as !== undefined) onPick(side, active, as);
    else if (event.key === 'Enter' || event.key === ' ') onPick(side, active);
    else return;
    // A key of the ladder is none of the page's hotkeys.
    event.stopPropagation();
    event.preventDefault();
  };
  return (
    <div
      role="listbox"
      tabIndex={0}
      data-side={side}
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
