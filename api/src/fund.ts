/** Quanto funds: accounts that a strategy trades, owned by the holders of their shares. Money in units of the fund's coin, shares in whole shares. */
import { Type, type Static } from 'typebox';
import {
  Coin,
  Count,
  Cursor,
  Decimal,
  DecimalInput,
  listedHistory,
  Millis,
  MinSeq,
  nullable,
  Page,
  PageSize,
  SignedDecimal,
  strict,
  Symbol,
} from './fields.ts';
import { routes } from './route.ts';

/** The code of its shares. */
export const FundId = Type.String({
  maxLength: 12,
  pattern: '^[A-Z0-9]{1,12}$',
  examples: ['QUANTO1'],
  description: 'code of the shares of the fund',
});

export const FundRequestId = Type.String({
  maxLength: 64,
  pattern: '^[0-9a-zA-Z_-]{1,64}$',
  description: 'of your choice; the same id again changes nothing',
});

export const FUND_STATUSES = ['OPEN', 'CLOSING', 'ENDED'] as const;
export const FUND_END_REASONS = ['halted', 'blocked', 'liquidated', 'silent', 'worthless'] as const;
export const FUND_STRATEGIES = ['MARKET_MAKER', 'CARRY', 'OTHER'] as const;

/** Percent, with two decimals. */
const Percent = Type.String({ maxLength: 24, pattern: '^-?[0-9]{1,18}(\\.[0-9]{1,2})?$', examples: ['-1.25'], description: 'percent' });

export const Fund = Type.Object({
  fundId: FundId,
  name: Type.String(),
  strategy: Type.Enum([...FUND_STRATEGIES]),
  coin: Coin,
  nav: Type.String({ description: 'coin for one share by the last valuation, rounded down' }),
  aum: Type.String({ description: 'worth of all shares by the last valuation' }),
  return7d: nullable(Percent, { description: 'change of the NAV in seven days, in percent; null while the fund is younger' }),
  return30d: nullable(Percent, { description: 'change of the NAV in thirty days, in percent; null while the fund is younger' }),
  maxDrawdown: Type.String({ description: 'deepest fall of the NAV below its highest before, in percent' }),
  capacity: Type.String({ description: 'the most that subscriptions may bring the fund to' }),
  status: Type.Enum([...FUND_STATUSES], { description: 'CLOSING: it sells what it has and pays by share' }),
});
export type Fund = Static<typeof Fund>;

export const FundText = Type.Object({
  summary: Type.String(),
  rules: Type.Array(Type.String(), { description: 'what its strategy does' }),
  risks: Type.Array(Type.String()),
});

export const FundDetail = Type.Object({
  ...Fund.properties,
  text: FundText,
  openedTime: Millis,
  valuedTime: nullable(Millis, { description: 'of the last valuation' }),
  nextValuation: Type.Integer({ description: 'unix milliseconds: the first valuation that may execute a request of now' }),
  waitsSince: nullable(Millis, { description: 'of the first valuation that had no fresh price, while none followed that had' }),
  closingReason: nullable(Type.Enum([...FUND_END_REASONS])),
  returnAll: Percent,
  sharpe: nullable(Type.String(), {
    description: 'mean of the daily returns by their deviation, times the square root of 365; null below seven whole days',
  }),
  cash: Type.String({ description: 'what of its worth was its coin at the last valuation' }),
  shares: Type.String(),
  holders: Count,
  leaderShare: Type.String({ description: 'of all shares, in percent' }),
  waitingSubscriptions: Decimal,
  waitingRedemptions: Type.String({ description: 'shares' }),
  performanceFee: Type.String({ description: 'percent of what the NAV is above the high-water mark of the holder' }),
  minSubscription: Type.String(),
  lockMs: Type.Integer({ description: 'shares are redeemed no sooner than this after the last subscription of their holder' }),
  valuationMs: Type.Integer(),
  cutoffMs: Type.Integer({ description: 'a request later than this before a valuation waits for the one after it' }),
});
export type FundDetail = Static<typeof FundDetail>;

export const FUND_RANGES = ['1d', '7d', '30d', 'all'] as const;
export const FundRange = Type.Enum([...FUND_RANGES]);
export type FundRange = Static<typeof FundRange>;

export const FundPoint = Type.Object({
  time: Millis,
  nav: Type.String(),
  drawdown: Type.String({ description: 'below the highest NAV before, in percent' }),
  btc: nullable(Type.String(), { description: 'index price of BTC in USDC' }),
});
export type FundPoint = Static<typeof FundPoint>;

export const FundHoldings = Type.Object({
  asOf: nullable(Millis, { description: 'holdings are shown ten minutes late; null where none are known from then' }),
  balances: Type.Array(Type.Object({ coin: Coin, amount: SignedDecimal })),
  positions: Type.Array(
    Type.Object({
      symbol: Symbol,
      positionSide: Type.Enum(['LONG', 'SHORT']),
      size: Decimal,
      notional: nullable(Type.String(), { description: 'at mark' }),
    }),
  ),
  orders: Type.Array(Type.Object({ symbol: Symbol, direction: Type.Enum(['BUY', 'SELL']), price: Decimal, size: Decimal })),
});
export type FundHoldings = Static<typeof FundHoldings>;

