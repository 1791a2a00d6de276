/** Practice money leaves its contracts by no door: every kind of command is here, so that a new one has to be placed. */
import { expect, test } from 'vitest';
import { assetId, atoms, lots, marketId, ppm, ticks, cents, fiatPrice } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { BTC, usdc, USDC } from '../testing/contract-scene.ts';
import { BTC_PRACTICE, PRACTICE_ASSET, PracticeScene } from '../testing/practice-scene.ts';
import { addressOf } from '../testing/tape-people.ts';

const scene = new PracticeScene();
const alice = scene.person('alice', usdc(1_000));
scene.person('bob', usdc(0));
scene.stock(alice, 10_000);

const asset = PRACTICE_ASSET;
const amount = atoms(1n);
const key = 'door';
const withdrawalId = `0x${'7'.repeat(64)}`;
const to = addressOf('bob');

const spot = (base: number, quote: number, symbol: string): Command => ({
  type: 'RegisterMarket',
  market: marketId(9),
  symbol,
  base: assetId(base),
  quote: assetId(quote),
  pricePrecision: 1,
  sizePrecision: 5,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(1_000_000),
  minSize: lots(1),
  maxSize: lots(1_000_000),
  minNotional: amount,
  maxNotional: usdc(1_000_000),
  makerFeePpm: ppm(0),
  takerFeePpm: ppm(0),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
});

type Door =
  | readonly Command[]
  | 'names no asset'
  | 'moves money within contracts'
  | 'moves coins within the OTC desk'
  | 'gives practice money'
  | 'moves money within a fund'
  | 'of a market that has none of it';

