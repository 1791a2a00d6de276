import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { useToasts } from '../../kit/ui/toast.ts';
import { showDone } from './success.ts';

beforeAll(() => {
  addTexts('en', en);
  activateLanguage('en');
});
beforeEach(() => useToasts.setState({ current: undefined }));

describe('[C3] success toasts', () => {
  test.each([
    ['modified', 'Saved'],
    ['bind', 'Linked'],
    ['add', 'Added'],
    ['delete', 'Deleted'],
    ['submit', 'Submitted'],
    ['passwordChange', 'Password changed'],
    ['signUp', 'Signed up'],
    ['withdraw', 'Withdrawal submitted'],
  ] as const)('[C3] the key %s says %s', (key, message) => {
    showDone(key);
    expect(useToasts.getState().current).toMatchObject({ tone: 'success', message });
  });

  test('[C3] a detail says of what', () => {
    showDone('withdraw', '5 USDC');
    expect(useToasts.getState().current).toMatchObject({ message: 'Withdrawal submitted', detail: '5 USDC' });
  });
});
