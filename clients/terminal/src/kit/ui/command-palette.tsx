/**
 * Finds and does what is typed. Opened over the page as a menu is: Escape, a click beside it or a choice closes it.
 * Loaded when it is first opened; what can be found is the caller's.
 */
import { Command } from 'cmdk';
import { Dialog as Radix } from 'radix-ui';
import type { ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';

export interface PaletteEntry {
  /** Unlike all others. */
  readonly id: string;
  readonly label: string;
  /** The name of its group; entries of one group stand together. */
  readonly group: string;
  /** Other words it is found by. */
  readonly keywords?: readonly string[];
  /** At the right end: a hotkey, a price. */
  readonly aside?: ReactNode;
  readonly onSelect: () => void;
}

export interface CommandPaletteProps {
  readonly label: string;
  readonly placeholder: string;
  readonly entries: readonly PaletteEntry[];
  readonly onClose: () => void;
}

interface EntryProps {
  readonly entry: PaletteEntry;
  readonly onClose: () => void;
}

function Entry({ entry, onClose }: EntryProps): ReactElement {
  const select = (): void => {
    // Closed first: what is done may open a dialog or move the focus.
    onClose();
    entry.onSelect();
  };
  return (
    <Command.Item
      value={entry.id}
      keywords={[entry.label, ...(entry.keywords ?? [])]}
      onSelect={select}
      className="flex min-h-9 cursor-pointer items-center justify-between gap-3 rounded-sm px-2 py-1 text-md text-fg select-none data-[selected=true]:bg-hover"
    >
      <span className="min-w-0 truncate">{entry.label}</span>
      {entry.aside !== undefined && <span className="shrink-0 text-sm text-fg2">{entry.aside}</span>}
    </Command.Item>
  );
}

export function CommandPalette({ label, placeholder, entries, onClose }: CommandPaletteProps): ReactElement {
  const text = useText();
  const groups = [...new Set(entries.map((entry) => entry.group))];
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-[65] bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          className="fixed inset-x-3 top-[12dvh] z-[66] mx-auto max-w-[560px] overflow-hidden rounded-md border border-strong bg-panel shadow-pop outline-none"
        >
          <Radix.Title className="sr-only">{label}</Radix.Title>
          <Command label={label} loop className="flex max-h-[70dvh] flex-col">
            <Command.Input
              placeholder={placeholder}
              className="h-12 shrink-0 border-b border-line bg-transparent px-4 text-lg text-fg outline-none placeholder:text-fg3"
            />
            <Command.List className="min-h-0 overflow-y-auto p-1">
              <Command.Empty className="px-3 py-6 text-center text-md text-fg2">{text('ui.palette.empty')}</Command.Empty>
              {groups.map((group) => (
                <Command.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-sm [&_[cmdk-group-heading]]:text-fg3"
                >
                  {entries
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <Entry key={entry.id} entry={entry} onClose={onClose} />
                    ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
