/** What every control of the kit takes, so that each is read and set in one way, and `{...form.field('name')}` fits any that stands in a form. */
import type { FocusEvent, ReactNode } from 'react';

/** `Chosen` is narrower where a person cannot choose everything that is shown, such as nothing. */
export interface Control<Value, Chosen extends Value = Value> {
  readonly value: Value;
  readonly onChange: (value: Chosen) => void;
}

/** What a form gives beside it: see `FormField` in `use-form.ts`. */
export interface FormControl<Value, Chosen extends Value = Value> extends Control<Value, Chosen> {
  readonly onBlur?: (() => void) | undefined;
  /** What is wrong with the value. */
  readonly error?: ReactNode;
}

/** For a control of several parts, which is left when the focus goes to none of them. */
export const onLeave =
  (onBlur: FormControl<unknown>['onBlur']) =>
  ({ currentTarget, relatedTarget }: FocusEvent): void => {
    if (!currentTarget.contains(relatedTarget)) onBlur?.();
  };