export const FundShare = Type.Object({
  fundId: FundId,
  shares: Type.String({ description: 'all of them, with those that wait to be redeemed' }),
  frozen: Type.String({ description: 'those that wait to be redeemed' }),
  value: Type.String({ description: 'by the last valuation' }),
  valuedAt: Type.Integer({
    minimum: 0,
    description: 'unix milliseconds: the last valuation; before the first one when the fund was opened',
  }),
  cost: Type.String({ description: 'what was paid for the shares that are left' }),
  profit: SignedDecimal,
  realised: SignedDecimal,
  highWaterMark: Type.String({ description: 'NAV above which a performance fee is due' }),
  fee: Type.String({ description: 'performance fee if all shares were redeemed at the last NAV' }),
  lockedUntil: Millis,
  isLeader: Type.Boolean(),
  waiting: Type.String({ description: 'coin that waits to be subscribed' }),
});
export type FundShare = Static<typeof FundShare>;

export const FUND_ENTRY_KINDS = ['SUBSCRIPTION', 'REDEMPTION', 'FEE', 'PAYOUT'] as const;
export const FUND_ENTRY_STATUSES = ['WAITING', 'PARTIAL', 'DONE', 'RETURNED'] as const;

export const FundEntry = Type.Object({
  entryId: Type.String(),
  fundId: FundId,
  kind: Type.Enum([...FUND_ENTRY_KINDS], {
    description:
      'FEE: performance fee at the end of a month; PAYOUT: at the end of the fund, or before it, for no shares, while the fund closes and cannot sell everything',
  }),
  requestId: Type.String({ description: 'as the client named it; empty of a fee and of a payout' }),
  status: Type.Enum([...FUND_ENTRY_STATUSES]),
  amount: nullable(Type.String(), { description: 'coin paid in or paid out; null while it is not known' }),
  shares: nullable(Type.String(), { description: 'shares given or taken, with those of the fee; null while they are not known' }),
  fee: Type.String({ description: 'shares given to the leader as performance fee' }),
  nav: nullable(Type.String()),
  earliest: nullable(Millis, { description: 'the first valuation that may execute it' }),
  reason: nullable(Type.Enum(['capacity', 'leaderShare', 'tooSmall', 'closing'])),
  createdTime: Millis,
  doneTime: nullable(Millis),
});
export type FundEntry = Static<typeof FundEntry>;

const Accepted = { earliest: Type.Integer({ description: 'unix milliseconds: the first valuation that may execute it, at its NAV' }) };

export const fundRoutes = routes({
  fundList: {
    method: 'GET',
    path: '/fund/api/list',
    access: 'public',
    rate: 'public',
    summary: 'The funds.',
    response: Type.Array(Fund),
  },
  fundDetail: {
    method: 'GET',
    path: '/fund/api/detail',
    access: 'public',
    rate: 'public',
    summary: 'One fund: terms, figures, what its strategy does and what can go wrong.',
    query: strict({ fundId: FundId }),
    response: FundDetail,
  },
  fundNav: {
    method: 'GET',
    path: '/fund/api/nav',
    access: 'public',
    rate: 'public',
    summary: 'Its NAV over time: each valuation of a day, else the last one of each hour, of four hours or of a day.',
    query: strict({ fundId: FundId, range: FundRange }),
    response: Type.Object({
      range: FundRange,
      points: Type.Array(FundPoint, { description: 'oldest first, at most 1,000' }),
      simulated: Type.Array(Type.Object({ time: Millis, nav: Type.String() }), {
        description:
          'before the fund: what its strategy would have been worth over a recorded month of prices, moved to end where the fund begins, and in proportion to its first NAV; no result, and in no figure',
      }),
    }),
  },
  fundHoldings: {
    method: 'GET',
    path: '/fund/api/holdings',
    access: 'public',
    rate: 'public',
    summary: 'What it had ten minutes ago: coins, positions and orders.',
    query: strict({ fundId: FundId }),
    response: FundHoldings,
  },
  fundSubscribe: {
    method: 'POST',
    path: '/fund/api/subscribe',
    access: 'transfer',
    rate: 'transfer',
    summary: 'Pay into a fund from the funding wallet; shares are given at the NAV of a valuation to come.',
    body: strict({ fundId: FundId, amount: DecimalInput, subscriptionId: Type.Optional(FundRequestId) }),
    response: Type.Object({ subscriptionId: Type.String(), ...Accepted }),
  },
  fundRedeem: {
    method: 'POST',
    path: '/fund/api/redeem',
    access: 'transfer',
    rate: 'transfer',
    summary: 'Give shares back; they are paid into the funding wallet at the NAV of a valuation to come.',
    body: strict({ fundId: FundId, shares: DecimalInput, redemptionId: Type.Optional(FundRequestId) }),
    response: Type.Object({ redemptionId: Type.String(), ...Accepted }),
  },
  fundMine: {
    method: 'GET',
    path: '/fund/api/mine',
    access: 'read',
    rate: 'read',
    summary: 'Your shares.',
    query: strict({ fundId: Type.Optional(FundId), minSeq: Type.Optional(MinSeq) }),
    response: Type.Array(FundShare),
  },
  fundHistory: {
    method: 'GET',
    path: '/fund/api/history',
    access: 'read',
    rate: 'read',
    summary: 'Your subscriptions and redemptions, fees and payouts, newest first.',
    query: strict({
      fundId: Type.Optional(FundId),
      page: Type.Optional(Page),
      id: Type.Optional(Cursor),
      pageSize: Type.Optional(PageSize),
      minSeq: Type.Optional(MinSeq),
    }),
    response: listedHistory(FundEntry),
  },
  fundHeartbeat: {
    method: 'POST',
    path: '/fund/api/heartbeat',
    access: 'trade',
    rate: 'manage',
    summary: 'As the manager of a fund: say that you are there. A fund whose account gives no command for an hour closes.',
    body: strict({}),
    response: Type.Object({ fundId: FundId }),
  },
});
