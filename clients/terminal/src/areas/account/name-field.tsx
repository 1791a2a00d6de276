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

function CountryCode({ field, disabled }: { readonly field: FormField<string>; readonly disabled: boolean }): ReactElement {
  const text = useText();
  const { value } = useData({ name: 'countries', of: 'everybody', staleMs: Number.POSITIVE_INFINITY });
  // Countries share codes: the choice is of a code, and its label names them all.
  const byCode = Map.groupBy(value?.list ?? [], ({ telCountryCode }) => telCountryCode);
  const choices = [...byCode].map(([code, countries]) => ({
    value: code,
    label: countries.map(({ name }) => name).join(', '),
    detail: `+${code}`,
  }));
  return (
    <Combobox
      label={text('auth.country')}
      value={field.value === '' ? HOME_CODE : field.value}
      choices={choices}
      onChange={field.onChange}
      disabled={disabled}
    />
  );
}

export function NameField({ username, telCountryCode, disabled = false, kind }: NameFieldProps): ReactElement {
  const text = useText();
  const { value, error, onBlur } = username;
  return (
    <>
      {(kind === 'phone' || (kind === undefined && isTel(value))) && <CountryCode field={telCountryCode} disabled={disabled} />}
      <Field
        label={text(kind === undefined ? 'auth.name' : `auth.name.${kind}`)}
        hint={kind === 'email' ? undefined : text('auth.nameHint')}
        autoComplete="username"
        autoCapitalize="none"
        inputMode="email"
        maxLength={254}
        disabled={disabled}
        value={value}
        onBlur={onBlur}
        onChange={({ target }) => username.onChange(target.value)}
        error={error}
      />
    </>
  );
}
