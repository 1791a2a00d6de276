/** Random commands around a fund: savers come and go, a manager trades, prices jump, are missing and grow old, and funds end and open. */
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
  type AssetId,
  type Millis,
} from '@orrery/units';
import {
  NOT_ATTACHED,
  type Command,
  type Contract,
  type Event,
  type PlaceContractOrder,
  type PlaceOrder,
  type Side,
  type Wallet,
} from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import type { Chance } from './chance.ts';
import { BTC, usdc, USDC } from './contract-scene.ts';
import { linearContract } from './contracts-scene.ts';
import { SPOT_MARKET } from './fund-scene.ts';
import { addressOf } from './tape-people.ts';

export interface TimedCommand {
  readonly at: Millis;
  readonly command: Command;
}

const FREE = { makerFeePpm: ppm(0), takerFeePpm: ppm(500) };
const CONTRACTS: readonly Contract[] = [linearContract(2, 'BTC', FREE), linearContract(3, 'ETH', FREE)];
const LEADER = accountId(1);
const STREET = accountId(2);
const SAVERS = [3, 4, 5, 6, 7].map(accountId);
const LIQUIDATOR = accountId(8);
/** Managers follow: one a fund. */
const FIRST_MANAGER = 9;
const FIRST_SHARES = 10;
const LAST_SHARES = 250;

