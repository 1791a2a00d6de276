import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useSettings } from '../../kit/settings/settings.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';

export function HideSmall(): ReactElement {
  const text = useText();
  const value = useSettings((settings) => settings.hideSmallBalances);
  const set = useSettings((settings) => settings.set);
  return (
    <Checkbox value={value} onChange={(next) => set('hideSmallBalances', next)}>
      {text('assets.hideSmall')}
    </Checkbox>
  );
}
