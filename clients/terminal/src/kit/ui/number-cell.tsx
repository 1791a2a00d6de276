/** A number that is edited in the row of a table; what cannot be read, or is wrong with it, is said in a small panel under it. */
import { Popover as Radix } from 'radix-ui';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import type { Control } from './control.ts';
import { useNumberEntry } from './number-entry.tsx';

export interface NumberCellProps extends Control<string> {
  readonly label: string;
  readonly autoFocus?: boolean;
  /** Keeps the focus, unlike a disabled one. */
  readonly readOnly?: boolean;
  /** What is wrong with the value. */
  readonly error?: ReactNode;
  /** Receives the keys that the entry itself does not need. */
  readonly onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
}

export function NumberCell(props: NumberCellProps): ReactElement {
  const { label, value, onChange, autoFocus = false, readOnly = false, error, onKeyDown } = props;
  const { input, note: own } = useNumberEntry({ value, onChange });
  const note = own ?? error;
  const press = (event: KeyboardEvent<HTMLInputElement>): void => {
    input.onKeyDown(event);
    // The small panel takes Escape too.
    if (event.key === 'Escape' || !event.defaultPrevented) onKeyDown?.(event);
  };
  return (
    <Radix.Root open={note !== undefined}>
      <Radix.Anchor asChild>
        <input
          {...input}
          autoFocus={autoFocus}
          readOnly={readOnly}
          aria-label={label}
          aria-invalid={note !== undefined}
          onKeyDown={press}
          className="h-6 w-24 rounded-sm border border-control bg-page px-1.5 text-end text-sm read-only:text-fg3 aria-invalid:border-error"
        />
      </Radix.Anchor>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align="end"
          sideOffset={4}
          collisionPadding={8}
          // The person goes on typing.
          onOpenAutoFocus={(event) => event.preventDefault()}
          onCloseAutoFocus={(event) => event.preventDefault()}
          className="z-50 max-w-64 rounded-md border border-strong bg-raised px-2.5 py-1.5 text-sm text-error shadow-pop"
        >
          {note}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
