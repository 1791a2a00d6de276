/** How near a position is to being deleveraged: five lights, all lit for the first in line. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { classes } from '../../../kit/ui/classes.ts';

const LIGHTS = [1, 2, 3, 4, 5] as const;

export function AdlLights({ rank }: { readonly rank: number }): ReactElement {
  const text = useText();
  return (
    <span
      role="img"
      aria-label={text('futures.position.adlLights', { rank })}
      title={text('futures.position.adlLights', { rank })}
      className="inline-flex gap-0.5"
    >
      {LIGHTS.map((light) => (
        <span key={light} className={classes('h-3 w-1 rounded-sm', light <= rank ? 'bg-warn' : 'bg-strong')} />
      ))}
    </span>
  );
}
