/** A menu of actions or choices that opens from a button. */
import { DropdownMenu as Radix } from 'radix-ui';
import { Check } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Control } from './control.ts';

const item =
  'flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-sm px-2 py-1 text-md text-fg outline-none select-none data-[disabled]:text-fg3 data-[highlighted]:bg-hover';

export interface MenuProps {
  /** The button that opens the menu; it must take a ref and props. */
  readonly trigger: ReactElement;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

export function Menu({ trigger, align = 'end', children }: MenuProps): ReactElement {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-44 overflow-y-auto rounded-md border border-strong bg-raised p-1 shadow-pop"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export interface MenuItemProps {
  readonly onSelect: () => void;
  readonly disabled?: boolean;
  readonly danger?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, disabled, danger, children }: MenuItemProps): ReactElement {
  return (
    <Radix.Item disabled={disabled === true} onSelect={onSelect} className={classes(item, danger && 'text-error')}>
      {children}
    </Radix.Item>
  );
}

/** An item that is itself a link or another element. */
export function MenuLink({ children }: { readonly children: ReactElement }): ReactElement {
  return (
    <Radix.Item asChild className={item}>
      {children}
    </Radix.Item>
  );
}

export interface MenuChoiceProps<Value extends string> extends Control<Value> {
  readonly label: string;
  readonly choices: readonly { readonly value: Value; readonly label: ReactNode }[];
}

export function MenuChoice<Value extends string>({ label, value, choices, onChange }: MenuChoiceProps<Value>): ReactElement {
  const change = (next: string): void => {
    const chosen = choices.find((choice) => choice.value === next);
    if (chosen !== undefined) onChange(chosen.value);
  };
  return (
    <Radix.RadioGroup aria-label={label} value={value} onValueChange={change}>
      {choices.map((choice) => (
        <Radix.RadioItem key={choice.value} value={choice.value} className={item}>
          <span className="grow">{choice.label}</span>
          <Radix.ItemIndicator>
            <Check size={14} />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export interface MenuCheckProps extends Control<boolean> {
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** An item that is on or off; the menu stays open, as several may be changed. */
export function MenuCheck({ value, onChange, disabled = false, children }: MenuCheckProps): ReactElement {
  return (
    <Radix.CheckboxItem
      checked={value}
      disabled={disabled}
      onCheckedChange={onChange}
      onSelect={(event) => event.preventDefault()}
      className={item}
    >
      <span className="grow">{children}</span>
      <Radix.ItemIndicator>
        <Check size={14} />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}

export function MenuSeparator(): ReactElement {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}
