/** A fee that was paid, with its coin: dots while amounts are hidden, all its decimals in its title. */
import type { ReactElement } from 'react';
import { HIDDEN, useFormat } from '../../kit/settings/use-format.ts';
import { useSettings } from '../../kit/settings/settings.ts';
import { coinName } from './coin-name.ts';
import { feeText } from './fee-text.ts';

interface AmountProps {
  readonly coin: string;
  /** Decimal text. */
  readonly value: string;
}

/** Without its coin. */
export function SmallAmount({ coin, value }: AmountProps): ReactElement {
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  return isHidden ? <>{HIDDEN}</> : <span title={format.number(value)}>{feeText(value, coin, format)}</span>;
}

export function FeeAmount({ coin, value }: AmountProps): ReactElement {
  return (
    <span className="whitespace-nowrap">
      <SmallAmount coin={coin} value={value} /> <span className="text-fg3">{coinName(coin)}</span>
    </span>
  );
}
