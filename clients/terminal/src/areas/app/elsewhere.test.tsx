// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { show } from '../../testing/stage.tsx';
import { PushSettings } from '../settings-dialog/push-settings.tsx';
import { Elsewhere } from './elsewhere.tsx';

declare const happyDOM: { setURL(url: string): void };
const before = location.href;
afterEach(() => happyDOM.setURL(before));

test('another device gets to the page by a code of its address', async () => {
  happyDOM.setURL('https://orrery.example/app');
  await show(<Elsewhere />);
  await screen.findByRole('img', { name: 'QR code of the address of this page' });
  screen.getByText('https://orrery.example/app');
  expect(screen.queryByText(/only this computer can open/)).toBeNull();
});

test('an address of this computer is no code', async () => {
  happyDOM.setURL('http://127.0.0.1:8080/app');
  await show(<Elsewhere />);
  await screen.findByText(/only this computer can open/);
  expect(screen.queryByRole('img')).toBeNull();
});

test('a browser that cannot show notifications is not promised any', async () => {
  await show(<PushSettings />);
  await screen.findByText(/This browser cannot show notifications of a page/);
});
