/** The calls of a portfolio. */
import type { Handlers, portfolioRoutes } from '@orrery/api';
import type { Portfolio } from './portfolio.ts';

export const portfolioHandlers = (portfolio: Portfolio): Handlers<typeof portfolioRoutes> => ({
  portfolioHistory: ({ principal: { account }, query: { range, scope = 'all' } }) => portfolio.history({ account, range, scope }),
  portfolioSummary: ({ principal: { account }, query: { range, scope = 'all' } }) => portfolio.summary({ account, range, scope }),
});
