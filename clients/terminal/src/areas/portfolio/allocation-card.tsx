/** What the account is made of, as one bar and a line for each coin. */
import type { ReactElement } from 'react';
import { coinName } from '../balances/coin-name.ts';
import { useBalances } from '../balances/use-balances.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { classes } from '../../kit/ui/classes.ts';
import { CoinMark } from '../../kit/ui/coin-mark.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { allocation } from './allocation.ts';
import type { Part } from './allocation.ts';
import { mapped } from '../../kit/ui/loaded.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

/** From the largest part to the smallest: lighter and lighter, of no direction. */
const shades = ['bg-fg', 'bg-fg2', 'bg-fg3', 'bg-control', 'bg-strong', 'bg-hover'] as const;
const LAST_SHADE = shades[shades.length - 1];

function Bar({ parts }: { readonly parts: readonly Part[] }): ReactElement {
  return (
    <div aria-hidden="true" className="flex h-2 gap-px overflow-hidden rounded-sm">
      {parts.map((part, at) => (
        <span key={part.coin ?? ''} className={classes('min-w-0.5', shades[at] ?? LAST_SHADE)} style={{ flexGrow: Number(part.percent) }} />
      ))}
    </div>
  );
}

function Line({ part, shade }: { readonly part: Part; readonly shade: string | undefined }): ReactElement {
  const text = useText();
  const format = useFormat();
  const name = part.coin === undefined ? text('portfolio.otherCoins') : coinName(part.coin);
  return (
    <li className="flex items-center gap-2 py-1.5 text-md">
      <span aria-hidden="true" className={classes('size-2 shrink-0 rounded-sm', shade)} />
      {part.coin !== undefined && <CoinMark name={name} className="size-5 border-0" />}
      <span className="min-w-0 grow font-medium">{name}</span>
      <span className="text-fg2">{format.ownFiat(part.value)}</span>
      <span className="w-14 text-end">{format.number(part.percent, { decimals: 1 })}%</span>
    </li>
  );
}

export function AllocationCard(): ReactElement {
  const text = useText();
  const read = mapped(useBalances(), allocation);
  return (
    <Section title={text('portfolio.allocation')}>
      <div className="p-4">
        <LoadedPanel read={read} loading={<Skeleton className="h-24 w-full" />}>
          {(parts) =>
            parts.length === 0 ? (
              <p className="text-md text-fg2">{text('assets.empty')}</p>
            ) : (
              <>
                <Bar parts={parts} />
                <ul className="mt-3">
                  {parts.map((part, at) => (
                    <Line key={part.coin ?? ''} part={part} shade={shades[at] ?? LAST_SHADE} />
                  ))}
                </ul>
              </>
            )
          }
        </LoadedPanel>
      </div>
    </Section>
  );
}
