/** Explains a term or a short value on hover and focus. Never the only place where something is said. */
import { Tooltip as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';

export interface TooltipProps {
  readonly content: ReactNode;
  /** What is explained; it must take a ref, and focus when it is not interactive itself. */
  readonly children: ReactElement;
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
}

export function Tooltip({ content, children, side = 'top' }: TooltipProps): ReactElement {
  return (
    <Radix.Root delayDuration={250}>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-[60] max-w-72 rounded border border-strong bg-raised px-2.5 py-1.5 text-sm text-fg shadow-pop"
        >
          {content}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;

/** A label with a dotted underline, whose tooltip opens by keyboard too. */
export function Explained({ content, children }: { readonly content: ReactNode; readonly children: ReactNode }): ReactElement {
  return (
    <Tooltip content={content}>
      <button type="button" className="cursor-help rounded-sm underline decoration-strong decoration-dotted underline-offset-3">
        {children}
      </button>
    </Tooltip>
  );
}
