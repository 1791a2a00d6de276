import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { activateLanguage, addTexts } from '../i18n/catalog.ts';
import { en } from '../i18n/messages/en/index.ts';
import { dismissToast, showError, showSuccess, TOAST_MS, useToasts } from './toast.ts';

beforeAll(() => {
  addTexts('en', en);
  activateLanguage('en');
});
afterEach(() => {
  vi.unstubAllGlobals();
  useToasts.setState({ current: undefined });
});

describe('[C2] toasts', () => {
  test('[C2] a new toast dismisses the previous one', () => {
    showError('first');
    showSuccess('trade.done.cancelledMany', { values: { count: 2 }, detail: 'with a detail' });
    expect(useToasts.getState().current).toMatchObject({ message: '2 orders cancelled', detail: 'with a detail', tone: 'success' });
  });

  test('[C2] each leaves after five seconds, and an old one takes no new one with it', () => {
    expect(TOAST_MS).toBe(5_000);
    showError('first');
    const first = useToasts.getState().current?.key ?? 0;
    showError('second');
    dismissToast(first);
    expect(useToasts.getState().current?.message).toBe('second');
  });

  test('[C2] none on /maintenance', () => {
    vi.stubGlobal('location', { pathname: '/maintenance' });
    showError('hidden');
    expect(useToasts.getState().current).toBeUndefined();
  });
});
