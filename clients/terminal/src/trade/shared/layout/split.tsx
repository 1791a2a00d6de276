/** Two panels above each other. The lower one has a height of its own, set by dragging the line between them or by the arrow keys, and remembered. */
import { useRef, useState } from 'react';
import type { KeyboardEvent, PointerEvent, ReactElement, ReactNode } from 'react';

export interface SplitProps {
  /** What the line between the panels does, in words. */
  readonly label: string;
  readonly upper: ReactNode;
  readonly lower: ReactNode;
  /** CSS pixels of the lower panel. */
  readonly height: number;
  readonly onHeight: (height: number) => void;
}

const LEAST_LOWER = 120;
const LEAST_UPPER = 240;
const STEP = 16;

interface Drag {
  readonly fromY: number;
  readonly fromHeight: number;
}

/** Neither panel vanishes; in a window too small for both the upper one gives way first. */
export function boundedHeight(wanted: number, room: number): number {
  return Math.round(Math.max(LEAST_LOWER, Math.min(room - LEAST_UPPER, wanted)));
}

export function Split({ label, upper, lower, height, onHeight }: SplitProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const drag = useRef<Drag | undefined>(undefined);
  const [dragged, setDragged] = useState<number>();
  const room = (): number => frame.current?.clientHeight ?? Number.POSITIVE_INFINITY;
  const shown = dragged ?? height;
  const start = (event: PointerEvent<HTMLDivElement>): void => {
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { fromY: event.clientY, fromHeight: boundedHeight(height, room()) };
  };
  const move = (event: PointerEvent): void => {
    if (drag.current !== undefined) setDragged(boundedHeight(drag.current.fromHeight + drag.current.fromY - event.clientY, room()));
  };
  const end = (): void => {
    if (dragged !== undefined) onHeight(dragged);
    drag.current = undefined;
    setDragged(undefined);
  };
  const press = (event: KeyboardEvent): void => {
    const steps = { ArrowUp: STEP, ArrowDown: -STEP, Home: Number.POSITIVE_INFINITY, End: Number.NEGATIVE_INFINITY }[event.key];
    if (steps === undefined) return;
    onHeight(boundedHeight(height + steps, room()));
    event.preventDefault();
  };
  return (
    <div ref={frame} className="flex min-h-0 min-w-0 flex-col">
      <div className="min-h-[240px] min-w-0 flex-1">{upper}</div>
      <div
        role="separator"
        aria-label={label}
        aria-orientation="horizontal"
        aria-valuenow={shown}
        aria-valuemin={LEAST_LOWER}
        tabIndex={0}
        onPointerDown={start}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
        onKeyDown={press}
        className="relative z-10 -my-1 h-[9px] shrink-0 cursor-row-resize touch-none outline-none after:absolute after:inset-x-0 after:top-1 after:h-px after:bg-line hover:after:bg-fg3 focus-visible:after:h-0.5 focus-visible:after:bg-focus active:after:bg-fg3"
      />
      {/* The height yields before the upper panel becomes too low to read. */}
      <div style={{ flexBasis: `${shown}px` }} className="min-h-[120px] min-w-0 shrink bg-panel">
        {lower}
      </div>
    </div>
  );
}
