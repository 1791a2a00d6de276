/**
 * One message at a time: a new toast dismisses the previous one, each leaves after five seconds, and the maintenance
 * page, which already says what is wrong, shows none.
 */
import type { ReactElement } from 'react';
import { create } from 'zustand';
import type { MessageId } from '../i18n/catalog.ts';
import { say } from '../i18n/text.tsx';
import type { TextValues } from '../i18n/text.tsx';

export const TOAST_MS = 5_000;

export type ToastTone = 'success' | 'error' | 'info';

export interface Toast {
  readonly key: number;
  readonly tone: ToastTone;
  readonly message: string;
  /** A second line: what exactly was done, such as `Bought 0.2500 BTC at 60,540.0`. */
  readonly detail?: string;
  /** What can be done about it. */
  readonly action?: ReactElement;
}

interface Toasts {
  readonly current: Toast | undefined;
}

export const useToasts = create<Toasts>()(() => ({ current: undefined }));

let lastKey = 0;

const isQuietPage = (): boolean => globalThis.location?.pathname === '/maintenance';

export function showToast(toast: Omit<Toast, 'key'>): void {
  if (isQuietPage()) return;
  lastKey += 1;
  useToasts.setState({ current: { ...toast, key: lastKey } });
}

export function dismissToast(key: number): void {
  if (useToasts.getState().current?.key === key) useToasts.setState({ current: undefined });
}

export interface SuccessDetails {
  /** What the message leaves open, such as a count. */
  readonly values?: TextValues;
  readonly detail?: string | undefined;
}

/** What was done, by the key of its words: the same thing has the same words wherever it is done. */
export const showSuccess = (key: MessageId, { values, detail }: SuccessDetails = {}): void =>
  showToast({ tone: 'success', message: say(key, values), ...(detail !== undefined && { detail }) });
export const showError = (message: string, detail?: string): void =>
  showToast({ tone: 'error', message, ...(detail !== undefined && { detail }) });
export const showInfo = (message: string, detail?: string): void =>
  showToast({ tone: 'info', message, ...(detail !== undefined && { detail }) });
