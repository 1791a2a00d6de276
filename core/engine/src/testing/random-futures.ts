/**
 * Random commands of contracts around prices that jump, drawn from a seed: traders of two linear contracts and an inverse one, in one-way and hedge mode, under
 * cross and isolated margin, with two collaterals, with take-profits, stop-losses, trailing stops and TWAP orders; rounds of prices, funding.
 */
import {
  accountId,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  orderId,
  ppm,
  ticks,
  type AccountId,
  type MarketId,
  type Millis,
  type OrderId,
} from '@orrery/units';
import {
  PROTECTION_SCOPES,
  TRIGGER_PRICES,
  type AttachedTrigger,
  type Command,
  type Contract,
  type Event,
  type IndexSample,
  type Market,
  type OrderRested,
  type Payoff,
  type PlaceContractOrder,
  type PositionMode,
  type PositionModeSet,
  type PositionSide,
  type ProtectionLeg,
  type Side,
} from '@orrery/protocol';
import { LATEST_RULES, type RulesVersion } from '@orrery/rules';
import { Chance } from './chance.ts';
import { BTC, BTC_USDC, USDC, usdc } from './contract-scene.ts';
import { addressOf } from './tape-people.ts';

const TRADERS = 12;
/** The first account. */
export const LIQUIDATOR = accountId(1);

/** A lot is 1 USD and a tick 0.1 USD: 10^9 atoms of BTC. */
const BTC_USD: Contract = {
  ...BTC_USDC,
  market: marketId(4),
  symbol: 'BTC_USD',
  quoteCode: 'USD',
  payoff: 'inverse',
  settle: BTC,
  sizePrecision: 0,
  tickLotAtoms: atoms(1_000_000_000n),
  maxNotional: atoms(10_000_000_000n),
  tiers: [
    { maxNotional: atoms(5_000_000_000n), maxLeverage: 40 },
    { maxNotional: atoms(100_000_000_000n), maxLeverage: 10 },
  ],
  impactNotional: atoms(10_000_000n),
  partialLiquidationAbove: atoms(200_000_000n),
};
const ETH = assetId(3);
/** A tick is 0.01 USDC, a lot 0.0001 ETH: one lot at one tick is one atom. */
const ETH_USDC: Contract = {
  ...BTC_USDC,
  market: marketId(6),
  symbol: 'ETH_USDC',
  baseCode: 'ETH',
  pricePrecision: 2,
  sizePrecision: 4,
  partialLiquidationAbove: usdc(20_000),
  tiers: [
    { maxNotional: usdc(50_000), maxLeverage: 25 },
    { maxNotional: usdc(1_000_000), maxLeverage: 20 },
    { maxNotional: usdc(1_000_000_000), maxLeverage: 5 },
  ],
};
export const CONTRACTS: readonly Contract[] = [{ ...BTC_USDC, partialLiquidationAbove: usdc(20_000) }, BTC_USD, ETH_USDC];

/** Spot markets, whose index prices value the collateral. */
const BTC_SPOT: Market = {
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
};
const ETH_SPOT: Market = {
  ...BTC_SPOT,
  market: marketId(3),
  symbol: 'ETH_USDC',
  base: ETH,
  pricePrecision: 2,
  sizePrecision: 4,
  lotAtoms: atoms(10_000n),
};

/** A price that contracts and a spot market share. */
interface Walk {
  readonly spot: Market;
  readonly least: number;
  readonly most: number;
  price: number;
}

const NO_TRIGGER: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };
const HOUR = 3_600_000;

/** A command and its time. */
export interface Timed {
  readonly at: Millis;
  readonly command: Command;
}

export class RandomFutures {
  readonly #chance: Chance;
  readonly #btc: Walk = { spot: BTC_SPOT, least: 100_000, most: 2_000_000, price: 600_000 };
  readonly #eth: Walk = { spot: ETH_SPOT, least: 50_000, most: 1_000_000, price: 300_000 };
  /** Accounts in hedge mode, by account and payoff. */
  readonly #hedged = new Set<string>();
  /** Orders that wait for a trigger, with their accounts. */
  readonly #armed = new Map<OrderId, AccountId>();
  /** Orders that rested, and have not closed. */
  readonly #resting = new Map<OrderId, OrderRested>();
  #twaps = 0;
  #rules: RulesVersion;
  #at = 1_000_000_000;
  #keys = 0;

