/** What can be done at a place of the chart: opens by a right click there, or by Shift and F10 at the last price. */
import { DropdownMenu as Radix } from 'radix-ui';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { MenuItem, MenuSeparator } from '../../kit/ui/menu.tsx';

/** Where the menu opens, and for which price. */
export interface MenuPlace {
  /** CSS pixels from the upper left corner of the chart. */
  readonly x: number;
  readonly y: number;
  /** Decimal text. */
  readonly price: string;
}

export interface ChartMenuActions {
  readonly onOrder: (order: { readonly side: 'buy' | 'sell'; readonly price: string }) => void;
  readonly onLine: (price: string) => void;
  readonly onRemove: () => void;
  readonly onNow: () => void;
  readonly onTable: () => void;
}

export interface ChartMenuProps extends ChartMenuActions {
  readonly place: MenuPlace;
  readonly onClose: () => void;
}

export function ChartMenu({ place, onClose, onOrder, onLine, onRemove, onNow, onTable }: ChartMenuProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { x, y, price } = place;
  const values = { price: format.number(price) };
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <span className="pointer-events-none absolute size-0" style={{ left: `${x}px`, top: `${y}px` }} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={text('chart.menu')}
          align="start"
          collisionPadding={8}
          className="z-50 min-w-48 rounded-md border border-strong bg-raised p-1 shadow-pop"
        >
          {(['buy', 'sell'] as const).map((side) => (
            <MenuItem key={side} onSelect={() => onOrder({ side, price })}>
              {text(side === 'buy' ? 'chart.menu.buyAt' : 'chart.menu.sellAt', values)}
            </MenuItem>
          ))}
          <MenuSeparator />
          <MenuItem onSelect={() => onLine(price)}>{text('chart.menu.lineAt', values)}</MenuItem>
          <MenuItem onSelect={onRemove}>{text('chart.tool.removeSelected')}</MenuItem>
          <MenuSeparator />
          <MenuItem onSelect={onNow}>{text('chart.menu.toNow')}</MenuItem>
          <MenuItem onSelect={onTable}>{text('chart.menu.table')}</MenuItem>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
