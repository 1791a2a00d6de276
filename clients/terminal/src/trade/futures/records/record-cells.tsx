/** Cells that the records of contracts share. */
import type { ReactElement, ReactNode } from 'react';
import { coinName } from '../../../areas/balances/coin-name.ts';
import { feeText } from '../../../areas/balances/fee-text.ts';
import { compareDecimals } from '../../../kit/format/decimal.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useSettings } from '../../../kit/settings/settings.ts';
import { HIDDEN, useFormat } from '../../../kit/settings/use-format.ts';
import { classes } from '../../../kit/ui/classes.ts';

interface MoneyProps {
  readonly coin: string;
  readonly value: string;
  /** Coloured as a gain or a loss; the sign says the same. */
  readonly tone?: 'direction';
  readonly children?: ReactNode;
}

/** Dots while amounts are hidden. */
export function MoneyCell({ coin, value, tone, children }: MoneyProps): ReactElement {
  const format = useFormat();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const order = compareDecimals(value, '0');
  const colour = tone === undefined || order === 0 ? undefined : order > 0 ? 'text-up' : 'text-down';
  return (
    <span className={colour}>
      {isHidden ? HIDDEN : feeText(value, coin, { ...format, ...(tone !== undefined && { sign: 'always' }) })}{' '}
      <span className="text-sm text-fg3">{coinName(coin)}</span>
      {children}
    </span>
  );
}

interface ContractProps {
  readonly symbol: string;
  readonly side: 'LONG' | 'SHORT' | undefined;
  readonly terms?: string;
}

/** The side is a stripe as well as a word. The terms stand below: beside them the last columns would not fit on a laptop. */
export function RecordContract({ symbol, side, terms }: ContractProps): ReactElement {
  const text = useText();
  return (
    <span className="flex items-center gap-2">
      {side !== undefined && <span className={classes('h-4 w-[3px]', side === 'LONG' ? 'bg-up' : 'bg-down')} aria-hidden="true" />}
      <span className="leading-tight">
        <span className="font-medium">{symbol.replace('_', '/')}</span>{' '}
        {side !== undefined && (
          <span className={classes('ms-1', side === 'LONG' ? 'text-up' : 'text-down')}>{text(`records.side.${side}`)}</span>
        )}{' '}
        {terms !== undefined && <span className="block text-sm text-fg3 max-tablet:hidden">{terms}</span>}
      </span>
    </span>
  );
}

interface OrderContractProps {
  readonly symbol: string;
  readonly side: 'BUY' | 'SELL';
}

/** Of an order or a trade. */
export function OrderContract({ symbol, side }: OrderContractProps): ReactElement {
  const text = useText();
  return (
    <span className="flex items-center gap-2">
      <span className={classes('h-4 w-[3px]', side === 'BUY' ? 'bg-up' : 'bg-down')} aria-hidden="true" />
      <span className="font-medium">{symbol.replace('_', '/')}</span>
      <span className={side === 'BUY' ? 'text-up' : 'text-down'}>{text(`records.side.${side}`)}</span>
    </span>
  );
}