  /** @param rules under those before 7 a seed draws what it always drew */
  constructor(seed: number, rules: RulesVersion = LATEST_RULES) {
    this.#rules = rules;
    this.#chance = new Chance(seed);
  }

  /** Takes in what came of a command: which sides an account may name, and what waits. */
  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'OrderArmed') this.#armed.set(event.orderId, event.account);
      else if (event.type === 'OrderRested') this.#resting.set(event.orderId, event);
      else if (event.type === 'OrderTriggered' || event.type === 'OrderClosed') {
        this.#armed.delete(event.orderId);
        this.#resting.delete(event.orderId);
      } else if (event.type === 'TwapAccepted') this.#twaps = event.twapId;
      else if (event.type === 'PositionModeSet') this.#followMode(event);
    }
  }

  #followMode({ account, payoff, mode }: PositionModeSet): void {
    const key = `${account} ${payoff}`;
    if (mode === 'hedge') this.#hedged.add(key);
    else this.#hedged.delete(key);
  }

  *opening(): Generator<Timed> {
    for (const command of this.#listing()) yield { at: millis(this.#at), command };
    if (this.#rules < 7) return;
    for (const { spot, price } of [this.#btc, this.#eth])
      yield { at: millis(this.#at), command: { type: 'SubmitCollateralPrices', asset: spot.base, index: threeSources(price) } };
    for (let round = 0; round < 3; round += 1)
      for (const { market } of CONTRACTS) {
        const index = threeSources(this.#walkOf(market).price);
        yield { at: millis(this.#at), command: { type: 'SubmitPrices', market, index, external: [] } };
      }
  }

  *#listing(): Generator<Command> {
    yield { type: 'UpgradeRules', version: this.#rules };
    yield { type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: ETH, code: 'ETH', decimals: 8, kind: 'chain' };
    for (const market of [BTC_SPOT, ETH_SPOT]) yield { type: 'RegisterMarket', ...market };
    for (const contract of CONTRACTS) yield { type: 'RegisterContract', ...contract };
    yield { type: 'SetCollateral', asset: BTC, ratioPpm: ppm(900_000), market: BTC_SPOT.market, cap: atoms(200_000_000n) };
    yield { type: 'SetCollateral', asset: ETH, ratioPpm: ppm(800_000), market: ETH_SPOT.market, cap: atoms(1_000_000_000n) };
    for (const { spot, price } of [this.#btc, this.#eth]) yield { type: 'SetIndexPrice', market: spot.market, price: ticks(price) };
    // In half of the runs there is next to nothing in it.
    const most = this.#chance.pick([20, 20_000]);
    yield { type: 'FundBudget', budget: 'insurance', asset: USDC, amount: usdc(this.#chance.below(most) + 1), key: 'insurance:1' };
    yield {
      type: 'FundBudget',
      budget: 'insurance',
      asset: BTC,
      amount: atoms(BigInt(this.#chance.below(30_000_000) + 1)),
      key: 'insurance:2',
    };
    for (let index = 0; index <= TRADERS; index += 1) {
      const account = accountId(index + 1);
      const address = addressOf(`p${index}`);
      yield { type: 'OpenAccount', address };
      for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
        yield { type: 'SetAccountFlag', account, flag, value: true };
      if (account === LIQUIDATOR) continue;
      yield* this.#funding(account, address);
      yield* settingsOf(account, index);
    }
    yield { type: 'SetLiquidator', account: LIQUIDATOR };
  }

  /** Half of each asset lies in spot; of the rest USDC and a part of the BTC in futures, the other part in coin futures, ETH in futures. */
  *#funding(account: AccountId, address: ReturnType<typeof addressOf>): Generator<Command> {
    for (const [asset, amount] of [
      [USDC, usdc(30_000)],
      [BTC, atoms(100_000_000n)],
      [ETH, atoms(500_000_000n)],
    ] as const) {
      yield { type: 'CreditDeposit', key: `${account}:${asset}`, address, asset, amount };
      yield { type: 'Transfer', account, transferId: `opening:${asset}`, asset, amount, from: 'funding', to: 'spot' };
      const half = atoms(amount / 2n);
      yield {
        type: 'Transfer',
        account,
        transferId: `half:${asset}`,
        asset,
        amount: half,
        from: 'spot',
        to: asset === BTC ? 'coinFutures' : 'futures',
      };
    }
  }

  /** The latest rules begin; what comes after is drawn as under them. */
  upgrade(): Timed {
    this.#rules = LATEST_RULES;
    return { at: millis(this.#at), command: { type: 'UpgradeRules', version: this.#rules } };
  }

  next(): Timed {
    const draw = this.#chance.below(100);
    this.#at += this.#chance.below(1_000);
    return { at: millis(this.#at), command: this.#draw(draw) };
  }

  #draw(draw: number): Command {
    if (draw < 27) return this.#prices();
    if (draw < 30) return this.#indexPrice();
    if (draw < 70) return this.#rules >= 8 && this.#chance.below(12) === 0 ? this.#together() : this.#order();
    if (draw < 78) return this.#rules >= 8 && this.#chance.below(4) === 0 ? this.#protection() : this.#waiting();
    const account = this.#account();
    const { market, payoff } = this.#contract();
    const chance = this.#chance;
    const positionSide = this.#sideOf(account, payoff);
    if (draw < 81 && this.#rules >= 8 && chance.below(2) === 0)
      return chance.below(2) === 0 ? this.#amendTrigger(account) : this.#amendOrder(account);
    if (draw < 81) return { type: 'CancelAllOrders', account, market: chance.below(2) === 0 ? market : 0 };
    if (draw < 85) return { type: 'SetLeverage', account, market, positionSide, leverage: 1 + chance.below(40) };
    if (draw < 87) return { type: 'SetMarginMode', account, market, mode: chance.below(2) === 0 ? 'cross' : 'isolated' };
    if (draw < 88) return { type: 'SetPositionMode', account, payoff, mode: chance.below(2) === 0 ? 'hedge' : 'oneWay' };
    if (draw < 89) return { type: 'SetAutoMargin', account, market, positionSide, value: chance.below(2) === 0 };
    if (draw < 91) return this.#adjust(account, market);
    if (draw < 96) return this.#transfer(account);
    if (draw < 97) return { type: 'SettleFunding', market, interval: millis(Math.floor(this.#at / HOUR) * HOUR) };
    if (draw < 99) return this.#timed(account, market, positionSide);
    if (this.#rules >= 7 && chance.below(5) === 0)
      return { type: 'SetMarketState', market, state: chance.pick(['TRADING', 'TRADING', 'TRADING', 'HALT', 'CANCEL_ONLY']) };
    const last = chance.below(6);
    if (last === 0) return { type: 'ResetPrices' };
    if (last === 1) return { type: 'SetFeeTier', account, tier: chance.below(6), rebateTier: chance.below(4) };
    if (last === 2) return { type: 'CancelTwap', account, twapId: Math.max(1, this.#twaps - chance.below(4)) };
    return last === 3 ? this.#amendTrigger(account) : this.#closeAll(account);
  }

  #amendTrigger(account: AccountId): Command {
    const chance = this.#chance;
    const own = [...this.#armed].filter(([, owner]) => owner === account).map(([id]) => id);
    const triggerPrice = ticks(Math.floor((this.#btc.price * (960 + chance.below(81))) / 1_000));
    return {
      type: 'AmendTrigger',
      account,
      orderId: own.length === 0 ? orderId(1) : chance.pick(own),
      triggerPrice,
      price: NO_TICKS,
      size: lots(chance.below(1_000)),
    };
  }

  #amendOrder(account: AccountId): Command {
    const chance = this.#chance;
    const own = [...this.#resting].filter(([, order]) => order.account === account).map(([id]) => id);
    const id = own.length === 0 ? orderId(1) : chance.pick(own);
    const near = this.#resting.get(id)?.price ?? this.#btc.price;
    const price = ticks(Math.floor((near * (990 + chance.below(21))) / 1_000));
    return { type: 'AmendOrder', account, orderId: id, clientOrderId: '', price, size: lots(chance.below(3) * chance.below(60_000)) };
  }

  /** Around the present price: sometimes on its wrong side. */
  #protection(): Command {
    const chance = this.#chance;
    const account = this.#account();
    const { market, payoff } = this.#contract();
    const present = this.#walkOf(market).price;
    const away = (): number => Math.floor((present * (1 + chance.below(40))) / 1_000);
    const isUp = chance.below(2) === 0;
    const leg = (rises: boolean): ProtectionLeg => ({
      ...NO_TRIGGER,
      triggerPrice: ticks(chance.below(5) === 0 ? 0 : present + (rises ? away() : -away())),
      triggerBy: chance.pick(TRIGGER_PRICES),
      price: ticks(chance.below(4) === 0 ? present + away() - away() : 0),
      clientOrderId: '',
    });
    this.#keys += 1;
    const scope = chance.pick(PROTECTION_SCOPES);
    return {
      type: 'SetProtection',
      account,
      market,
      positionSide: this.#sideOf(account, payoff),
      scope,
      size: lots(scope === 'whole' ? 0 : 1 + chance.below(40_000)),
      takeProfit: leg(isUp),
      stopLoss: leg(!isUp),
      key: `protection:${this.#keys}`,
    };
  }

  #closeAll(account: AccountId): Command {
    this.#keys += 1;
    const mode = this.#chance.below(2) === 0 ? 'market' : 'limitAtMid';
    return { type: 'CloseAllPositions', account, payoff: 'any', mode, key: `close:${this.#keys}` };
  }

  /** Scheduled cancels and TWAP orders, and the timer that works on them. */
  #timed(account: AccountId, market: MarketId, positionSide: PositionSide): Command {
    const chance = this.#chance;
    const kind = chance.below(4);
    if (kind === 0) return { type: 'ScheduleCancel', account, at: millis(this.#at + 5_000 + chance.below(60_000)) };
    if (kind > 1) return { type: 'RunTimers' };
    this.#keys += 1;
    return {
      type: 'PlaceTwap',
      account,
      market,
      key: `twap-${this.#keys}`,
      side: chance.below(2) === 0 ? 'buy' : 'sell',
      positionSide,
      size: lots(1_000 + chance.below(100_000)),
      minutes: 1 + chance.below(10),
      reduceOnly: chance.below(3) === 0,
      seed: chance.below(1_000),
    };
  }

  /** Mostly small steps, sometimes a jump. */
  #step(walk: Walk): number {
    const chance = this.#chance;
    const jump = chance.below(100);
    const perMille = jump < 80 ? 5 : jump < 95 ? 33 : 120;
    const span = Math.floor((walk.price * perMille) / 1_000);
    walk.price = Math.min(walk.most, Math.max(walk.least, walk.price + chance.below(span * 2 + 1) - span));
    return walk.price;
  }

  #indexPrice(): Command {
    const walk = this.#chance.below(2) === 0 ? this.#btc : this.#eth;
    const price = this.#step(walk);
    if (this.#rules < 7 || this.#chance.below(4) === 0) return { type: 'SetIndexPrice', market: walk.spot.market, price: ticks(price) };
    return { type: 'SubmitCollateralPrices', asset: walk.spot.base, index: this.#lied(threeSources(price)) };
  }

  /** Sometimes an outage, sometimes too few sources. */
  #prices(): Command {
    const chance = this.#chance;
    const { market } = this.#contract();
    const price = this.#step(this.#walkOf(market));
    if (chance.below(200) === 0) this.#at += 400_000;
    if (chance.below(50) === 0) this.#at += HOUR;
    this.#at += 2_000;
    if (this.#rules >= 7) return { type: 'SubmitPrices', market, index: this.#lied(threeSources(price)), external: [] };
    const sources = chance.below(40) === 0 ? ['one'] : ['one', 'two', 'three'];
    const index = sources.map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 + chance.below(3) }));
    return { type: 'SubmitPrices', market, index, external: [] };
  }

  /** Sometimes sources are missing, or one of them lies: a price ten times what it is, one that is none, one that is a little off. */
  #lied(index: readonly IndexSample[]): readonly IndexSample[] {
    const chance = this.#chance;
    const kind = chance.below(40);
    const few = index.slice(0, 1 + chance.below(3));
    if (kind === 0) return few;
    if (kind > 4) return index.map((sample) => ({ ...sample, weight: 1 + chance.below(3) }));
    const share = [1_000, 0, 102, 97][kind - 1] ?? 100;
    const lie = (price: number): number => Math.floor((price * share) / 100);
    return (kind > 2 ? few : index).map((sample, place) => (place === 0 ? { ...sample, price: ticks(lie(sample.price)) } : sample));
  }

  /** Orders of one account together: now and then one that takes stands before the last, which refuses them all. */
  #together(): Command {
    const chance = this.#chance;
    const account = this.#account();
    const orders = Array.from({ length: 1 + chance.below(4) }, (_value, index): PlaceContractOrder => {
      if (index > 0 && chance.below(3) === 0) return this.#order(account);
      if (chance.below(2) === 0) return this.#waiting(account);
      return { ...this.#order(account), orderType: 'limit', timeInForce: chance.below(12) === 0 ? 'GTC' : 'GTX' };
    });
    return { type: 'PlaceOrders', account, orders };
  }

  #order(account = this.#account()): PlaceContractOrder {
    const chance = this.#chance;
    const contract = this.#contract();
    const present = this.#walkOf(contract.market).price;
    const isMarket = chance.below(4) === 0;
    const span = Math.floor(present / 50);
    const price = present + chance.below(2 * span + 1) - span;
    const side = chance.below(2) === 0 ? 'buy' : 'sell';
    const reduceOnly = chance.below(8) === 0;
    const order = this.#terms({ account, contract, side }, { price: isMarket ? 0 : price, reduceOnly });
    if (this.#rules >= 8 && chance.below(12) === 0) return this.#intent(order);
    if (reduceOnly || chance.below(4) > 0) return order;
    const gain = (away: number): number => Math.floor(price * (side === 'buy' ? 1 + away : 1 - away));
    const away = (1 + chance.below(30)) / 1_000;
    const triggerBy = chance.pick(TRIGGER_PRICES);
    return {
      ...order,
      takeProfit: { ...NO_TRIGGER, triggerBy, triggerPrice: ticks(chance.below(2) === 0 ? 0 : gain(away)) },
      stopLoss: { ...NO_TRIGGER, triggerBy, triggerPrice: ticks(gain(-away)) },
    };
  }

  /** The most, sometimes of far more than there is money for, or a position turned round. */
  #intent(order: PlaceContractOrder): PlaceContractOrder {
    const chance = this.#chance;
    if (chance.below(2) === 0) return { ...order, size: lots(order.size * (1 + chance.below(40))), sizing: 'most' };
    const contract = { ...order.contract, reduceOnly: false };
    return { ...order, orderType: 'market', timeInForce: 'IOC', price: NO_TICKS, size: lots(0), contract, sizing: 'reverse' };
  }

  /** Take-profits, stop-losses and trailing stops on a position, and plan orders. */
  #waiting(account = this.#account()): PlaceContractOrder {
    const chance = this.#chance;
    const contract = this.#contract();
    const side = chance.below(2) === 0 ? 'buy' : 'sell';
    const present = this.#walkOf(contract.market).price;
    const triggerPrice = ticks(Math.floor((present * (960 + chance.below(81))) / 1_000));
    const kind = chance.below(4);
    const order = this.#terms({ account, contract, side }, { price: 0, reduceOnly: kind === 0 || kind === 1 });
    const waits = { ...order, orderType: 'stopMarket', slippagePpm: ppm(100_000), triggerPrice } as const;
    const terms = { ...order.contract, triggerBy: chance.pick(TRIGGER_PRICES) };
    const source = (): 'stopLoss' | 'takeProfit' => (chance.below(2) === 0 ? 'stopLoss' : 'takeProfit');
    if (kind === 0 && this.#rules >= 8 && chance.below(3) === 0) {
      const price = ticks(Math.floor((triggerPrice * (990 + chance.below(21))) / 1_000));
      return { ...waits, orderType: 'stopLimit', timeInForce: 'GTC', slippagePpm: ppm(0), price, contract: { ...terms, source: source() } };
    }
    if (kind === 0) return { ...waits, contract: { ...terms, source: source() } };
    if (kind === 1)
      return {
        ...waits,
        triggerPrice: NO_TICKS,
        contract: { ...terms, source: 'stopLoss', trailingPpm: ppm(1_000 * (1 + chance.below(50))) },
      };
    if (kind === 2)
      return {
        ...waits,
        size: lots(0),
        contract: { ...terms, closePosition: true, source: source() },
      };
    return { ...waits, contract: { ...terms, source: 'plan' } };
  }

  #terms(
    { account, contract, side }: { readonly account: AccountId; readonly contract: Contract; readonly side: Side },
    { price, reduceOnly }: { readonly price: number; readonly reduceOnly: boolean },
  ): PlaceContractOrder {
    const most = contract.market === BTC_USD.market ? 60_000 : 200_000;
    return {
      type: 'PlaceContractOrder',
      account,
      market: contract.market,
      clientOrderId: '',
      side,
      orderType: price === 0 ? 'market' : 'limit',
      timeInForce: price === 0 ? 'IOC' : 'GTC',
      price: ticks(price),
      size: lots(1 + this.#chance.below(most)),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireMaker',
      contract: {
        positionSide: this.#sideOf(account, contract.payoff),
        reduceOnly,
        closePosition: false,
        triggerBy: 'last',
        trailingPpm: ppm(0),
        source: 'plain',
      },
      takeProfit: NO_TRIGGER,
      stopLoss: NO_TRIGGER,
    };
  }

  #adjust(account: AccountId, market: MarketId): Command {
    this.#keys += 1;
    const direction = this.#chance.below(2) === 0 ? 'add' : 'remove';
    const { payoff } = CONTRACTS.find((one) => one.market === market) ?? BTC_USDC;
    const amount = atoms(BigInt(1 + this.#chance.below(payoff === 'linear' ? 500_000_000 : 2_000_000)));
    return {
      type: 'AdjustMargin',
      account,
      market,
      positionSide: this.#sideOf(account, payoff),
      direction,
      amount,
      key: `adjust:${this.#keys}`,
    };
  }

  /** USDC of linear contracts, BTC of inverse ones, and BTC and ETH as collateral. */
  #transfer(account: AccountId): Command {
    this.#keys += 1;
    const asset = assetId(1 + this.#chance.below(3));
    const wallet = asset === BTC && this.#chance.below(2) === 0 ? 'coinFutures' : 'futures';
    const most = asset === USDC ? 5_000_000_000 : asset === BTC ? 20_000_000 : 200_000_000;
    const amount = atoms(BigInt(1 + this.#chance.below(most)));
    const [from, to] = this.#chance.below(2) === 0 ? (['spot', wallet] as const) : ([wallet, 'spot'] as const);
    return { type: 'Transfer', account, transferId: `move:${this.#keys}`, asset, amount, from, to };
  }

  #account(): AccountId {
    return accountId(2 + this.#chance.below(TRADERS));
  }

  #contract(): Contract {
    return this.#chance.pick([BTC_USDC, BTC_USDC, BTC_USD, ETH_USDC]);
  }

  #walkOf(market: MarketId): Walk {
    return market === ETH_USDC.market ? this.#eth : this.#btc;
  }

  #sideOf(account: AccountId, payoff: Payoff): PositionSide {
    return this.#hedged.has(`${account} ${payoff}`) ? this.#chance.pick(['long', 'short']) : 'both';
  }
}

const threeSources = (price: number): readonly IndexSample[] =>
  ['one', 'two', 'three'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));

/** Of each four traders after the first two one is in hedge mode, one has isolated margin, one both, and one has settings of none. */
function* settingsOf(account: AccountId, index: number): Generator<Command> {
  const kind = index < 3 ? 3 : index % 4;
  if (kind === 3) return;
  const mode: PositionMode = kind === 1 ? 'oneWay' : 'hedge';
  for (const payoff of ['linear', 'inverse'] as const) if (mode === 'hedge') yield { type: 'SetPositionMode', account, payoff, mode };
  if (kind === 0) return;
  for (const { market } of CONTRACTS) yield { type: 'SetMarginMode', account, market, mode: 'isolated' };
}
