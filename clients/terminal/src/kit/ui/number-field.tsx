/** A labelled field for a number, read and written in the person's number format. */
import type { ReactElement } from 'react';
import type { FormControl } from './control.ts';
import { InputField } from './field.tsx';
import type { InputFieldProps } from './field.tsx';
import { useNumberEntry } from './number-entry.tsx';

type Own = 'value' | 'onChange' | 'onBlur' | 'onKeyDown' | 'inputMode' | 'type' | 'error';

export interface NumberFieldProps extends Omit<InputFieldProps, Own>, FormControl<string> {}

export function NumberField({ value, onChange, error, hint, ...rest }: NumberFieldProps): ReactElement {
  const { input, note, isRefused } = useNumberEntry({ value, onChange });
  // What does not count yet is no value that could be wrong.
  const problem = isRefused ? note : note === undefined ? error : undefined;
  return <InputField placeholder="0" {...rest} {...input} error={problem} hint={note ?? hint} />;
}
