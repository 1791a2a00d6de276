/** An amount of a coin that a person owns: one precision per coin everywhere, dots while amounts are hidden. */
import type { ReactElement } from 'react';
import { useSettings } from '../../kit/settings/settings.ts';
import { HIDDEN } from '../../kit/settings/use-format.ts';
import { Figure } from '../../kit/ui/figure.tsx';
import { coinDecimals } from './coin-decimals.ts';

export interface CoinAmountProps {
  readonly coin: string;
  /** Decimal text. */
  readonly value: string;
  readonly sign?: 'always';
}

export function CoinAmount({ coin, value, sign }: CoinAmountProps): ReactElement {
  const isHidden = useSettings((settings) => settings.hideAmounts);
  if (isHidden) return <>{HIDDEN}</>;
  return <Figure value={value} decimals={coinDecimals(coin)} {...(sign !== undefined && { sign })} />;
}
