/** The look shared by buttons and by links that look like one. */
import { classes } from './classes.ts';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'up' | 'down';
export type ButtonSize = 'small' | 'medium' | 'large';

const kinds: Readonly<Record<ButtonKind, string>> = {
  primary: 'bg-bone text-on-bone not-disabled:not-aria-disabled:hover:bg-bone-hover font-semibold',
  secondary:
    'border border-control text-fg not-disabled:not-aria-disabled:hover:border-fg3 not-disabled:not-aria-disabled:hover:bg-hover font-medium',
  quiet: 'text-fg2 not-disabled:not-aria-disabled:hover:text-fg not-disabled:not-aria-disabled:hover:bg-hover font-medium',
  danger:
    'border border-error text-error not-disabled:not-aria-disabled:hover:bg-error not-disabled:not-aria-disabled:hover:text-page font-medium',
  up: 'bg-up text-on-direction font-semibold not-disabled:not-aria-disabled:hover:brightness-110',
  down: 'bg-down text-on-direction font-semibold not-disabled:not-aria-disabled:hover:brightness-110',
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  small: 'h-7 px-2 text-sm',
  medium: 'h-9 px-3 text-md',
  large: 'h-10 px-4 text-lg',
};

export interface ButtonLook {
  readonly kind?: ButtonKind | undefined;
  readonly size?: ButtonSize | undefined;
}

export function buttonClasses({ kind = 'secondary', size = 'medium' }: ButtonLook): string {
  return classes(
    'relative inline-flex shrink-0 items-center justify-center gap-1.5 rounded whitespace-nowrap select-none',
    'transition-colors duration-[120ms] disabled:opacity-45 aria-disabled:opacity-45',
    kinds[kind],
    sizes[size],
  );
}
