/** One of a few choices that are all in view: one tab stop, and the arrow keys choose. `Segmented` is its usual look. */
import { useId } from 'react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { onLeave } from './control.ts';
import type { FormControl } from './control.ts';
import { FieldNote } from './field-label.tsx';

export interface RadioChoice<Value extends string> {
  readonly value: Value;
  readonly label: ReactNode;
  /** In words, where the label is an icon. */
  readonly name?: string;
  readonly disabled?: boolean;
}

export interface SegmentedProps<Value extends string> extends FormControl<Value> {
  readonly label: string;
  readonly choices: readonly RadioChoice<Value>[];
  readonly size?: 'small' | 'medium';
  readonly className?: string;
}

export interface RadioGroupProps<Value extends string> extends Omit<SegmentedProps<Value>, 'size'> {
  readonly itemClassName: (value: Value, state: 'chosen' | 'other') => string;
}

/** How far a key moves among the choices; `undefined` when it moves to none. */
function stepOf({ key, currentTarget }: KeyboardEvent): number | undefined {
  const forward = getComputedStyle(currentTarget).direction === 'rtl' ? -1 : 1;
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, ArrowRight: forward, ArrowLeft: -forward };
  return steps[key];
}

export function RadioGroup<Value extends string>(props: RadioGroupProps<Value>): ReactElement {
  const { label, value, choices, onChange, onBlur, error, className, itemClassName } = props;
  const id = useId();
  const open = choices.filter((choice) => choice.disabled !== true);
  // A value that is none of the choices still leaves a way in.
  const stop = open.some((choice) => choice.value === value) ? value : open[0]?.value;
  const press = (event: KeyboardEvent<HTMLElement>): void => {
    const from = open.findIndex((choice) => choice.value === stop);
    const step = stepOf(event);
    const ends: Readonly<Record<string, number>> = { Home: 0, End: open.length - 1 };
    const to = step === undefined ? ends[event.key] : (from + step + open.length) % open.length;
    const next = to === undefined ? undefined : open[to];
    if (next === undefined) return;
    event.preventDefault();
    onChange(next.value);
    event.currentTarget.querySelector<HTMLElement>(`[data-value="${CSS.escape(next.value)}"]`)?.focus();
  };
  return (
    <>
      <div
        role="radiogroup"
        aria-label={label}
        aria-invalid={error !== undefined}
        {...(error !== undefined && { 'aria-describedby': `${id}-note` })}
        onKeyDown={press}
        onBlur={onLeave(onBlur)}
        className={className}
      >
        {choices.map((choice) => (
          <button
            key={choice.value}
            type="button"
            role="radio"
            data-value={choice.value}
            aria-checked={choice.value === value}
            tabIndex={choice.value === stop ? 0 : -1}
            disabled={choice.disabled === true}
            {...(choice.name !== undefined && { 'aria-label': choice.name, title: choice.name })}
            onClick={() => onChange(choice.value)}
            className={itemClassName(choice.value, choice.value === value ? 'chosen' : 'other')}
          >
            {choice.label}
          </button>
        ))}
      </div>
      <FieldNote id={id} error={error} />
    </>
  );
}

const sizes = { small: 'h-6 px-2 text-sm', medium: 'h-8 px-3 text-md' } as const;

export function Segmented<Value extends string>({ size = 'medium', className, ...rest }: SegmentedProps<Value>): ReactElement {
  return (
    <RadioGroup
      {...rest}
      className={classes('inline-flex gap-0.5 rounded border border-line bg-page p-0.5', className)}
      itemClassName={(_value, state) =>
        classes(
          'grow rounded-sm whitespace-nowrap disabled:opacity-45',
          sizes[size],
          state === 'chosen' ? 'bg-hover font-semibold text-fg' : 'font-medium text-fg2 not-disabled:hover:text-fg',
        )
      }
    />
  );
}