const DOORS: Readonly<Record<Command['type'], Door>> = {
  Transfer: (
    [
      ['futures', 'spot'],
      ['futures', 'funding'],
      ['funding', 'futures'],
      ['spot', 'coinFutures'],
    ] as const
  ).map(([from, into]) => ({ type: 'Transfer', account: alice, transferId: key, asset, amount, from, to: into })),
  RequestWithdrawal: [{ type: 'RequestWithdrawal', account: alice, withdrawalId, asset, amount, to }],
  WithdrawInternally: [{ type: 'WithdrawInternally', account: alice, withdrawalId, asset, amount, to }],
  SetWithdrawalCaps: [{ type: 'SetWithdrawalCaps', asset, hourly: amount, daily: amount }],
  CreditDeposit: [{ type: 'CreditDeposit', key, address: to, asset, amount }],
  FundBudget: (['faucet', 'rewards'] as const).map((budget) => ({ type: 'FundBudget', key, budget, asset, amount })),
  AwardFromBudget: (['faucet', 'rewards'] as const).map((budget) => ({
    type: 'AwardFromBudget',
    key,
    budget,
    account: alice,
    asset,
    amount,
  })),
  RegisterMarket: [spot(BTC, PRACTICE_ASSET, 'BTC_PRACTICE'), spot(PRACTICE_ASSET, USDC, 'PRACTICE_USDC')],
  SetCollateral: [{ type: 'SetCollateral', asset, ratioPpm: ppm(900_000), market: marketId(1), cap: amount }],
  SubmitCollateralPrices: [{ type: 'SubmitCollateralPrices', asset, index: [] }],
  // A deposit, a withdrawal, an award or a claim of it can not be there: nothing makes one.
  SuspendDeposit: 'names no asset',
  WriteOffDeposit: 'names no asset',
  MarkWithdrawalSent: 'names no asset',
  PostWithdrawal: 'names no asset',
  RefundWithdrawal: 'names no asset',
  ReverseAward: 'names no asset',
  ReserveFaucetClaim: 'names no asset',
  SettleFaucetClaim: 'names no asset',
  RegisterAsset: 'names no asset',
  SetMarketState: 'names no asset',
  SetIndexPrice: 'names no asset',
  OpenAccount: 'names no asset',
  SetAccountFlag: 'names no asset',
  UpgradeRules: 'names no asset',
  SetLiquidator: 'names no asset',
  SetMarketTerms: 'of a market that has none of it',
  PlaceOrder: 'of a market that has none of it',
  PlaceOrders: 'of a market that has none of it',
  PlaceSpotOrder: 'of a market that has none of it',
  PlacePair: 'of a market that has none of it',
  CancelOrders: 'names no asset',
  CancelOrder: 'names no asset',
  CancelAllOrders: 'names no asset',
  AmendOrder: 'names no asset',
  ExpireOrders: 'names no asset',
  ContinueTriggers: 'names no asset',
  ContinueMatching: 'names no asset',
  RegisterContract: 'moves money within contracts',
  SubmitPrices: 'moves money within contracts',
  ResetPrices: 'moves money within contracts',
  SettleFunding: 'moves money within contracts',
  ForceFunding: 'moves money within contracts',
  SetLeverage: 'moves money within contracts',
  SetMarginMode: 'moves money within contracts',
  SetPositionMode: 'moves money within contracts',
  AdjustMargin: 'moves money within contracts',
  SetAutoMargin: 'moves money within contracts',
  SetFeeTier: 'moves money within contracts',
  PlaceContractOrder: 'moves money within contracts',
  AmendTrigger: 'moves money within contracts',
  CloseAllPositions: 'moves money within contracts',
  SetProtection: 'moves money within contracts',
  ScheduleCancel: 'moves money within contracts',
  RunTimers: 'moves money within contracts',
  PlaceTwap: 'moves money within contracts',
  CancelTwap: 'moves money within contracts',
  ContinueLiquidations: 'moves money within contracts',
  ContinueFunding: 'moves money within contracts',
  SetPracticeAsset: 'gives practice money',
  GrantPractice: 'gives practice money',
  StockPractice: 'gives practice money',
  SetOtcTerms: [
    {
      type: 'SetOtcTerms',
      disputeAfterMs: 1,
      autoDisputeMs: 1,
      appealWindowMs: 1,
      holdMs: 0,
      depositAsset: asset,
      merchantDeposit: amount,
    },
  ],
  SetAssistPrices: [{ type: 'SetAssistPrices', prices: [{ asset, currency: 'usd', price: fiatPrice(1n) }] }],
  PublishAdvertisement: (['buy', 'sell'] as const).map((side) => ({
    type: 'PublishAdvertisement',
    account: alice,
    clientAdvertisementId: key,
    side,
    asset,
    currency: 'usd',
    amount,
    pricing: { kind: 'FIXED', price: fiatPrice(1n) },
    minTotal: cents(1n),
    maxTotal: cents(1n),
    payWindowMs: 1,
  })),
  UpdateAdvertisement: 'moves coins within the OTC desk',
  SetAdvertisementState: 'moves coins within the OTC desk',
  CreateOtcOrder: 'moves coins within the OTC desk',
  MarkOtcOrderPaid: 'moves coins within the OTC desk',
  ReleaseOtcOrder: 'moves coins within the OTC desk',
  CancelOtcOrder: 'moves coins within the OTC desk',
  DisputeOtcOrder: 'moves coins within the OTC desk',
  DecideOtcDispute: 'moves coins within the OTC desk',
  AppealOtcDecision: 'moves coins within the OTC desk',
  DepositAsMerchant: 'moves coins within the OTC desk',
  ReturnMerchantDeposit: 'moves coins within the OTC desk',
  PayFromMerchantDeposit: 'moves coins within the OTC desk',
  RunOtcTimers: 'moves coins within the OTC desk',
  OpenFund: [{ type: 'OpenFund', fund: BTC, account: alice, leader: alice, asset, amount, capacity: amount }],
  SetFundCapacity: 'moves money within a fund',
  SubscribeToFund: 'moves money within a fund',
  RedeemFromFund: 'moves money within a fund',
  ValueFund: 'moves money within a fund',
  ContinueFund: 'moves money within a fund',
  SendFundHeartbeat: 'moves money within a fund',
  CloseFund: 'moves money within a fund',
};

const refused = Object.entries(DOORS).flatMap(([kind, door]) =>
  typeof door === 'string' ? [] : door.map((command, index) => [`${kind} ${index + 1}`, command] as const),
);

test.each(refused)('M9: %s refuses practice money by its name, and changes nothing', (_, command) => {
  const before = scene.engine.encodeState();
  expect(scene.give(command)).toMatchObject([{ type: 'CommandRejected', reason: 'PracticeAsset' }]);
  expect(scene.engine.encodeState()).toEqual(before);
});

test('its own insurance fund is the one budget that is funded in it', () => {
  scene.must({ type: 'FundBudget', key: 'insurance', budget: 'insurance', asset, amount: usdc(100) });
  expect(scene.systemOf('INSURANCE', asset)).toBe(usdc(100));
  expect(scene.systemOf('INSURANCE', USDC)).toBe(0n);
});

test('a contract is settled in it only where it pays in its quote', () => {
  const inverse = { ...BTC_PRACTICE, type: 'RegisterContract', market: marketId(8), payoff: 'inverse' } as const;
  expect(scene.give(inverse)).toEqual([{ type: 'CommandRejected', reason: 'InvalidField', field: 'payoff' }]);
});
