/** A telephone number: the country by its name or its code, and the digits; a whole number may be pasted. */
import { useId, useState } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { Combobox } from './combobox.tsx';
import { onLeave } from './control.ts';
import type { FormControl } from './control.ts';
import { Field } from './field.tsx';
import { phoneParts, phoneText } from './phone-number.ts';

export interface PhoneCountry {
  /** Two letters of ISO 3166, such as `GB`. */
  readonly value: string;
  readonly label: string;
  /** The dialling code with its plus sign, such as `+44`. */
  readonly detail: string;
}

/** The value is the number as E.164 writes it, such as `+442079460018`; empty while there are no digits. */
export interface PhoneFieldProps extends FormControl<string> {
  readonly label: string;
  readonly countries: readonly PhoneCountry[];
  /** The country that is chosen first. */
  readonly home: string;
  readonly disabled?: boolean;
  readonly hint?: ReactNode;
}

interface Entered {
  readonly country: string;
  readonly digits: string;
}

export function PhoneField(props: PhoneFieldProps): ReactElement {
  const { label, countries, home, value, onChange, onBlur, disabled = false, hint, error } = props;
  const text = useText();
  const id = useId();
  const [kept, setKept] = useState<Entered>({ country: home, digits: '' });
  const codeOf = (country: string): string => countries.find((candidate) => candidate.value === country)?.detail ?? '';
  const numberOf = ({ country, digits }: Entered): string => phoneText({ code: codeOf(country), digits });
  /** Countries share codes: the one that is chosen stays where its code fits. */
  const read = (entered: string, country: string): Entered => {
    const own = codeOf(country);
    const codes = countries.map(({ detail }) => detail);
    const { code, digits } = phoneParts(entered, own, codes);
    return { country: code === own ? country : (countries.find(({ detail }) => detail === code)?.value ?? country), digits };
  };
  // A value set from elsewhere replaces what was entered.
  const entered = numberOf(kept) === value ? kept : read(value, kept.country);
  const enter = (next: Entered): void => {
    setKept(next);
    onChange(numberOf(next));
  };
  return (
    <div role="group" aria-labelledby={`${id}-label`} onBlur={onLeave(onBlur)} className="flex flex-col gap-1">
      <span id={`${id}-label`} className="text-sm text-fg2">
        {label}
      </span>
      <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-start gap-2">
        <Combobox
          label={text('ui.phone.country')}
          value={entered.country}
          choices={countries}
          onChange={(country) => enter({ ...entered, country })}
          disabled={disabled}
        />
        <Field
          label={text('ui.phone.number')}
          type="tel"
          autoComplete="tel-national"
          value={entered.digits}
          disabled={disabled}
          onChange={(typed) => enter(read(typed, entered.country))}
          aside={<span className="shrink-0 text-md text-fg3">{codeOf(entered.country)}</span>}
          hint={hint}
          error={error}
        />
      </div>
    </div>
  );
}
