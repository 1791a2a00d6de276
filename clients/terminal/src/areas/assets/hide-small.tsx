import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';

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
