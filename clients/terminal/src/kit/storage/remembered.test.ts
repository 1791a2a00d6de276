import { expect, test } from 'vitest';
import * as remembered from './remembered.ts';

test('[L15] every key of the specification that this terminal has a use for exists, with its own name', () => {
  const names = Object.values(remembered).map((kept) => kept.name);
  expect(names).toEqual(
    expect.arrayContaining([
      'orrery.tokenToAddress',
      'orrery.termsUserStatus',
      'orrery.walletAddress',
      'orrery.walletType',
      'orrery.deviceId',
      'orrery.previousAddressToToken',
      'orrery.enableTradingEndTime',
      'orrery.previousSpotSymbol',
      'orrery.isTelegram',
    ]),
  );
  expect(new Set(names).size).toBe(names.length);
});
