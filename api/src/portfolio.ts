/** What an account was worth over time, and what trading cost it: recorded each hour by the time of history. */
import { Type, type Static } from 'typebox';
import { Coin, Count, Millis, nullable, SignedDecimal, strict } from './fields.ts';
import { routes } from './route.ts';

/** The newest 24 hours, 7, 30 or 90 days. */
export const PortfolioRange = Type.Enum(['1d', '7d', '30d', '90d']);
export type PortfolioRange = Static<typeof PortfolioRange>;
export const PORTFOLIO_RANGES = PortfolioRange.enum;

/** All wallets, those of spot and funding, or those of futures with what open positions are worth. */
export const PortfolioScope = Type.Enum(['all', 'spot', 'futures']);
export type PortfolioScope = Static<typeof PortfolioScope>;
export const PORTFOLIO_SCOPES = PortfolioScope.enum;

export const PortfolioPoint = Type.Object({
  time: Millis,
  equity: Type.String({
    description:
      'USDC: all balances of the wallets in scope, held ones too, by the index prices of that time, and the unrealised profit of open positions by their mark prices',
  }),
  net: Type.String({
    description:
      'USDC: deposits minus withdrawals up to then, each by the index price at its time; of a part of the wallets also transfers between it and the others; may be below 0',
  }),
});
export type PortfolioPoint = Static<typeof PortfolioPoint>;

export const PortfolioHistory = Type.Object({
  range: PortfolioRange,
  intervalMs: Type.Integer({ description: 'between two points: an hour, a day where the range is 90d' }),
  points: Type.Array(PortfolioPoint, {
    description:
      'oldest first, at full hours or days in UTC; the first of an account that began within the range is the beginning of its first hour, with nothing; none from before it, nor where a coin held was without an index price',
  }),
  latest: nullable(PortfolioPoint),
});
export type PortfolioHistory = Static<typeof PortfolioHistory>;

export const PortfolioFee = Type.Object({ coin: Coin, amount: SignedDecimal, value: SignedDecimal });
export type PortfolioFee = Static<typeof PortfolioFee>;

export const PortfolioSummary = Type.Object({
  range: PortfolioRange,
  scope: PortfolioScope,
  since: Millis,
  until: Millis,
  trades: Count,
  volume: Type.String({ description: 'USDC' }),
  fees: Type.Array(PortfolioFee, { description: 'by the coin that they were taken in; value is USDC by the prices of the trades' }),
  feesValue: Type.String({ description: 'USDC: the values of all fees together; below 0 where rebates are more' }),
  closedPositions: Type.Integer({ minimum: 0, description: 'positions in contracts that were closed; 0 of spot' }),
  wonPositions: Type.Integer({ minimum: 0, description: 'those of them whose profit, less fees and with funding, is above 0' }),
});
export type PortfolioSummary = Static<typeof PortfolioSummary>;

const query = strict({ range: PortfolioRange, scope: Type.Optional(PortfolioScope) }, 'scope: all unless given');

export const portfolioRoutes = routes({
  portfolioHistory: {
    method: 'GET',
    path: '/pro/u/portfolio/history',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Your equity and your net deposits over time; the profit of a range is the change of equity less the change of net.',
    query,
    response: PortfolioHistory,
  },
  portfolioSummary: {
    method: 'GET',
    path: '/pro/u/portfolio/summary',
    access: 'read',
    rate: 'read',
    readsHistory: true,
    summary: 'Your trades, their volume and fees, and how many positions you closed with a gain, in a range, which begins at a full hour.',
    query,
    response: PortfolioSummary,
  },
});
