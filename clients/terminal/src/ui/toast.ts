/**
 * One message at a time: a new toast dismisses the previous one, each leaves after five seconds, and the maintenance
 * page, which already says what is wrong, shows none.
 */
import type { ReactElement } from 'react';
import { create } from 'zustand';

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

export const showSuccess = (message: string, detail?: string): void =>
  showToast({ tone: 'success', message, ...(detail !== undefined && { detail }) });
export const showError = (message: string, detail?: string): void =>
  showToast({ tone: 'error', message, ...(detail !== undefined && { detail }) });
export const showInfo = (message: string, detail?: string): void =>
  showToast({ tone: 'info', message, ...(detail !== undefined && { detail }) });
