/** A labelled field for several lines, with how much may still be written. */
import { useId } from 'react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import type { FormControl } from './control.ts';
import { FieldLabel, FieldNote } from './field-label.tsx';

type Own = 'id' | 'value' | 'defaultValue' | 'onChange' | 'onBlur';

export interface TextAreaProps extends Omit<ComponentProps<'textarea'>, Own>, FormControl<string> {
  readonly label: string;
  /** Action at the end of the label's line. */
  readonly aside?: ReactNode;
  readonly hint?: ReactNode;
}

export function TextArea(props: TextAreaProps): ReactElement {
  const { label, value, onChange, aside, hint, error, rows = 6, maxLength, className, ...rest } = props;
  const text = useText();
  const id = useId();
  const left = maxLength === undefined ? undefined : text('ui.charactersLeft', { count: maxLength - value.length });
  return (
    <div className={classes('flex flex-col gap-1', className)}>
      <div className="flex items-baseline justify-between gap-2">
        <FieldLabel htmlFor={id}>{label}</FieldLabel>
        {aside}
      </div>
      <textarea
        {...rest}
        {...(maxLength !== undefined && { maxLength })}
        id={id}
        rows={rows}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={error !== undefined}
        {...((error ?? hint ?? left) !== undefined && { 'aria-describedby': `${id}-note` })}
        className={classes(
          'w-full rounded border bg-page px-2.5 py-2 text-md text-fg placeholder:text-fg3 disabled:opacity-45',
          error === undefined ? 'border-control not-disabled:hover:border-fg3' : 'border-error',
        )}
      />
      <FieldNote id={id} hint={hint ?? left} error={error} />
    </div>
  );
}
