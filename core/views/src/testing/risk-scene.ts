/**
 * An exchange with three contracts and BTC as collateral, what the views say of it, and what a copy of its engine does at other prices. USDC has 6 decimals and
 * BTC 8; every price has one decimal.
 */
import { createEngine, decodeState, type Engine } from '@orrery/engine';
import type { Command, Contract, Event, PlaceContractOrder, PositionSide, Side } from '@orrery/protocol';
import { LATEST_RULES, marginGroupOf } from '@orrery/rules';
import { accountId, assert, atoms, lots, marketId, millis, NO_ATOMS, NO_TICKS, ppm, seq, ticks } from '@orrery/units';
import type { AccountId, AssetId, MarketId } from '@orrery/units';
import { decodeSnapshot, encodeSnapshot, newestLayoutOf } from '../../../engine/src/snapshot/snapshot-codec.ts';
import type { Snapshot } from '../../../engine/src/snapshot/snapshot.ts';
import { BTC, BTC_USDC, usdc, USDC } from '../../../engine/src/testing/contract-scene.ts';
import { addressOf } from '../../../engine/src/testing/tape-people.ts';
import { BalancesView } from '../balances.ts';
import { ContractsView } from '../contracts.ts';
import { load } from '../fold.ts';
import { liquidationPriceOf } from '../liquidation-price.ts';
import { marginFigures, type MarginViews } from '../margin-account.ts';
import { MarketsView } from '../markets.ts';
import { OrdersView } from '../orders.ts';
import { PositionsView } from '../positions.ts';

/** A lot of BTC is 0.00001, and at one tick it is an atom of USDC. */
export const LINEAR: Contract = BTC_USDC;
export const ETH: Contract = { ...BTC_USDC, market: marketId(4), symbol: 'ETH_USDC', baseCode: 'ETH' };
/** A lot is 1 USD. */
export const INVERSE: Contract = {
  ...BTC_USDC,
  market: marketId(6),
  symbol: 'BTC_USD',
  quoteCode: 'USD',
  payoff: 'inverse',
  settle: BTC,
  sizePrecision: 0,
  tickLotAtoms: atoms(1_000_000_000n),
  maxNotional: atoms(4_000_000_000n),
  minNotional: NO_ATOMS,
  tiers: [
    { maxNotional: atoms(4_000_000_000n), maxLeverage: 40 },
    { maxNotional: atoms(1_000_000_000_000n), maxLeverage: 10 },
  ],
  impactNotional: atoms(8_000_000n),
  partialLiquidationAbove: atoms(100_000_000n),
};
const CONTRACTS = [LINEAR, ETH, INVERSE];

const SPOT = {
  market: marketId(1),
  symbol: 'BTC_USDC',
  base: BTC,
  quote: USDC,
  pricePrecision: 1,
  sizePrecision: 5,
  lotAtoms: atoms(1_000n),
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(100_000_000),
  minSize: lots(1),
  maxSize: lots(10_000_000),
  minNotional: atoms(1n),
  maxNotional: usdc(4_000_000),
  makerFeePpm: ppm(500),
  takerFeePpm: ppm(1_000),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
} as const;

const NO_TRIGGER = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;
/** Rounds until an engine may liquidate. */
const FRESH_ROUNDS = 4;

/** By contract, in ticks; those that are not named stay. */
export type Marks = Partial<Record<'LINEAR' | 'ETH' | 'INVERSE', number>>;

interface Traded {
  readonly contract: Contract;
  /** Who takes an order that the other has placed. */
  readonly taker: AccountId;
  readonly maker: AccountId;
  readonly side: Side;
  /** Of the taker; the maker is in one-way mode. */
  readonly positionSide: PositionSide;
  readonly size: number;
  readonly price: number;
}

export class RiskScene {
  readonly #engine: Engine = createEngine();
  readonly #liquidated = new Set<AccountId>();
  readonly #marks: Record<'LINEAR' | 'ETH' | 'INVERSE', number>;
  #at = 1_000_000_000;
  #seq = 0;
  #people = 0;
  #keys = 0;

