/** Random commands of contracts around prices that jump, drawn from a seed: traders of a linear and an inverse contract, rounds of prices, funding. */
import {
  accountId,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  ppm,
  ticks,
  type AccountId,
  type MarketId,
  type Millis,
} from '@orrery/units';
import type { AttachedTrigger, Command, Contract } from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import { Chance } from './chance.ts';
import { BTC, BTC_USDC, USDC, usdc } from './contract-scene.ts';
import { addressOf } from './tape-people.ts';

const TRADERS = 8;
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
export const CONTRACTS: readonly Contract[] = [{ ...BTC_USDC, partialLiquidationAbove: usdc(20_000) }, BTC_USD];

const NO_TRIGGER: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };
const HOUR = 3_600_000;

/** A command and its time. */
export interface Timed {
  readonly at: Millis;
  readonly command: Command;
}

export class RandomFutures {
  readonly #chance: Chance;
  #at = 1_000_000_000;
  #price = 600_000;
  #keys = 0;

  constructor(seed: number) {
    this.#chance = new Chance(seed);
  }

  *opening(): Generator<Timed> {
    for (const command of this.#listing()) yield { at: millis(this.#at), command };
  }

  *#listing(): Generator<Command> {
    yield { type: 'UpgradeRules', version: LATEST_RULES };
    yield { type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' };
    for (const contract of CONTRACTS) yield { type: 'RegisterContract', ...contract };
    yield { type: 'FundBudget', budget: 'insurance', asset: USDC, amount: usdc(this.#chance.below(20_000) + 1), key: 'insurance:1' };
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
      yield { type: 'CreditDeposit', key: `${index}:1`, address, asset: USDC, amount: usdc(30_000) };
      yield { type: 'CreditDeposit', key: `${index}:2`, address, asset: BTC, amount: atoms(100_000_000n) };
      for (const asset of [USDC, BTC]) {
        const amount = asset === USDC ? usdc(30_000) : atoms(100_000_000n);
        yield { type: 'Transfer', account, transferId: `opening:${asset}`, asset, amount, from: 'funding', to: 'spot' };
        const half = atoms(amount / 2n);
        yield {
          type: 'Transfer',
          account,
          transferId: `half:${asset}`,
          asset,
          amount: half,
          from: 'spot',
          to: asset === USDC ? 'futures' : 'coinFutures',
        };
      }
    }
    yield { type: 'SetLiquidator', account: LIQUIDATOR };
  }

  next(): Timed {
    const draw = this.#chance.below(100);
    this.#at += this.#chance.below(1_000);
    return { at: millis(this.#at), command: this.#draw(draw) };
  }

  #draw(draw: number): Command {
    if (draw < 30) return this.#prices();
    if (draw < 75) return this.#order();
    const account = this.#account();
    const market = this.#market();
    const chance = this.#chance;
    if (draw < 80) return { type: 'CancelAllOrders', account, market: chance.below(2) === 0 ? market : 0 };
    if (draw < 85) return { type: 'SetLeverage', account, market, positionSide: 'both', leverage: 1 + chance.below(40) };
    if (draw < 88) return { type: 'SetMarginMode', account, market, mode: chance.below(2) === 0 ? 'cross' : 'isolated' };
    if (draw < 90) return { type: 'SetAutoMargin', account, market, positionSide: 'both', value: chance.below(2) === 0 };
    if (draw < 92) return this.#adjust(account, market);
    if (draw < 98) return this.#transfer(account);
    if (draw < 99) return { type: 'SettleFunding', market, interval: millis(Math.floor(this.#at / HOUR) * HOUR) };
    return { type: 'ResetPrices' };
  }

  /** Mostly small steps, sometimes a jump, sometimes an outage, sometimes too few sources. */
  #prices(): Command {
    const chance = this.#chance;
    const jump = chance.below(100);
    const span = jump < 80 ? 3_000 : jump < 97 ? 20_000 : 60_000;
    this.#price = Math.min(2_000_000, Math.max(100_000, this.#price + chance.below(span * 2 + 1) - span));
    if (chance.below(200) === 0) this.#at += 400_000;
    if (chance.below(50) === 0) this.#at += HOUR;
    this.#at += 2_000;
    const sources = chance.below(40) === 0 ? ['one'] : ['one', 'two', 'three'];
    const index = sources.map((source) => ({ source, price: ticks(this.#price), ageMs: 0, weight: 1 + chance.below(3) }));
    return { type: 'SubmitPrices', market: this.#market(), index, external: [] };
  }

  #order(): Command {
    const chance = this.#chance;
    const market = this.#market();
    const isMarket = chance.below(4) === 0;
    const span = Math.floor(this.#price / 50);
    const price = this.#price + chance.below(2 * span + 1) - span;
    return {
      type: 'PlaceContractOrder',
      account: this.#account(),
      market,
      clientOrderId: '',
      side: chance.below(2) === 0 ? 'buy' : 'sell',
      orderType: isMarket ? 'market' : 'limit',
      timeInForce: isMarket ? 'IOC' : 'GTC',
      price: ticks(isMarket ? 0 : price),
      size: lots(1 + chance.below(market === marketId(2) ? 200_000 : 60_000)),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireMaker',
      contract: {
        positionSide: 'both',
        reduceOnly: chance.below(8) === 0,
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
    const amount = atoms(BigInt(1 + this.#chance.below(market === marketId(2) ? 500_000_000 : 2_000_000)));
    return { type: 'AdjustMargin', account, market, positionSide: 'both', direction, amount, key: `adjust:${this.#keys}` };
  }

  #transfer(account: AccountId): Command {
    this.#keys += 1;
    const asset = assetId(1 + this.#chance.below(2));
    const wallet = asset === USDC ? 'futures' : 'coinFutures';
    const amount = atoms(BigInt(1 + this.#chance.below(asset === USDC ? 5_000_000_000 : 20_000_000)));
    const [from, to] = this.#chance.below(2) === 0 ? (['spot', wallet] as const) : ([wallet, 'spot'] as const);
    return { type: 'Transfer', account, transferId: `move:${this.#keys}`, asset, amount, from, to };
  }

  #account(): AccountId {
    return accountId(2 + this.#chance.below(TRADERS));
  }

  #market(): MarketId {
    return marketId(this.#chance.below(3) === 0 ? 4 : 2);
  }
}
