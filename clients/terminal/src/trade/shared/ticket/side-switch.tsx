import type { ReactElement } from 'react';
import type { MessageId } from '../../../kit/i18n/catalog.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { RadioGroup } from '../../../kit/ui/radio-group.tsx';

export interface SideSwitchProps {
  readonly side: 'buy' | 'sell';
  readonly onChange: (side: 'buy' | 'sell') => void;
  /** In place of buy and sell. */
  readonly names?: Readonly<Record<'buy' | 'sell', MessageId>> | undefined;
}

const active = { buy: 'bg-up text-on-direction font-semibold', sell: 'bg-down text-on-direction font-semibold' } as const;

/** Buy or sell: the colour is repeated by the word and by the pressed state. */
export function SideSwitch({ side, onChange, names }: SideSwitchProps): ReactElement {
  const text = useText();
  return (
    <RadioGroup
      label={text('trade.ticket.side')}
      value={side}
      choices={(['buy', 'sell'] as const).map((value) => ({ value, label: text(names?.[value] ?? `trade.${value}`) }))}
      onChange={onChange}
      className="grid grid-cols-2 gap-0.5 rounded bg-page p-0.5"
      itemClassName={(value, state) =>
        classes('h-8 rounded-sm text-md', state === 'chosen' ? active[value] : 'font-medium text-fg2 hover:bg-hover hover:text-fg')
      }
    />
  );
}
