/** The mark of a coin, in the colour of the text; a coin without one shows its first letter. */
import type { ReactElement } from 'react';
import { classes } from './classes.ts';
import marks from './coin-marks.svg';

/** Ids of the marks in the file. */
const drawn: ReadonlySet<string> = new Set(['BTC', 'ETH', 'SOL', 'BNB', 'USDC', 'SOSO']);

export interface CoinMarkProps {
  /** As people call it: the native coin is SOSO. */
  readonly name: string;
  readonly className?: string;
}

export function CoinMark({ name, className }: CoinMarkProps): ReactElement {
  const look = classes('inline-flex size-6 shrink-0 items-center justify-center rounded-full bg-hover text-fg', className);
  return (
    <span aria-hidden="true" className={look}>
      {drawn.has(name) ? (
        <svg viewBox="0 0 32 32" className="size-full fill-current">
          <use href={`${marks}#${name}`} />
        </svg>
      ) : (
        <span className="text-sm font-semibold">{name.slice(0, 1)}</span>
      )}
    </span>
  );
}

/** A coin as it stands in a table: its mark, of which the look can be changed, and its name. */
export function Coin({ name, className }: CoinMarkProps): ReactElement {
  return (
    <span className="inline-flex items-center gap-2 align-middle">
      <CoinMark name={name} {...(className !== undefined && { className })} />
      <span className="font-semibold">{name}</span>
    </span>
  );
}
