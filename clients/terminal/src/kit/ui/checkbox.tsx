import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';
import type { FormControl } from './control.ts';
import { FieldNote } from './field-label.tsx';

export interface CheckboxProps extends FormControl<boolean> {
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export function Checkbox({ value, onChange, onBlur, error, disabled = false, children }: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        <Radix.Root
          id={id}
          checked={value}
          disabled={disabled}
          onCheckedChange={(state) => onChange(state === true)}
          onBlur={onBlur}
          aria-invalid={error !== undefined}
          {...(error !== undefined && { 'aria-describedby': `${id}-note` })}
          className="mt-px flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-page text-on-bone hover:border-fg3 disabled:opacity-45 aria-invalid:border-error data-[state=checked]:border-bone data-[state=checked]:bg-bone"
        >
          <Radix.Indicator>
            <Check size={12} strokeWidth={3} />
          </Radix.Indicator>
        </Radix.Root>
        <label htmlFor={id} className="cursor-pointer text-md text-fg2">
          {children}
        </label>
      </div>
      <FieldNote id={id} error={error} />
    </div>
  );
}
