import type { ReactElement } from 'react';
import { useText } from '../i18n/text.tsx';
import { useSettings } from '../settings/settings.ts';
import { Checkbox } from '../ui/checkbox.tsx';

export function HideSmall(): ReactElement {
  const text = useText();
  const checked = useSettings((settings) => settings.hideSmallBalances);
  const set = useSettings((settings) => settings.set);
  return (
    <Checkbox checked={checked} onChange={(next) => set('hideSmallBalances', next)}>
      {text('assets.hideSmall')}
    </Checkbox>
  );
}
