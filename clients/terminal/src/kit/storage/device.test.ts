import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberDevice } from './device.ts';
import { deviceId, isTelegram } from './remembered.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test('[L15] the device id is made once, by chance', () => {
  rememberDevice('Mozilla/5.0');
  const first = deviceId.read();
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  rememberDevice('Mozilla/5.0');
  expect(deviceId.read()).toBe(first);
});

test.each([
  ['Mozilla/5.0 Chrome/156', false],
  ['Mozilla/5.0 Telegram-Android/11.2', true],
])('[L15] %s: inside Telegram is %s', (userAgent, expected) => {
  rememberDevice(userAgent);
  expect(isTelegram.read()).toBe(expected);
});
