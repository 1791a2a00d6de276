/** A panel over the edge of what it belongs to. Not modal: what is beside it stays usable, and Escape closes it. */
import { X } from 'lucide-react';
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { Panel } from './panel.tsx';

export interface DrawerProps {
  readonly title: string;
  readonly onClose: () => void;
  /** In words, when `Close` alone would leave open what it closes. */
  readonly closeLabel?: string;
  /** CSS pixels between it and the end of the line, in place of a class. */
  readonly insetEnd?: number;
  /** Where it stands and how wide it is; its place is relative to the nearest positioned element. */
  readonly className?: string;
  readonly children: ReactNode;
}

export function Drawer({ title, onClose, closeLabel, insetEnd, className, children }: DrawerProps): ReactElement {
  const text = useText();
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <aside
      aria-label={title}
      onKeyDown={press}
      {...(insetEnd !== undefined && { style: { insetInlineEnd: `${insetEnd}px` } })}
      className={classes('absolute inset-y-0 z-30 flex flex-col overflow-y-auto border-x border-strong bg-panel shadow-pop', className)}
    >
      <div className="flex h-9 shrink-0 items-center justify-between border-b border-line ps-2.5 pe-1">
        <h2 className="text-md font-semibold">{title}</h2>
        <IconButton label={closeLabel ?? text('ui.close')} onClick={onClose} className="size-7">
          <X size={15} />
        </IconButton>
      </div>
      <Panel>{children}</Panel>
    </aside>
  );
}
