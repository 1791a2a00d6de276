/** Tabs with a bar under the active one. `TabBar` is the row of names; panels belong to the caller. */
import { Tabs as Radix } from 'radix-ui';
import type { MouseEvent, ReactElement, ReactNode } from 'react';
import { classes } from './classes.ts';
import type { Control } from './control.ts';
import { Panel } from './panel.tsx';
import { panelMark } from './panels.ts';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly label: ReactNode;
}

/** The value is the id of the active tab. */
export interface TabsProps<Id extends string> extends Control<Id> {
  readonly tabs: readonly Tab<Id>[];
  readonly label: string;
  /** Shown at the right end of the bar. */
  readonly aside?: ReactNode;
  /** Names the whole a region of the page, to which keys lead. */
  readonly panel?: string;
  readonly className?: string;
  readonly children: ReactNode;
}

/** The library focuses the tab by script, which browsers take for the keyboard's doing: a tap shall show no focus ring. */
const focusQuietly = ({ currentTarget }: MouseEvent<HTMLElement>): void => currentTarget.focus({ focusVisible: false });

export function Tabs<Id extends string>({ tabs, value, onChange, label, aside, panel, className, children }: TabsProps<Id>): ReactElement {
  const change = (next: string): void => {
    const tab = tabs.find((candidate) => candidate.id === next);
    if (tab !== undefined) onChange(tab.id);
  };
  return (
    <Radix.Root
      value={value}
      onValueChange={change}
      {...(panel !== undefined && panelMark(panel))}
      className={classes('flex min-h-0 min-w-0 flex-col outline-offset-[-2px]', className)}
    >
      <div className="@container flex h-8 shrink-0 items-stretch justify-between gap-2 border-b border-line px-2.5">
        <Radix.List
          aria-label={label}
          className="fade-sides -mx-1 flex items-stretch gap-4 px-1 overflow-x-auto [scrollbar-width:none] @max-[760px]:gap-3"
        >
          {tabs.map((tab) => (
            <Radix.Trigger key={tab.id} value={tab.id} onMouseDown={focusQuietly} className="tab text-sm data-[state=active]:font-semibold">
              {tab.label}
            </Radix.Trigger>
          ))}
        </Radix.List>
        {aside !== undefined && (
          <div className="flex items-center gap-1">
            <Panel room="line">{aside}</Panel>
          </div>
        )}
      </div>
      {children}
    </Radix.Root>
  );
}

export interface TabPanelProps {
  readonly id: string;
  readonly className?: string;
  readonly children: ReactNode;
}

export function TabPanel({ id, className, children }: TabPanelProps): ReactElement {
  return (
    <Radix.Content value={id} className={classes('min-h-0 grow outline-offset-[-2px]', className)}>
      <Panel key={id}>{children}</Panel>
    </Radix.Content>
  );
}
