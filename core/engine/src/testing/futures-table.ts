/**
 * The exchange on which contracts are tried: alice, bob and carol, each with 50,000 USDC in futures and 1,000 BTC in coin futures. A lot of the linear
 * contract at 1 tick is 1 USDC atom. A lot of the inverse one is 1,000,000 / price BTC atoms.
 */
import { assetId, atoms, lots, marketId, NO_ATOMS, NO_TICKS, ppm, ticks } from '@orrery/units';
import type { Command, Contract, Event, PlaceContractOrder, PositionSide, Side } from '@orrery/protocol';
import type { RulesVersion } from '@orrery/rules';
import { opening, Table, type TapeOptions } from './tape.ts';
import { accountOf, PEOPLE } from './tape-people.ts';

export const LINEAR: Contract = {
  market: marketId(11),
  symbol: 'BTC_USDC',
  baseCode: 'BTC',
  quoteCode: 'USDC',
  payoff: 'linear',
  settle: assetId(1),
  pricePrecision: 0,
  sizePrecision: 0,
  tickLotAtoms: atoms(1n),
  minPrice: ticks(10),
  maxPrice: ticks(10_000),
  minSize: lots(1),
  maxSize: lots(10_000),
  minNotional: atoms(50n),
  maxNotional: atoms(10_000_000n),
  makerFeePpm: ppm(200),
  takerFeePpm: ppm(500),
  limitBandPpm: ppm(900_000),
  marketBandPpm: ppm(900_000),
  maxOpenOrders: 200,
  initLeverage: 10,
  tiers: [
    { maxNotional: atoms(100_000n), maxLeverage: 20 },
    { maxNotional: atoms(1_000_000n), maxLeverage: 10 },
    { maxNotional: atoms(10_000_000n), maxLeverage: 2 },
  ],
  openInterestCap: lots(5_000),
  impactNotional: atoms(4_000n),
  fundingIntervalMs: 3_600_000,
  interestPpm8h: ppm(100),
  fundingCapPpm: ppm(40_000),
  partialLiquidationAbove: atoms(100_000n),
  partialLiquidationPpm: ppm(200_000),
  liquidationCooldownMs: 30_000,
};

export const INVERSE: Contract = {
  ...LINEAR,
  market: marketId(12),
  symbol: 'BTC_USD',
  quoteCode: 'USD',
  payoff: 'inverse',
  settle: assetId(2),
  tickLotAtoms: atoms(1_000_000n),
  pricePrecision: 6,
  minNotional: NO_ATOMS,
};

const NO_TRIGGER = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;

export interface ContractOrderWords {
  readonly contract?: Contract;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
  readonly closePosition?: boolean;
  readonly timeInForce?: PlaceContractOrder['timeInForce'];
  readonly clientOrderId?: string;
}

/** @param price 0 for a market order */
export function contractOrder(who: string, side: Side, size: number, price: number, words: ContractOrderWords = {}): PlaceContractOrder {
  const { contract = LINEAR, positionSide = 'both', reduceOnly = false, closePosition = false, clientOrderId = '' } = words;
  return {
    type: 'PlaceContractOrder',
    account: accountOf(who),
    market: contract.market,
    clientOrderId,
    side,
    orderType: price === 0 ? 'market' : 'limit',
    timeInForce: words.timeInForce ?? (price === 0 ? 'IOC' : 'GTC'),
    price: ticks(price),
    size: lots(size),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(price === 0 ? 1_000_000 : 0),
    selfTradePrevention: 'expireTaker',
    contract: { positionSide, reduceOnly, closePosition, triggerBy: 'last', trailingPpm: ppm(0), source: 'plain' },
    takeProfit: NO_TRIGGER,
    stopLoss: NO_TRIGGER,
  };
}

function* contractsAndMargin(): Generator<Command> {
  for (const contract of [LINEAR, INVERSE]) yield { type: 'RegisterContract', ...contract };
  for (const person of PEOPLE) {
    const move = { type: 'Transfer', account: accountOf(person), from: 'spot' } as const;
    yield { ...move, transferId: 'margin', asset: assetId(1), amount: atoms(50_000n), to: 'futures' };
    yield { ...move, transferId: 'coin', asset: assetId(2), amount: atoms(1_000n), to: 'coinFutures' };
  }
}

/** The same commands for an engine without a table. */
export function* openingOfContracts(rules: RulesVersion): Generator<Command> {
  yield* opening();
  yield { type: 'UpgradeRules', version: rules };
  yield* contractsAndMargin();
}

export class FuturesTable extends Table {
  constructor(options: TapeOptions = {}) {
    super(options);
    for (const command of contractsAndMargin()) this.give(command);
  }

  /** Three rounds in which three exchanges show a price: the contract is open then. The clock of the table stands still. */
  marks(price: number, contract: Contract = LINEAR): void {
    const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    for (let round = 0; round < 3; round += 1) this.give({ type: 'SubmitPrices', market: contract.market, index, external: [] });
  }

  /** A round in which three exchanges show this price of BTC, which is collateral. */
  collateral(price: number): void {
    const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    this.give({ type: 'SubmitCollateralPrices', asset: assetId(2), index });
  }

  /** What came of a command without the balances. */
  emitted(command: Command): readonly Event[] {
    return this.give(command).filter(({ type }) => type !== 'BalanceChanged');
  }

  /** alice's free and held money of a wallet. */
  balance(who: string, wallet: 'futures' | 'coinFutures' = 'futures'): { readonly free: bigint; readonly held: bigint } {
    const asset = wallet === 'futures' ? 1 : 2;
    const found = this.snapshot().balances.find((one) => one.account === accountOf(who) && one.wallet === wallet && one.asset === asset);
    return { free: found?.free ?? 0n, held: found?.held ?? 0n };
  }

  position(who: string, contract: Contract = LINEAR, side: PositionSide = 'both') {
    return this.snapshot().positions.find(
      (one) => one.account === accountOf(who) && one.market === contract.market && one.positionSide === side,
    );
  }

  system(name: string, asset = 1): bigint {
    return this.snapshot().systemBalances.find((one) => one.system === name && one.asset === asset)?.free ?? 0n;
  }
}
