/** A small panel that opens from a button and, unlike a modal, closes by Escape or a click beside it. */
import { Popover as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import { Panel } from './panel.tsx';
import { Spinner } from './spinner.tsx';

export interface PopoverProps {
  readonly trigger: ReactElement;
  readonly label: string;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: 'start' | 'center' | 'end';
  readonly className?: string;
  readonly children: ReactNode;
}

export function Popover({ trigger, label, open, onOpenChange, align = 'start', className, children }: PopoverProps): ReactElement {
  return (
    <Radix.Root {...(open !== undefined && { open })} {...(onOpenChange && { onOpenChange })}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={classes('z-50 rounded-md border border-strong bg-raised shadow-pop outline-none', className)}
        >
          <Panel loading={<Spinner className="m-8" />}>{children}</Panel>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
