/**
 * Dialogs opened from anywhere: `await openDialog(FundWalletDialog, {})` resolves with what the dialog answered,
 * or `undefined` when it was closed by its icon, by leaving the page, or because the account that it was opened for is no longer in view.
 */
import type { ComponentType, LazyExoticComponent, ReactElement } from 'react';
import { create } from 'zustand';
import { say } from '../i18n/text.tsx';
import { viewNow } from '../storage/account-in-view.ts';
import { DialogFrame } from './dialog-frame.tsx';
import { lazyPart } from './lazy-part.ts';
import { showInfo } from './toast.ts';

export interface Dialogue<Answer> {
  /** Ends the dialog with an answer. */
  readonly resolve: (answer: Answer) => void;
  /** Ends it without one. */
  readonly close: () => void;
}

interface OpenDialog {
  readonly key: number;
  /** The address that was in view when it was opened; `undefined`: it belongs to nobody. */
  readonly owner: string | undefined;
  readonly element: ReactElement;
  readonly close: () => void;
}

const useOpenDialogs = create<{ readonly open: readonly OpenDialog[] }>()(() => ({ open: [] }));

let lastKey = 0;

function remove(key: number): void {
  useOpenDialogs.setState(({ open }) => ({ open: open.filter((dialog) => dialog.key !== key) }));
}

/** A dialog whose code is loaded when it is first opened. */
export const lazyDialog: typeof lazyPart = lazyPart;

export function openDialog<Answer, Props extends object>(
  Component: ComponentType<Props & Dialogue<Answer>> | LazyExoticComponent<ComponentType<Props & Dialogue<Answer>>>,
  props: Props,
  { of = 'account' }: { readonly of?: 'account' | 'everybody' } = {},
): Promise<Answer | undefined> {
  const owner = of === 'account' ? viewNow().address : undefined;
  const key = (lastKey += 1);
  const { promise, resolve } = Promise.withResolvers<Answer | undefined>();
  const end = (answer: Answer | undefined): void => {
    remove(key);
    resolve(answer);
  };
  const close = (): void => end(undefined);
  const element = (
    <DialogFrame key={key} onClose={close}>
      <Component {...props} resolve={end} close={close} />
    </DialogFrame>
  );
  useOpenDialogs.setState(({ open }) => ({ open: [...open, { key, owner, element, close }] }));
  return promise;
}

/** What was opened for another account than the one in view is closed, and that is said. */
export function closeForeignDialogs(): void {
  const { address } = viewNow();
  const foreign = useOpenDialogs.getState().open.filter(({ owner }) => owner !== undefined && owner !== address);
  if (foreign.length === 0) return;
  showInfo(say('ui.accountClosed'));
  for (const dialog of foreign) dialog.close();
}

/** The open dialogs, the newest on top. Mounted once, inside the router. */
export function DialogHost(): ReactElement {
  const open = useOpenDialogs((state) => state.open);
  return <>{open.map((dialog) => dialog.element)}</>;
}
