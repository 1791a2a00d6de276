/**
 * A modal closes by its close icon and when the route changes, by nothing else: a click beside it must not lose a
 * half-read warning, so the backdrop does nothing and Escape moves the focus to the close icon. Where nothing would be lost, Escape may close it.
 */
import { useLocation } from '@tanstack/react-router';
import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { useEffect, useRef } from 'react';
import type { ReactElement, ReactNode, RefObject } from 'react';
import { useText } from '../i18n/text.tsx';
import { classes } from './classes.ts';
import { IconButton } from './icon-button.tsx';
import { Panel } from './panel.tsx';

const widths = { narrow: 'tablet:max-w-[380px]', medium: 'tablet:max-w-[460px]', wide: 'tablet:max-w-[680px]' } as const;

export interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  /** One sentence under the title. */
  readonly description?: ReactNode;
  readonly width?: keyof typeof widths;
  readonly children: ReactNode;
  /** In place of the focus on the close icon. */
  readonly onEscape?: (() => void) | undefined;
  /** Actions: a bar at the bottom that stays in view. */
  readonly footer?: ReactNode;
}

function useCloseOnRouteChange({ open, onClose }: Pick<DialogProps, 'open' | 'onClose'>): void {
  const path = useLocation({ select: (location) => location.pathname });
  const openedAt = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (!open) openedAt.current = undefined;
    else if (openedAt.current === undefined) openedAt.current = path;
    else if (openedAt.current !== path) onClose();
  }, [open, path, onClose]);
}

interface HeadProps extends Pick<DialogProps, 'title' | 'description' | 'onClose'> {
  readonly closeIcon: RefObject<HTMLButtonElement | null>;
}

function Head({ title, description, onClose, closeIcon }: HeadProps): ReactElement {
  const text = useText();
  return (
    <div className="flex items-start gap-3 border-b border-line py-2.5 pe-2 ps-4">
      <div className="min-w-0 grow py-1.5">
        <Radix.Title className="text-lg font-semibold text-fg">{title}</Radix.Title>
        {description !== undefined && <Radix.Description className="mt-1 text-md text-fg2">{description}</Radix.Description>}
      </div>
      <IconButton ref={closeIcon} label={text('ui.close')} onClick={onClose}>
        <X size={16} />
      </IconButton>
    </div>
  );
}

export function Dialog({ open, onClose, title, description, width = 'medium', children, footer, onEscape }: DialogProps): ReactElement {
  const closeIcon = useRef<HTMLButtonElement>(null);
  useCloseOnRouteChange({ open, onClose });
  return (
    <Radix.Root open={open}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-50 bg-scrim" />
        <Radix.Content
          {...(description === undefined && { 'aria-describedby': undefined })}
          onEscapeKeyDown={(event) => {
            event.preventDefault();
            if (onEscape === undefined) closeIcon.current?.focus();
            else onEscape();
          }}
          onPointerDownOutside={(event) => event.preventDefault()}
          onInteractOutside={(event) => event.preventDefault()}
          className={classes(
            'fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] w-full flex-col rounded-t-md border border-strong bg-panel shadow-pop',
            'tablet:inset-x-auto tablet:top-1/2 tablet:bottom-auto tablet:left-1/2 tablet:max-h-[86dvh] tablet:-translate-x-1/2 tablet:-translate-y-1/2 tablet:rounded-md',
            widths[width],
          )}
        >
          <Head title={title} description={description} onClose={onClose} closeIcon={closeIcon} />
          <div className="min-h-0 grow overflow-y-auto p-4">
            <Panel>{children}</Panel>
          </div>
          {footer !== undefined && (
            <div className="flex justify-end gap-2 border-t border-line p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">{footer}</div>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
