/** A fee that was paid, with its coin: dots while amounts are hidden, all its decimals in its title. */
import type { ReactElement } from 'react';
import { HIDDEN, useFormat } from '../settings/use-format.ts';
import { useSettings } from '../settings/settings.ts';
import { coinName } from './coin-name.ts';
import { feeText } from './fee-text.ts';

export function FeeAmount({ coin, value }: { readonly coin: string; readonly value: string }): ReactElement {
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  return (
    <span className="whitespace-nowrap" {...(!isHidden && { title: format.number(value) })}>
      {isHidden ? HIDDEN : feeText(value, coin, format)} <span className="text-fg3">{coinName(coin)}</span>
    </span>
  );
}
