/** A telephone number: the country by its name or its code, and the digits; a whole number may be pasted. */
import { useId, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Combobox } from './combobox.tsx';
import { Field } from './field.tsx';
import { phoneParts, phoneText } from './phone-number.ts';

export interface PhoneCountry {
  /** Two letters of ISO 3166, such as `GB`. */
  readonly value: string;
  readonly label: string;
  /** The dialling code with its plus sign, such as `+44`. */
  readonly detail: string;
}

export interface PhoneFieldProps {
  readonly label: string;
  readonly countries: readonly PhoneCountry[];
  /** The country that is chosen first. */
  readonly home: string;
  /** Receives the number as E.164 writes it, such as `+442079460018`; empty while there are no digits. */
  readonly onChange: (number: string) => void;
  readonly disabled?: boolean;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
}

export function PhoneField({ label, countries, home, onChange, disabled = false, hint, error }: PhoneFieldProps): ReactElement {
  const text = useText();
  const id = useId();
  const [country, setCountry] = useState(home);
  const [digits, setDigits] = useState('');
  const codeOf = (value: string): string => countries.find((candidate) => candidate.value === value)?.detail ?? '';
  const enter = (entered: string): void => {
    const own = codeOf(country);
    const parts = phoneParts(
      entered,
      own,
      countries.map(({ detail }) => detail),
    );
    const found = parts.code === own ? country : (countries.find(({ detail }) => detail === parts.code)?.value ?? country);
    setCountry(found);
    setDigits(parts.digits);
    onChange(phoneText(parts));
  };
  const move = (next: string): void => {
    setCountry(next);
    onChange(phoneText({ code: codeOf(next), digits }));
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-1">
      <span id={`${id}-label`} className="text-sm text-fg2">
        {label}
      </span>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-2">
        <Combobox label={text('ui.phone.country')} value={country} choices={countries} onChange={move} disabled={disabled} />
        <Field
          label={text('ui.phone.number')}
          type="tel"
          autoComplete="tel-national"
          value={digits}
          disabled={disabled}
          onChange={({ target }) => enter(target.value)}
          aside={<span className="shrink-0 text-md text-fg3">{codeOf(country)}</span>}
          hint={hint}
          error={error}
        />
      </div>
    </div>
  );
}
