/** A number with its unit. Zeros that only keep the column in line stand back. */
import type { ReactElement } from 'react';
import { figureParts } from '../format/figure-parts.ts';
import { formatDecimal } from '../format/number-format.ts';
import type { DecimalStyle } from '../format/number-format.ts';
import { useSettings } from '../settings/settings.ts';
import { classes } from './classes.ts';

export interface FigureProps extends Omit<DecimalStyle, 'format'> {
  /** Decimal text; a dash is shown for what is not known. */
  readonly value: string | undefined;
  readonly unit?: string | undefined;
  /** Coloured as a gain or a loss; the sign says the same. */
  readonly tone?: 'direction';
  readonly className?: string;
}

function directionOf(value: string | undefined): string | false {
  if (value === undefined || !/[1-9]/.test(value)) return false;
  return value.startsWith('-') ? 'text-down' : 'text-up';
}

export function Figure({ value, unit, tone, className, ...style }: FigureProps): ReactElement {
  const format = useSettings((settings) => settings.numberFormat);
  const { digits, zeros } = figureParts(value, { ...style, format });
  // What the decimals cut off can be read on hover.
  const whole = formatDecimal(value, { format });
  const isCut = style.decimals !== undefined && whole.length > digits.length + zeros.length;
  return (
    <span {...(isCut && { title: whole })} className={classes('whitespace-nowrap', tone === 'direction' && directionOf(value), className)}>
      {digits}
      {zeros !== '' && <span className="text-fg3">{zeros}</span>}
      {unit !== undefined && <span className="text-fg3"> {unit}</span>}
    </span>
  );
}
