/** Usage of the pages, measured where the installation has a service for it and the person has accepted cookies. */
import { Type, type Static } from 'typebox';
import { routes } from './route.ts';

/** A service of the PostHog kind. */
export const AnalyticsSite = Type.Object({
  host: Type.String({ description: 'its origin' }),
  key: Type.String({ description: 'the public key of the project' }),
});
export type AnalyticsSite = Static<typeof AnalyticsSite>;

export const AnalyticsId = Type.Object({
  walletAddress: Type.String({ description: 'a keyed hash of the address: 43 letters, digits, _ or -' }),
  month: Type.String({ description: 'of the key, in UTC, such as 2026-03' }),
});
export type AnalyticsId = Static<typeof AnalyticsId>;

export const analyticsRoutes = routes({
  analyticsId: {
    method: 'GET',
    path: '/pro/u/analytics/id',
    access: 'session',
    rate: 'read',
    summary:
      'What stands for the address of this account where usage is measured: a keyed hash, whose key never leaves the server and is another one each month.',
    response: AnalyticsId,
  },
});