  /** @param mark of every contract and of the coin at first */
  constructor(mark: number) {
    this.#marks = { LINEAR: mark, ETH: mark, INVERSE: mark };
    this.must({ type: 'UpgradeRules', version: LATEST_RULES });
    this.must({ type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' });
    this.must({ type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' });
    for (const contract of CONTRACTS) this.must({ type: 'RegisterContract', ...contract });
    this.must({ type: 'RegisterMarket', ...SPOT });
    this.must({ type: 'SetCollateral', asset: BTC, ratioPpm: ppm(900_000), market: SPOT.market, cap: atoms(10n ** 12n) });
    this.must({ type: 'SetLiquidator', account: this.person() });
    this.coinPrice(mark);
    for (let round = 0; round < FRESH_ROUNDS; round += 1) this.move({});
  }

  must(command: Command): readonly Event[] {
    const events = this.#give(this.#engine, command);
    for (const event of events) if (event.type === 'LiquidationStep') this.#liquidated.add(event.account);
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type} is refused: ${first.reason} ${first.field}`);
    return events;
  }

  #give(engine: Engine, command: Command): readonly Event[] {
    const apply = (one: Command): readonly Event[] => {
      this.#seq += 1;
      return engine.apply({ seq: seq(this.#seq), at: millis(this.#at), command: one });
    };
    const events = [...apply(command)];
    for (let next = engine.continuation(); next !== undefined; next = engine.continuation()) events.push(...apply(next));
    return events;
  }

  person(): AccountId {
    this.#people += 1;
    const account = accountId(this.#people);
    this.must({ type: 'OpenAccount', address: addressOf(`p${account}`) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.must({ type: 'SetAccountFlag', account, flag, value: true });
    return account;
  }

  deposit(account: AccountId, amount: bigint, { asset, wallet }: { asset: AssetId; wallet: 'futures' | 'coinFutures' }): void {
    this.#keys += 1;
    const moved = { type: 'Transfer', account, asset, amount: atoms(amount) } as const;
    this.must({ type: 'CreditDeposit', key: `d${this.#keys}`, address: addressOf(`p${account}`), asset, amount: atoms(amount) });
    this.must({ ...moved, transferId: `t${this.#keys}`, from: 'funding', to: 'spot' });
    this.must({ ...moved, transferId: `u${this.#keys}`, from: 'spot', to: wallet });
  }

  /** In as many rounds as it takes: one moves it by 5 % at most. */
  coinPrice(price: number): void {
    const index = ['a', 'b', 'c'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    for (let events: readonly Event[] = []; !events.some((event) => event.type === 'CollateralPriced' && event.price === price);)
      events = this.must({ type: 'SubmitCollateralPrices', asset: SPOT.base, index });
  }

  /** Three seconds later, a round of every contract. */
  move(marks: Marks): void {
    this.#at += 3_000;
    Object.assign(this.#marks, marks);
    for (const command of this.#rounds()) this.must(command);
  }

  #rounds(): readonly Command[] {
    const { LINEAR: linear, ETH: eth, INVERSE: inverse } = this.#marks;
    return [linear, eth, inverse].map((price, index) => roundOf(CONTRACTS[index]!.market, price));
  }

  trade({ contract: { market }, taker, maker, side, positionSide, size, price }: Traded): void {
    const other = side === 'buy' ? 'sell' : 'buy';
    this.must(orderOf({ account: maker, market, side: other, size, price, positionSide: 'both' }));
    this.must(orderOf({ account: taker, market, side, size, price, positionSide }));
  }

  /** Whether its liquidation has begun, of all or of a part. */
  isLiquidated(account: AccountId): boolean {
    return this.#liquidated.has(account) || isListed(this.#engine, account);
  }

  /** What the views show. `NO_TICKS` for none. */
  shown(account: AccountId, { market, settle, ...terms }: Contract, positionSide: PositionSide = 'both'): number {
    const views: MarginViews = {
      contracts: new ContractsView(),
      positions: new PositionsView(),
      balances: new BalancesView(),
      orders: new OrdersView(),
      markets: new MarketsView(),
    };
    load({ seq: seq(0), facts: this.#engine.facts() }, ...Object.values(views));
    const figures = marginFigures(views, { account, group: marginGroupOf(terms), settle });
    const own = figures?.positions.find(({ position }) => position.market === market && position.positionSide === positionSide);
    assert(figures !== undefined && own !== undefined, 'the account holds the position');
    return liquidationPriceOf(own, figures);
  }

  /**
   * The mark nearest to the present one at which a copy of the engine begins to liquidate the account, by halving; `NO_TICKS` for none.
   * @param marksAt what else is at which price when the contract is at one
   */
  real(account: AccountId, contract: Contract, way: 'down' | 'up', marksAt: (price: number) => CopyPrices): number {
    const snapshot = decodeSnapshot(this.#engine.encodeState());
    const { mark } = snapshot.contracts.find(({ terms }) => terms.market === contract.market)!.prices;
    const isLiquidated = (price: number): boolean => this.#isLiquidated(snapshot, account, { coin: undefined, ...marksAt(price) });
    let [near, far] = [mark as number, (way === 'down' ? contract.minPrice : contract.maxPrice) as number];
    if (isLiquidated(near)) return near;
    if (!isLiquidated(far)) return NO_TICKS;
    while (Math.abs(far - near) > 1) {
      const middle = Math.floor((near + far) / 2);
      if (isLiquidated(middle)) far = middle;
      else near = middle;
    }
    return far;
  }

  /** A copy that has these marks already takes one more round of them: no mark moves too far at once. */
  #isLiquidated(snapshot: Snapshot, account: AccountId, { coin, marks }: CopyPrices): boolean {
    const wanted: Readonly<Record<string, number>> = Object.fromEntries(
      Object.entries({ ...this.#marks, ...marks }).map(([name, price]) => [MARKETS[name as keyof typeof MARKETS], price]),
    );
    const copy = decodeState(encodeSnapshot(atPrices(snapshot, wanted, coin), newestLayoutOf(snapshot)));
    const before = this.#at;
    this.#at += 3_000;
    const events = CONTRACTS.flatMap(({ market }) => this.#give(copy, roundOf(market, wanted[market]!)));
    this.#at = before;
    return events.some((event) => event.type === 'LiquidationStep' && event.account === account) || isListed(copy, account);
  }
}

const isListed = (engine: Engine, account: AccountId): boolean =>
  decodeSnapshot(engine.encodeState()).liquidations.some((one) => one.account === account);

/** Marks of a copy, and the price of the coin; what is not named stays. */
export interface CopyPrices {
  readonly marks: Marks;
  readonly coin?: number | undefined;
}

const MARKETS = { LINEAR: LINEAR.market, ETH: ETH.market, INVERSE: INVERSE.market };

function atPrices(snapshot: Snapshot, marks: Readonly<Record<string, number>>, coin: number | undefined): Snapshot {
  return {
    ...snapshot,
    contracts: snapshot.contracts.map((one) => {
      const price = ticks(marks[one.terms.market]!);
      return { ...one, prices: { ...one.prices, index: price, mark: price } };
    }),
    collateralPrices: snapshot.collateralPrices.map((one) => (coin === undefined ? one : { ...one, price: ticks(coin) })),
  };
}

function roundOf(market: MarketId, price: number): Command {
  const index = ['a', 'b', 'c'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
  return { type: 'SubmitPrices', market, index, external: [] };
}

interface Ordered {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly size: number;
  readonly price: number;
  readonly positionSide: PositionSide;
}

const orderOf = ({ account, market, side, size, price, positionSide }: Ordered): PlaceContractOrder => ({
  type: 'PlaceContractOrder',
  account,
  market,
  clientOrderId: '',
  side,
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(price),
  size: lots(size),
  funds: NO_ATOMS,
  triggerPrice: NO_TICKS,
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
  contract: { positionSide, reduceOnly: false, closePosition: false, triggerBy: 'last', trailingPpm: ppm(0), source: 'plain' },
  takeProfit: NO_TRIGGER,
  stopLoss: NO_TRIGGER,
});
