import { expect, test } from 'vitest';
import * as limits from './limits.ts';

test('the numbers of the exchange are the published ones', () => {
  expect(limits).toMatchObject({
    OPEN_ORDERS_PER_ACCOUNT: 1_000,
    ORDER_LIFETIME_MS: 7_776_000_000,
    CLOSED_CLIENT_ORDERS_REMEMBERED: 1_024,
    CLOSED_CLIENT_ORDERS_REMEMBERED_MS: 86_400_000,
    DEFAULT_SLIPPAGE_PPM: 10_000,
    CLAIM_INTERVAL_MS: 86_400_000,
    AWARD_POINTS_MAX: 77_777n,
  });
});