export class RandomFunds {
  readonly #chance: Chance;
  readonly #waiting: TimedCommand[] = [];
  #at = 1_000_000_000;
  #price = 10_000;
  #keys = 0;
  #shares = FIRST_SHARES - 1;
  #manager: AccountId = accountId(FIRST_MANAGER - 1);
  #isOpen = false;
  #isClosing = false;
  /** Whether what this fund holds found no buyer for days. */
  #hasStood = false;
  /** What is free, by account, wallet and asset. */
  readonly #free = new Map<string, bigint>();
  /** How long the manager is away, in commands. */
  #away = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.#wait(this.#opening());
  }

  follow(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'FundOpened') [this.#isOpen, this.#isClosing, this.#hasStood] = [true, false, false];
      if (event.type === 'BalanceChanged') this.#free.set(`${event.account} ${event.wallet} ${event.asset}`, event.free);
      if (event.type === 'FundClosing') this.#isClosing = true;
      if (event.type === 'FundEnded') this.#isOpen = false;
    }
  }

  next(): TimedCommand {
    if (this.#waiting.length === 0) this.#prepare();
    return this.#waiting.shift() ?? { at: millis(this.#at), command: this.#draw() };
  }

  /** Each at its own time. */
  #wait(commands: Iterable<Command>): void {
    for (const command of commands) this.#waiting.push({ at: millis(this.#at), command });
  }

  #prepare(): void {
    if (!this.#isOpen && this.#chance.oneIn(3) && this.#shares < LAST_SHARES) this.#wait(this.#open());
    else if (this.#isOpen && this.#isClosing && !this.#hasStood) this.#wait(this.#standStill());
    else if (this.#chance.oneIn(5)) this.#wait(this.#pass());
    else if (this.#away === 0 && this.#chance.oneIn(40)) this.#wait(this.#invest());
  }

  get #fund(): AssetId {
    return assetId(this.#shares);
  }

  #key(): string {
    this.#keys += 1;
    return `k${this.#keys}`;
  }

  *#opening(): Generator<Command> {
    yield { type: 'UpgradeRules', version: LATEST_RULES };
    yield { type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' };
    yield { type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' };
    for (const contract of CONTRACTS) yield { type: 'RegisterContract', ...contract };
    yield { type: 'RegisterMarket', ...SPOT_MARKET };
    for (const account of [LEADER, STREET, ...SAVERS, LIQUIDATOR]) yield* this.#person(account);
    yield { type: 'SetLiquidator', account: LIQUIDATOR };
    yield { type: 'FundBudget', key: this.#key(), budget: 'insurance', asset: USDC, amount: usdc(1_000_000) };
    for (const account of [LEADER, ...SAVERS]) yield this.#deposit(account, USDC, usdc(200_000));
    yield this.#deposit(STREET, USDC, usdc(100_000_000));
    yield this.#deposit(STREET, BTC, atoms(10_000_000_000_000n));
    yield this.#move(STREET, USDC, usdc(40_000_000), 'funding', 'futures');
    yield this.#move(STREET, USDC, usdc(40_000_000), 'funding', 'spot');
    yield this.#move(STREET, BTC, atoms(10_000_000_000_000n), 'funding', 'spot');
    for (let round = 0; round < 4; round += 1) yield* this.#round();
  }

  *#person(account: AccountId): Generator<Command> {
    yield { type: 'OpenAccount', address: addressOf(`p${account}`) };
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) yield { type: 'SetAccountFlag', account, flag, value: true };
  }

  #deposit(account: AccountId, asset: AssetId, amount: typeof NO_ATOMS): Command {
    return { type: 'CreditDeposit', key: this.#key(), address: addressOf(`p${account}`), asset, amount };
  }

  #move(account: AccountId, asset: AssetId, amount: typeof NO_ATOMS, from: Wallet, to: Wallet): Command {
    return { type: 'Transfer', account, transferId: this.#key(), asset, amount, from, to };
  }

  /** Prices of everything, of which now and then one is missing, or has too few sources. */
  *#round(): Generator<Command> {
    const chance = this.#chance;
    if (!chance.oneIn(30)) yield { type: 'SetIndexPrice', market: SPOT_MARKET.market, price: ticks(this.#price) };
    for (const { market } of CONTRACTS) {
      if (chance.oneIn(30)) continue;
      const sources = chance.oneIn(30) ? 1 : 3;
      const index = Array.from({ length: sources }, (_, place) => ({
        source: `s${place}`,
        price: ticks(this.#price),
        ageMs: 0,
        weight: 1,
      }));
      yield { type: 'SubmitPrices', market, index, external: [] };
    }
  }

  #draw(): Command {
    const chance = this.#chance;
    if (chance.oneIn(700)) this.#away = 250;
    this.#away = Math.max(0, this.#away - 1);
    if (chance.oneIn(3)) return this.#ofSaver();
    return chance.oneIn(3) || this.#away > 0 ? this.#ofStreet() : this.#ofManager();
  }

  *#open(): Generator<Command> {
    this.#shares += 1;
    this.#manager = accountId(this.#manager + 1);
    yield* this.#person(this.#manager);
    yield { type: 'RegisterAsset', asset: this.#fund, code: `F${this.#shares}`, decimals: 6, kind: 'internal' };
    const amount = usdc(this.#chance.pick([999, 1_000, 5_000, 20_000]));
    yield {
      type: 'OpenFund',
      fund: this.#fund,
      account: this.#manager,
      leader: LEADER,
      asset: USDC,
      amount: usdc(1_000),
      capacity: usdc(100_000),
    };
    yield { type: 'OpenFund', fund: this.#fund, account: this.#manager, leader: LEADER, asset: USDC, amount, capacity: usdc(100_000) };
  }

  /** Time, short or long, and rounds of prices after it: the ones before are old by then. */
  *#pass(): Generator<Command> {
    const chance = this.#chance;
    const longer = chance.oneIn(60) ? 24 * 3_600_000 : chance.oneIn(900) ? 31 * 24 * 3_600_000 : 0;
    const isLong = longer > 0 || chance.oneIn(3);
    // To shortly before the next interval, but for now and then.
    const interval = this.#isClosing ? 60_000 : 600_000;
    const boundary = Math.ceil((this.#at + longer + 13_000) / interval) * interval;
    if (!isLong) this.#at += chance.between(1, 4_000);
    else this.#at = chance.oneIn(8) ? this.#at + chance.between(1, 700_000) : boundary - 12_000;
    const jump = chance.oneIn(12) ? chance.between(-1_500, 1_500) : chance.between(-60, 60);
    this.#price = Math.min(40_000, Math.max(2_000, this.#price + Math.round((this.#price * jump) / 10_000)));
    for (let rounds = isLong ? 6 : 1; rounds > 0; rounds -= 1) {
      this.#at += 3_000;
      yield* this.#round();
    }
  }

  /** Markets may be halted for days, and prices of some missing, while the fund closes. */
  *#standStill(): Generator<Command> {
    const chance = this.#chance;
    this.#hasStood = true;
    if (chance.oneIn(3)) return;
    const longest = chance.oneIn(3) ? 30 : 1;
    if (longest > 1) yield* this.#buyNearlyAll();
    const halted = [SPOT_MARKET.market, ...CONTRACTS.map(({ market }) => market)].filter(() => chance.oneIn(2));
    for (const market of halted) yield { type: 'SetMarketState', market, state: 'HALT' };
    for (let day = chance.between(1, 4); day > 0; day -= 1) {
      this.#at = Math.ceil((this.#at + chance.between(60_000, 26 * 3_600_000) * longest) / 60_000) * 60_000 - 12_000;
      for (let rounds = chance.between(0, 6); rounds > 0; rounds -= 1) {
        this.#at += 3_000;
        yield* this.#round();
      }
    }
    for (const market of halted) yield { type: 'SetMarketState', market, state: 'TRADING' };
  }

  /** The street buys the coins of the fund but for a few lots, and nothing after them. */
  *#buyNearlyAll(): Generator<Command> {
    const lotsOf = Number((this.#free.get(`${this.#manager} spot ${BTC}`) ?? 0n) / SPOT_MARKET.lotAtoms);
    const rest = this.#chance.between(1, 1_200);
    if (lotsOf <= rest) return;
    yield { type: 'CancelAllOrders', account: STREET, market: 0 };
    yield this.#spot(STREET, 'buy', lotsOf - rest, this.#price);
    this.#at = Math.ceil((this.#at + 13_000) / 60_000) * 60_000 - 12_000;
    for (let rounds = 6; rounds > 0; rounds -= 1) {
      this.#at += 3_000;
      yield* this.#round();
    }
  }

  #ofSaver(): Command {
    const chance = this.#chance;
    const account = chance.oneIn(5) ? LEADER : chance.pick(SAVERS);
    const fund = this.#fund;
    if (chance.oneIn(40)) return { type: 'SetFundCapacity', fund, capacity: usdc(chance.pick([20_000, 100_000, 100_000, 200_000])) };
    if (chance.oneIn(500)) return { type: 'CloseFund', fund };
    if (chance.oneIn(900)) return { type: 'SetAccountFlag', account: this.#manager, flag: 'blocked', value: true };
    if (chance.oneIn(60)) return this.#deposit(this.#manager, USDC, usdc(50));
    if (chance.oneIn(2)) {
      const amount = atoms(BigInt(chance.pick([9, 10, 100, 1_000, 10_000, 30_000])) * 1_000_000n + BigInt(chance.below(1_000_000)));
      return { type: 'SubscribeToFund', fund, account, subscriptionId: this.#key(), amount };
    }
    const all = this.#free.get(`${account} funding ${fund}`) ?? 0n;
    const shares =
      all > 0n && chance.oneIn(2)
        ? atoms(all)
        : atoms(BigInt(chance.pick([1, 1_000_000, 100_000_000, 900_000_000, 5_000_000_000, 20_000_000_000])) + BigInt(chance.below(1_000)));
    return { type: 'RedeemFromFund', fund, account, redemptionId: this.#key(), shares };
  }

  /** All cash into coins. */
  *#invest(): Generator<Command> {
    const account = this.#manager;
    const free = (wallet: Wallet): bigint => this.#free.get(`${account} ${wallet} ${USDC}`) ?? 0n;
    const [cash, there] = [free('funding'), free('spot')];
    const size = Number((cash + there) / BigInt(this.#price));
    if (cash > 0n) yield this.#move(account, USDC, atoms(cash), 'funding', 'spot');
    if (size === 0) return;
    yield this.#spot(STREET, 'sell', size, this.#price);
    yield this.#spot(account, 'buy', size, this.#price);
  }

  #spot(account: AccountId, side: Side, size: number, price: number): PlaceOrder {
    return { type: 'PlaceOrder', market: SPOT_MARKET.market, ...termsOf({ account, side, size, price }), timeInForce: 'GTC' };
  }

  /** It stands on both sides, near and far. */
  #ofStreet(): Command {
    const chance = this.#chance;
    if (chance.oneIn(12)) return { type: 'CancelAllOrders', account: STREET, market: 0 };
    const side = chance.pick(['buy', 'sell'] as const);
    const away = chance.pick([5, 20, 45, 80, 300]);
    return this.#order(STREET, side, chance.pick([1_000, 50_000, 500_000, 5_000_000]), this.#price + (side === 'buy' ? -away : away));
  }

  #ofManager(): Command {
    const chance = this.#chance;
    const account = this.#manager;
    if (chance.oneIn(6)) return { type: 'SendFundHeartbeat', account };
    if (chance.oneIn(20)) return { type: 'CancelAllOrders', account, market: 0 };
    if (chance.oneIn(3)) {
      const [from, to] = chance.pick([
        ['funding', 'futures'],
        ['funding', 'spot'],
        ['funding', 'spot'],
        ['funding', 'spot'],
        ['spot', 'futures'],
        ['futures', 'spot'],
        ['spot', 'funding'],
      ] as const);
      return this.#move(account, chance.oneIn(8) ? BTC : USDC, usdc(chance.pick([10, 200, 1_000, 4_000, 8_000, 20_000])), from, to);
    }
    const side = chance.pick(['buy', 'buy', 'sell'] as const);
    const away = chance.pick([0, 30, 100]);
    return this.#order(account, side, chance.pick([500, 20_000, 80_000, 200_000, 800_000]), this.#price + (side === 'buy' ? away : -away));
  }

  #order(account: AccountId, side: Side, size: number, price: number): PlaceContractOrder | PlaceOrder {
    const chance = this.#chance;
    const terms = { ...termsOf({ account, side, size, price }), timeInForce: chance.oneIn(3) ? 'IOC' : 'GTC' } as const;
    if (chance.oneIn(3)) return { type: 'PlaceOrder', market: SPOT_MARKET.market, ...terms };
    const contract = {
      positionSide: 'both',
      reduceOnly: chance.oneIn(5),
      closePosition: false,
      triggerBy: 'last',
      trailingPpm: ppm(0),
      source: 'plain',
    } as const;
    return {
      type: 'PlaceContractOrder',
      market: marketId(chance.pick([2, 3])),
      ...terms,
      contract,
      takeProfit: NOT_ATTACHED,
      stopLoss: NOT_ATTACHED,
    };
  }
}

interface Wanted {
  readonly account: AccountId;
  readonly side: Side;
  readonly size: number;
  readonly price: number;
}

const termsOf = ({ account, side, size, price }: Wanted) =>
  ({
    account,
    clientOrderId: '',
    side,
    orderType: 'limit',
    price: ticks(Math.max(1, price)),
    size: lots(size),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  }) as const;
