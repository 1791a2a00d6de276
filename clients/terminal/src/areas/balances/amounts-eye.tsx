/** Hides what a person owns on every page, and shows it again. */
import { Eye, EyeOff } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { useSettings } from '../../kit/settings/settings.ts';

export function AmountsEye(): ReactElement {
  const text = useText();
  const isHidden = useSettings((settings) => settings.hideAmounts);
  const set = useSettings((settings) => settings.set);
  return (
    <IconButton
      label={text(isHidden ? 'settings.showAmounts' : 'settings.hideAmounts')}
      aria-pressed={isHidden}
      className="-my-1 size-7"
      onClick={() => set('hideAmounts', !isHidden)}
    >
      {isHidden ? <EyeOff size={15} /> : <Eye size={15} />}
    </IconButton>
  );
}
