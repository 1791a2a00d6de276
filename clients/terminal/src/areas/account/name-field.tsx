/** The name a person logs in by: an e-mail address, or a telephone number with the code of its country. */
import type { ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Combobox } from '../../kit/ui/combobox.tsx';
import { Field } from '../../kit/ui/field.tsx';
import type { FormField } from '../../kit/ui/use-form.ts';

const HOME_CODE = '86';

export interface NameFieldProps {
  readonly username: FormField<string>;
  readonly telCountryCode: FormField<string>;
  readonly disabled?: boolean;
  /** What it must be; either, without it. */
  readonly kind?: 'email' | 'phone';
}

/** What is written can only become a telephone number. */
const isTel = (username: string): boolean => /^\+?[0-9][0-9 ()./-]*$/.test(username.trim());

function CountryCode({ value: code, ...control }: FormField<string> & { readonly disabled: boolean }): ReactElement {
  const text = useText();
  const { value: known } = useData({ name: 'countries', of: 'everybody', staleMs: Number.POSITIVE_INFINITY });
  // Countries share codes: the choice is of a code, and its label names them all.
  const byCode = Map.groupBy(known?.list ?? [], ({ telCountryCode }) => telCountryCode);
  const choices = [...byCode].map(([value, countries]) => ({
    value,
    label: countries.map(({ name }) => name).join(', '),
    detail: `+${value}`,
  }));
  return <Combobox {...control} label={text('auth.country')} value={code === '' ? HOME_CODE : code} choices={choices} />;
}

export function NameField({ username, telCountryCode, disabled = false, kind }: NameFieldProps): ReactElement {
  const text = useText();
  return (
    <>
      {(kind === 'phone' || (kind === undefined && isTel(username.value))) && <CountryCode {...telCountryCode} disabled={disabled} />}
      <Field
        {...username}
        label={text(kind === undefined ? 'auth.name' : `auth.name.${kind}`)}
        hint={kind === 'email' ? undefined : text('auth.nameHint')}
        autoComplete="username"
        autoCapitalize="none"
        inputMode="email"
        maxLength={254}
        disabled={disabled}
      />
    </>
  );
}
