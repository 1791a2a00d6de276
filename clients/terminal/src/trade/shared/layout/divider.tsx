/** The line between two panels: dragged, or moved by the arrow keys, it gives one of them another size. A double click takes the usual one back. */
import { useRef } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement } from 'react';
import { classes } from '../../../kit/ui/classes.ts';

export interface DividerProps {
  /** What it resizes, in words. */
  readonly label: string;
  /** Along which the size is measured. */
  readonly axis: 'x' | 'y';
  /** Which way the size grows: with the coordinate, or against it. */
  readonly grows: 'forward' | 'backward';
  /** CSS pixels. */
  readonly size: number;
  readonly least: number;
  readonly most: number;
  /** Called while it moves. */
  readonly onMove: (size: number) => void;
  /** Called when it was let go or moved by a key: this size is to be remembered. */
  readonly onDone: (size: number) => void;
  readonly onReset: () => void;
}

const STEP = 16;

interface Drag {
  readonly from: number;
  readonly size: number;
}

const looks = {
  x: 'z-10 -mx-1 w-[9px] cursor-col-resize after:inset-y-0 after:inset-s-1 after:w-px focus-visible:after:w-0.5',
  y: 'z-10 -my-1 h-[9px] cursor-row-resize after:inset-x-0 after:top-1 after:h-px focus-visible:after:h-0.5',
} as const;

/** How far a key moves the line; `undefined` when it does not. */
function stepOf(key: string, axis: 'x' | 'y'): number | undefined {
  const [back, forward] = axis === 'x' ? ['ArrowLeft', 'ArrowRight'] : ['ArrowUp', 'ArrowDown'];
  if (key === back) return -STEP;
  return key === forward ? STEP : undefined;
}

export function Divider({ label, axis, grows, size, least, most, onMove, onDone, onReset }: DividerProps): ReactElement {
  const drag = useRef<Drag | undefined>(undefined);
  const sign = grows === 'forward' ? 1 : -1;
  const bounded = (wanted: number): number => Math.round(Math.max(least, Math.min(most, wanted)));
  const at = (event: PointerEvent): number => (axis === 'x' ? event.clientX : event.clientY);
  const sizeAt = ({ from, size: before }: Drag, event: PointerEvent): number => bounded(before + sign * (at(event) - from));
  const start = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { from: at(event), size: bounded(size) };
  };
  const end = (event: PointerEvent): void => {
    const { current } = drag;
    drag.current = undefined;
    if (current !== undefined && sizeAt(current, event) !== current.size) onDone(sizeAt(current, event));
  };
  const press = (event: KeyboardEvent): void => {
    const step = stepOf(event.key, axis);
    const ends: Readonly<Record<string, number>> = { Home: most, End: least };
    const next = step === undefined ? ends[event.key] : bounded(size) + sign * step;
    if (next === undefined) return;
    onDone(bounded(next));
    event.preventDefault();
  };
  return (
    <div
      role="separator"
      aria-label={label}
      aria-orientation={axis === 'x' ? 'vertical' : 'horizontal'}
      aria-valuenow={bounded(size)}
      aria-valuemin={least}
      aria-valuemax={Math.round(most)}
      tabIndex={0}
      onPointerDown={start}
      onPointerMove={(event) => drag.current !== undefined && onMove(sizeAt(drag.current, event))}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={onReset}
      onKeyDown={press}
      className={classes(
        'relative shrink-0 touch-none outline-none after:absolute after:bg-line hover:after:bg-fg3 focus-visible:after:bg-focus active:after:bg-fg3',
        looks[axis],
      )}
    />
  );
}
