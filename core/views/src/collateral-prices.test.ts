import { expect, test } from 'vitest';
import { accountId, assetId, atoms, lots, marketId, millis, NO_ATOMS, ppm, seq, ticks, type Millis } from '@orrery/units';
import type { Event, Market } from '@orrery/protocol';
import { BalancesView } from './balances.ts';
import { ContractsView } from './contracts.ts';
import { load } from './fold.ts';
import { marginFigures, type MarginViews } from './margin-account.ts';
import { MarketsView } from './markets.ts';
import { OrdersView } from './orders.ts';
import { PositionsView } from './positions.ts';

const [USDC, BTC] = [assetId(1), assetId(2)];
const account = accountId(7);

const SPOT: Market = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: BTC,
  quote: USDC,
  pricePrecision: 0,
  sizePrecision: 0,
  lotAtoms: atoms(1n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(1_000_000),
  minSize: lots(1),
  maxSize: lots(1_000),
  minNotional: NO_ATOMS,
  maxNotional: atoms(1_000_000_000n),
  makerFeePpm: ppm(0),
  takerFeePpm: ppm(0),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(100_000),
  maxOpenOrders: 10,
};

/** 1,000 USDC and 10 BTC, of which 90 % counts. */
function figuresAt(facts: readonly Event[], at?: Millis) {
  const views: MarginViews = {
    contracts: new ContractsView(),
    positions: new PositionsView(),
    balances: new BalancesView(),
    orders: new OrdersView(),
    markets: new MarketsView(),
  };
  const balance = (asset: typeof USDC, free: bigint): Event => ({
    type: 'BalanceChanged',
    account,
    wallet: 'futures',
    asset,
    free: atoms(free),
    held: NO_ATOMS,
  });
  const all: Event[] = [
    { type: 'AssetRegistered', asset: USDC, code: 'USDC', decimals: 0, kind: 'chain' },
    { type: 'AssetRegistered', asset: BTC, code: 'BTC', decimals: 0, kind: 'chain' },
    { type: 'MarketRegistered', ...SPOT },
    { type: 'IndexPriceSet', market: SPOT.market, price: ticks(500) },
    { type: 'CollateralSet', asset: BTC, ratioPpm: ppm(900_000), market: SPOT.market, cap: atoms(100n) },
    ...facts,
    balance(USDC, 1_000n),
    balance(BTC, 10n),
  ];
  load({ seq: seq(0), facts: all }, ...Object.values(views));
  return marginFigures(views, { account, group: 'linear', settle: USDC, ...(at === undefined ? {} : { at }) });
}

const priced = (price: number): Event => ({
  type: 'CollateralPriced',
  asset: BTC,
  market: SPOT.market,
  price: ticks(price),
  at: millis(1_000_000),
});
const aged = (seconds: number): Millis => millis(1_000_000 + seconds * 1_000);

test('a collateral counts by its own price since there is one, and by the index price before', () => {
  expect(figuresAt([])).toMatchObject({ collateralValue: 5_500n });
  expect(figuresAt([priced(100)], aged(60))).toMatchObject({ collateralValue: 1_900n, equity: 1_900n, available: 1_900n });
  expect(figuresAt([priced(0)], aged(0))).toMatchObject({ collateralValue: 1_000n, available: 1_000n });
});

test('by an old price less is available, and the equity stays', () => {
  expect(figuresAt([priced(100)], aged(330))).toMatchObject({ equity: 1_900n, available: 1_450n });
  expect(figuresAt([priced(100)], aged(600))).toMatchObject({ equity: 1_900n, available: 1_000n });
});
