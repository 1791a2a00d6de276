import { Switch as Radix } from 'radix-ui';
import type { ReactElement } from 'react';

export interface SwitchProps {
  readonly id?: string;
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Switch({ id, label, checked, onChange }: SwitchProps): ReactElement {
  return (
    <Radix.Root
      {...(id !== undefined && { id })}
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      className="inline-flex h-5 w-9 shrink-0 items-center rounded-md border border-control bg-page p-0.5 data-[state=checked]:border-bone data-[state=checked]:bg-bone"
    >
      <Radix.Thumb className="block size-3.5 rounded-sm bg-fg3 transition-transform duration-[120ms] data-[state=checked]:translate-x-4 data-[state=checked]:bg-on-bone" />
    </Radix.Root>
  );
}
