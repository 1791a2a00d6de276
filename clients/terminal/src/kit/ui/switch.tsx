import { Switch as Radix } from 'radix-ui';
import { useId } from 'react';
import type { ReactElement } from 'react';
import type { FormControl } from './control.ts';
import { FieldNote } from './field-label.tsx';

export interface SwitchProps extends FormControl<boolean> {
  readonly id?: string;
  readonly label: string;
}

export function Switch({ id: givenId, label, value, onChange, onBlur, error }: SwitchProps): ReactElement {
  const ownId = useId();
  const id = givenId ?? ownId;
  return (
    <>
      <Radix.Root
        id={id}
        aria-label={label}
        checked={value}
        onCheckedChange={onChange}
        onBlur={onBlur}
        aria-invalid={error !== undefined}
        {...(error !== undefined && { 'aria-describedby': `${id}-note` })}
        className="inline-flex h-5 w-9 shrink-0 items-center rounded-md border border-control bg-page p-0.5 aria-invalid:border-error data-[state=checked]:border-bone data-[state=checked]:bg-bone"
      >
        <Radix.Thumb className="block size-3.5 rounded-sm bg-fg3 transition-transform duration-[120ms] data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-bone" />
      </Radix.Root>
      <FieldNote id={id} error={error} />
    </>
  );
}
