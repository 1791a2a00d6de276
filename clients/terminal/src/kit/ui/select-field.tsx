/** A choice with its name above it, as fields have theirs. */
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { FieldLabel, FieldNote } from './field-label.tsx';
import { Select } from './select.tsx';
import type { SelectProps } from './select.tsx';

export interface SelectFieldProps<Value extends string> extends Omit<SelectProps<Value>, 'id' | 'describedBy'> {
  readonly hint?: ReactNode;
}

export function SelectField<Value extends string>({ hint, error, className, ...rest }: SelectFieldProps<Value>): ReactElement {
  const id = useId();
  return (
    <div className={classes('flex min-w-0 flex-col gap-1', className)}>
      <FieldLabel htmlFor={id}>{rest.label}</FieldLabel>
      <Select {...rest} error={error} id={id} {...((error ?? hint) !== undefined && { describedBy: `${id}-note` })} />
      <FieldNote id={id} hint={hint} error={error} />
    </div>
  );
}
