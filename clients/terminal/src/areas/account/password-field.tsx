/** A password, hidden until the person wants to see it; of a new one, how hard it is to guess. */
import { Eye, EyeOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import { Field } from '../../kit/ui/field.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { type Strength, strengthOf } from './password-strength.ts';

export interface PasswordFieldProps extends FormControl<string> {
  readonly label: string;
  /** A new one is about to be set. */
  readonly isNew: boolean;
}

/** Of what was typed last; undefined while the estimates are loaded, and where they cannot be: the hint of its length stays then. */
function useStrength(password: string): Strength | undefined {
  const [strength, setStrength] = useState<Strength>();
  useEffect(() => {
    let isOld = false;
    const show = (known?: Strength): void => {
      if (!isOld) setStrength(known);
    };
    if (password === '') show();
    else void strengthOf(password).then(show, () => show());
    return () => {
      isOld = true;
    };
  }, [password]);
  return strength;
}

export function PasswordField({ label, isNew, ...control }: PasswordFieldProps): ReactElement {
  const text = useText();
  const [isShown, setShown] = useState(false);
  const Icon = isShown ? EyeOff : Eye;
  const strength = useStrength(isNew ? control.value : '');
  return (
    <Field
      {...control}
      label={label}
      type={isShown ? 'text' : 'password'}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      autoCapitalize="none"
      maxLength={128}
      hint={isNew ? text(strength === undefined ? 'auth.passwordHint' : `auth.strength.${strength}`) : undefined}
      aside={
        <IconButton
          label={text(isShown ? 'auth.hidePassword' : 'auth.showPassword')}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={15} aria-hidden="true" />
        </IconButton>
      }
    />
  );
}
