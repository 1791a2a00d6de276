/** What is remembered of the device itself: a random mark that is sent to nobody before cookies are accepted, and whether the page lives inside Telegram. */
import { randomHex } from './random-hex.ts';
import { deviceId, isTelegram } from './remembered.ts';

export function rememberDevice(userAgent: string): void {
  if (deviceId.read() === '') deviceId.write(randomHex(16));
  isTelegram.write('TelegramWebviewProxy' in globalThis || /Telegram/i.test(userAgent));
}
