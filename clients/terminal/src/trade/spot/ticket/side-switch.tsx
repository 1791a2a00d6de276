import type { ReactElement } from 'react';
import { useText } from '../../../i18n/text.tsx';
import { classes } from '../../../ui/classes.ts';

export interface SideSwitchProps {
  readonly side: 'buy' | 'sell';
  readonly onChange: (side: 'buy' | 'sell') => void;
}

const active = { buy: 'bg-up text-on-direction font-semibold', sell: 'bg-down text-on-direction font-semibold' } as const;

/** Buy or sell: the colour is repeated by the word and by the pressed state. */
export function SideSwitch({ side, onChange }: SideSwitchProps): ReactElement {
  const text = useText();
  return (
    <div role="radiogroup" aria-label={text('trade.ticket.side')} className="grid grid-cols-2 gap-0.5 rounded bg-page p-0.5">
      {(['buy', 'sell'] as const).map((name) => (
        <button
          key={name}
          type="button"
          role="radio"
          aria-checked={name === side}
          onClick={() => onChange(name)}
          className={classes('h-8 rounded-sm text-md', name === side ? active[name] : 'font-medium text-fg2 hover:bg-hover hover:text-fg')}
        >
          {text(`trade.${name}`)}
        </button>
      ))}
    </div>
  );
}
