/**
 * Why a command is refused. The order is the order of precedence: malformed, unknown, not allowed, not affordable.
 * Each reason has a fixed code for the wire; codes are never given again.
 */
export const REJECTS = {
  // malformed
  InvalidField: { code: 1001, message: 'the value of {field} is not valid' },
  InvalidPrice: { code: 1002, message: 'price is outside the limits of this market' },
  InvalidSize: { code: 1003, message: 'size is outside the limits of this market' },
  InvalidNotional: { code: 1004, message: 'order value is outside the limits of this market' },
  InvalidTrigger: { code: 1005, message: 'triggerPrice would trigger at once or is missing' },
  InvalidCombination: { code: 1006, message: '{field} does not go with this kind of order' },
  InvalidAmount: { code: 1007, message: 'amount must be above zero' },
  PracticeAsset: { code: 1010, message: 'PRACTICE is for practice contracts alone: it is not moved, paid out or counted anywhere else' },
  InvalidLeverage: { code: 1008, message: 'leverage must be a whole number from 1 to the maximum of this contract' },
  // unknown
  UnknownAsset: { code: 2001, message: 'unknown asset' },
  UnknownMarket: { code: 2002, message: 'unknown market' },
  UnknownAccount: { code: 2003, message: 'unknown account' },
  UnknownOrder: { code: 2004, message: 'order not found' },
  UnknownWithdrawal: { code: 2005, message: 'withdrawal not found' },
  UnknownClaim: { code: 2006, message: 'faucet claim not found' },
  UnknownDeposit: { code: 2009, message: 'deposit not found' },
  UnknownAward: { code: 2008, message: 'award not found' },
  UnknownPosition: { code: 2010, message: 'position not found' },
  UnknownTwap: { code: 2011, message: 'TWAP order not found' },
  UnknownAdvertisement: { code: 2012, message: 'advertisement not found' },
  UnknownOtcOrder: { code: 2013, message: 'OTC order not found' },
  UnknownMerchant: { code: 2014, message: 'there is no deposit of a merchant' },
  UnknownFund: { code: 2015, message: 'fund not found' },
  AlreadyRegistered: { code: 2007, message: '{field} is registered already' },
  // not allowed
  AccountBlocked: { code: 3001, message: 'this account is blocked' },
  DepositInSuspense: { code: 3020, message: 'a deposit of this account has left the chain: withdrawals wait until it is back' },
  TermsNotAccepted: { code: 3002, message: 'accept the terms first' },
  NotWhitelisted: { code: 3003, message: 'this account is not on the whitelist yet' },
  ConnectionMissing: { code: 3004, message: 'establish a trading connection first' },
  MarketHalted: { code: 3005, message: 'this market is halted' },
  MarketCancelOnly: { code: 3006, message: 'this market takes cancels only' },
  DuplicateClientOrderId: { code: 3007, message: 'clientOrderId names another open order' },
  OrderNotAmendable: { code: 3008, message: 'only resting limit orders can be amended' },
  OrderOfPair: { code: 3047, message: 'an order of a pair, or one that protects a purchase, is not amended: cancel it and place another' },
  PostOnlyWouldTake: { code: 3009, message: 'a post-only order would match at once' },
  FillOrKillUnfilled: { code: 3010, message: 'the order can not be filled whole' },
  TooManyFills: { code: 3045, message: 'the order would need more trades at once than one order may make' },
  PriceOutOfBand: { code: 3011, message: 'price is too far from the market' },
  NoLiquidity: { code: 3012, message: 'there is nothing to trade with' },
  TooManyOpenOrders: { code: 3013, message: 'too many open orders' },
  TransferRouteClosed: { code: 3014, message: 'this transfer route does not exist: go through spot' },
  WithdrawalNotInState: { code: 3015, message: 'the withdrawal is not in the state for this' },
  HourlyCapExceeded: { code: 3021, message: 'more than the hourly withdrawal cap of this asset leaves' },
  DailyCapExceeded: { code: 3022, message: 'more than the daily withdrawal cap of this asset leaves' },
  QuotaExceeded: { code: 3084, message: 'more than the withdrawal quota of this account leaves within 24 hours' },
  ClaimTooSoon: { code: 3016, message: 'one faucet claim in 24 hours' },
  AwardTooLarge: { code: 3017, message: 'the award is above the limit of one award' },
  AwardAlreadyReversed: { code: 3019, message: 'the award was reversed before' },
  RulesTooOld: { code: 3023, message: 'the rules of this exchange are too old for this: upgrade them first' },
  PositionSideMismatch: { code: 3024, message: 'positionSide does not go with the position mode of this account' },
  PositionOpen: { code: 3025, message: 'close the position first' },
  OrdersOpen: { code: 3026, message: 'cancel the open orders first' },
  PricesDegraded: { code: 3027, message: 'the prices of this contract are not reliable now: only reduce-only orders are taken' },
  ReduceOnlyRefused: {
    code: 3028,
    message: 'there is nothing for a reduce-only order to reduce: no position against it, or other orders reduce all of it',
  },
  OpenInterestExceeded: { code: 3029, message: 'the open interest of this contract has reached its cap' },
  PositionTooLarge: { code: 3030, message: 'the position would be larger than this leverage allows' },
  CollateralCapExceeded: { code: 3031, message: 'more than the cap of this collateral' },
  TooManyTriggers: { code: 3032, message: 'too many take-profit and stop-loss orders on this position' },
  ScheduleTooSoon: { code: 3033, message: 'a scheduled cancel must be at least 5 seconds ahead' },
  FundingNotDue: { code: 3034, message: 'this funding interval has not ended, or has no valid price' },
  DepositNotInSuspense: { code: 3035, message: 'this deposit is on the chain: there is nothing to write off' },
  PricesUnreliable: {
    code: 3036,
    message: 'the prices of a contract in which this account holds a position are not reliable now: no money leaves it',
  },
  UnderLiquidation: { code: 3041, message: 'this account is being liquidated: it opens nothing, and no money leaves it' },
  OtcClosed: { code: 3063, message: 'the OTC desk is not open' },
  NotPartyOfOrder: { code: 3055, message: "this step of the OTC order is not this account's" },
  OwnAdvertisement: { code: 3060, message: 'the advertisement is of the same account' },
  AdvertisementNotOpen: { code: 3050, message: 'the advertisement is not open' },
  OtcOrderNotInState: { code: 3054, message: 'the OTC order is not in the state for this' },
  OtcTooSoon: { code: 3056, message: 'it is too early for a dispute' },
  OtcPaused: { code: 3059, message: 'too many OTC orders were cancelled: new ones are taken a day later' },
  TooManyAdvertisements: { code: 3058, message: 'too many live advertisements' },
  TooManyOtcOrders: { code: 3057, message: 'too many open OTC orders' },
  OtcNotIdle: { code: 3062, message: 'finish the OTC orders and take the advertisements down first' },
  AdvertisementVersionStale: { code: 3064, message: 'the advertisement has changed since this version of it' },
  AssistPriceStale: { code: 3051, message: 'there is no fresh assist price for this advertisement' },
  OtcPriceMoved: { code: 3052, message: 'the price of the advertisement is another one now' },
  OtcTotalOutside: { code: 3053, message: 'the total is outside the limits of the advertisement' },
  OtcCoinsHeld: { code: 3061, message: 'coins that were bought by OTC stay on the exchange for a day' },
  MatchingUnfinished: { code: 3046, message: 'an earlier order of this market is still being matched: try again' },
  FundAccount: { code: 3070, message: 'this account is a fund: money reaches and leaves it by subscriptions and redemptions alone' },
  FundShare: { code: 3071, message: 'shares of a fund are redeemed: they are not moved, traded or paid out' },
  FundMarketRefused: { code: 3072, message: 'a fund trades only what is settled in its own asset' },
  FundNotOpen: { code: 3073, message: 'this fund closes: it pays its holders by their shares' },
  FundAccountInUse: { code: 3074, message: 'a fund begins with an account that has no money, positions and orders' },
  TooManyFunds: { code: 3075, message: 'there are as many funds as there may be' },
  SubscriptionTooSmall: { code: 3076, message: 'less than the smallest subscription of this fund' },
  FundFull: { code: 3077, message: 'more than the capacity of this fund leaves' },
  SharesLocked: { code: 3078, message: 'shares are locked for a day after the last subscription' },
  LeaderShareTooSmall: { code: 3079, message: 'the leader keeps at least 5 % of the shares, and 1,000 units' },
  TooManyFundRequests: { code: 3080, message: 'too many subscriptions and redemptions wait' },
  FundLeverageExceeded: { code: 3081, message: 'the contracts of a fund are worth at most three times the fund' },
  FundContractExceeded: { code: 3082, message: 'one contract of a fund is worth at most 40 % of the fund' },
  FundNotDue: { code: 3083, message: 'this interval of the fund has not ended, or is past' },
  KeyConflict: { code: 3018, message: '{field} was used before for something else' },
  // not affordable
  InsufficientBalance: { code: 4001, message: 'not enough free balance' },
  InsufficientMargin: { code: 4003, message: 'not enough margin' },
  MarginNotRemovable: { code: 4004, message: 'more than the margin that can be removed' },
  BudgetExhausted: { code: 4002, message: 'the budget for this is used up' },
  // ours
  InternalReject: { code: 5001, message: 'the command could not be applied and changed nothing' },
} as const satisfies Record<string, { readonly code: number; readonly message: string }>;

