/** A labelled field for a number, read and written in the person's number format. */
import type { ReactElement } from 'react';
import { Field } from './field.tsx';
import type { FieldProps } from './field.tsx';
import { useNumberEntry } from './number-entry.tsx';
import type { NumberEntryProps } from './number-entry.tsx';

export interface NumberFieldProps
  extends Omit<FieldProps, 'value' | 'onChange' | 'onKeyDown' | 'inputMode' | 'type' | 'error'>, NumberEntryProps {
  readonly error?: string | undefined;
}

export function NumberField({ value, onChange, error, hint, ...rest }: NumberFieldProps): ReactElement {
  const { input, note, isRefused } = useNumberEntry({ value, onChange });
  // What does not count yet is no value that could be wrong.
  const problem = isRefused ? note : note === undefined ? error : undefined;
  return <Field placeholder="0" {...rest} {...input} error={problem} hint={note ?? hint} />;
}
