/** Which dialogs stay when another account comes into view. */
import { afterEach, expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../i18n/catalog.ts';
import { shell } from '../i18n/messages/en/shell.ts';
import { accountOf, setView } from '../storage/account-in-view.ts';
import { closeForeignDialogs, openDialog } from './dialogs.tsx';
import { useToasts } from './toast.ts';

addTexts('en', shell);
activateLanguage('en');

const Nothing = (): null => null;
const see = (address: string | undefined): void => {
  setView({ address, account: address === undefined ? undefined : accountOf(`account of ${address}`) });
  closeForeignDialogs();
};

/** @returns whether it is closed. */
function open(of?: 'everybody'): () => Promise<boolean> {
  const answer = openDialog<true, object>(Nothing, {}, of === undefined ? {} : { of });
  return () => Promise.race([answer.then(() => true), Promise.resolve().then(() => Promise.resolve(false))]);
}

afterEach(() => {
  see(undefined);
  useToasts.setState({ current: undefined });
});

test('a dialog of an account closes when another one comes into view, and that is said', async () => {
  see('alice');
  const isClosed = open();
  see('alice');
  expect(await isClosed()).toBe(false);
  expect(useToasts.getState().current).toBeUndefined();
  see('bob');
  expect(await isClosed()).toBe(true);
  expect(useToasts.getState().current).toMatchObject({ tone: 'info', message: shell['ui.accountClosed'] });
});

test('it closes too when nobody is in view any more, and stays while a session ends and begins again', async () => {
  see('alice');
  const isClosed = open();
  setView({ address: 'alice', account: undefined });
  closeForeignDialogs();
  expect(await isClosed()).toBe(false);
  see(undefined);
  expect(await isClosed()).toBe(true);
});

test('what belongs to nobody stays: the settings, and what was opened before anybody came', async () => {
  const early = open();
  see('alice');
  const settings = open('everybody');
  see('bob');
  expect([await early(), await settings()]).toEqual([false, false]);
  expect(useToasts.getState().current).toBeUndefined();
});
