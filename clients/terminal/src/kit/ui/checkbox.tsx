import { Check } from 'lucide-react';
import { Checkbox as Radix } from 'radix-ui';
import { useId } from 'react';
import type { ReactElement, ReactNode } from 'react';

export interface CheckboxProps {
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export function Checkbox({ checked, onChange, disabled = false, children }: CheckboxProps): ReactElement {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <Radix.Root
        id={id}
        checked={checked}
        disabled={disabled}
        onCheckedChange={(state) => onChange(state === true)}
        className="mt-px flex size-4 shrink-0 items-center justify-center rounded-sm border border-control bg-page text-on-bone hover:border-fg3 disabled:opacity-45 data-[state=checked]:border-bone data-[state=checked]:bg-bone"
      >
        <Radix.Indicator>
          <Check size={12} strokeWidth={3} />
        </Radix.Indicator>
      </Radix.Root>
      <label htmlFor={id} className="cursor-pointer text-md text-fg2">
        {children}
      </label>
    </div>
  );
}