export type RejectReason = keyof typeof REJECTS;

/** The refusals of a number beyond another one: with both of them where the engine knows them. */
export const MEASURED_REASONS = [
  'InvalidPrice',
  'InvalidSize',
  'InvalidNotional',
  'InvalidLeverage',
  'PriceOutOfBand',
  'TooManyOpenOrders',
  'ReduceOnlyRefused',
  'OpenInterestExceeded',
  'PositionTooLarge',
  'CollateralCapExceeded',
  'TooManyTriggers',
  'HourlyCapExceeded',
  'DailyCapExceeded',
  'SubscriptionTooSmall',
  'FundFull',
  'TooManyFundRequests',
  'FundLeverageExceeded',
  'FundContractExceeded',
  'InsufficientBalance',
  'InsufficientMargin',
  'MarginNotRemovable',
  'OtcTooSoon',
  'TooManyAdvertisements',
  'TooManyOtcOrders',
  'OtcPriceMoved',
  'OtcTotalOutside',
  'OtcCoinsHeld',
] as const satisfies readonly RejectReason[];

export type MeasuredReason = (typeof MEASURED_REASONS)[number];

/**
 * What figures count, by `id`: `atoms` of an asset; `value` in atoms of the quote or settle asset, `ticks` and `lots` of a market; `cents` and `fiatPrice` of the fiat money at
 * this place of `FIATS`; `count` and `millis` of nothing, 0.
 */
export const FIGURE_UNITS = ['atoms', 'value', 'ticks', 'lots', 'count', 'cents', 'fiatPrice', 'millis'] as const;

export interface RejectFigures {
  readonly unit: (typeof FIGURE_UNITS)[number];
  readonly id: number;
  /** What the command needs or names. */
  readonly asked: bigint;
  /** What there is, or the most or the least that is taken. */
  readonly limit: bigint;
}

/** In order of precedence. */
export const REJECT_REASONS = Object.keys(REJECTS) as readonly RejectReason[];

/** The sentence for people, with the field's name in it. */
export function rejectMessage(reason: RejectReason, field: string): string {
  return REJECTS[reason].message.replace('{field}', field === '' ? 'a field' : field);
}
