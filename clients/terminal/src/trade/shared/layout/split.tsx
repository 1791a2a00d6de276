/** Two panels above each other. The lower one has a height of its own, set by the line between them. */
import { useRef, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { TABLES_LEAST } from './arrangement.ts';
import { Divider } from './divider.tsx';

export interface SplitProps {
  /** What the line between the panels does, in words. */
  readonly label: string;
  readonly upper: ReactNode;
  readonly lower: ReactNode;
  /** CSS pixels of the lower panel. */
  readonly height: number;
  /** Its height before anybody changed it. */
  readonly usual: number;
  readonly onHeight: (height: number) => void;
}

const LEAST_UPPER = 240;

/** Neither panel vanishes; in a window too small for both the upper one gives way first. */
export function boundedHeight(wanted: number, room: number): number {
  return Math.round(Math.max(TABLES_LEAST, Math.min(room - LEAST_UPPER, wanted)));
}

export function Split({ label, upper, lower, height, usual, onHeight }: SplitProps): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const [moved, setMoved] = useState<number>();
  const shown = moved ?? height;
  const done = (wanted: number): void => {
    setMoved(undefined);
    onHeight(boundedHeight(wanted, frame.current?.clientHeight ?? Number.POSITIVE_INFINITY));
  };
  return (
    <div ref={frame} className="flex h-full min-h-0 min-w-0 flex-col">
      <div className="min-h-[240px] min-w-0 flex-1">{upper}</div>
      <Divider
        label={label}
        axis="y"
        grows="backward"
        size={shown}
        least={TABLES_LEAST}
        most={1200}
        onMove={(wanted) => setMoved(boundedHeight(wanted, frame.current?.clientHeight ?? Number.POSITIVE_INFINITY))}
        onDone={done}
        onReset={() => done(usual)}
      />
      {/* The height yields before the upper panel becomes too low to read. */}
      <div style={{ flexBasis: `${shown}px` }} className="min-h-[120px] min-w-0 shrink bg-panel">
        {lower}
      </div>
    </div>
  );
}
