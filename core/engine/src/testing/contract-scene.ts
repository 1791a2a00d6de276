/**
 * An exchange with one contract for scripted scenes: people by name, prices by round, and what each command caused. USDC has 6 decimals and BTC 8. After
 * every command all balances sum to zero, and its continuations follow until nothing is left over.
 */
import { accountId, assert, assetId, atoms, lots, marketId, millis, NO_ATOMS, NO_POSITION, NO_TICKS, ppm, seq, ticks } from '@orrery/units';
import type { AccountId, AssetId, Atoms, MarketId, Millis } from '@orrery/units';
import type { AttachedTrigger, Command, Contract, Event, PlaceContractOrder, Position, Sequenced, Side } from '@orrery/protocol';
import { LATEST_RULES, type RulesVersion } from '@orrery/rules';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import type { SystemAccount } from '../ledger/balance.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import { addressOf } from './tape-people.ts';

export const USDC = assetId(1);
export const BTC = assetId(2);

/** An amount of USDC in atoms. */
export const usdc = (amount: number): Atoms => atoms(BigInt(Math.round(amount * 1_000_000)));

/** A tick is 0.1 USDC, a lot 0.00001 BTC: one lot at one tick is one atom. */
export const BTC_USDC: Contract = {
  market: marketId(2),
  symbol: 'BTC_USDC',
  baseCode: 'BTC',
  quoteCode: 'USDC',
  payoff: 'linear',
  settle: USDC,
  pricePrecision: 1,
  sizePrecision: 5,
  tickLotAtoms: atoms(1n),
  minPrice: ticks(1),
  maxPrice: ticks(100_000_000),
  minSize: lots(1),
  maxSize: lots(10_000_000_000),
  minNotional: atoms(1n),
  maxNotional: usdc(100_000_000),
  makerFeePpm: ppm(200),
  takerFeePpm: ppm(500),
  limitBandPpm: ppm(100_000),
  marketBandPpm: ppm(50_000),
  maxOpenOrders: 200,
  initLeverage: 10,
  tiers: [
    { maxNotional: usdc(4_000_000), maxLeverage: 40 },
    { maxNotional: usdc(1_000_000_000), maxLeverage: 10 },
  ],
  openInterestCap: lots(1_000_000_000),
  impactNotional: usdc(8_000),
  fundingIntervalMs: 3_600_000,
  interestPpm8h: ppm(100),
  fundingCapPpm: ppm(40_000),
  partialLiquidationAbove: usdc(100_000),
  partialLiquidationPpm: ppm(200_000),
  liquidationCooldownMs: 30_000,
};

const NO_TRIGGER: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };

export class ContractScene {
  #engine: Engine = createEngine();
  readonly #history: Sequenced[] = [];
  readonly #people: string[] = [];
  readonly #contract: Contract;
  readonly #positions = new Map<AccountId, Position>();
  #answers: (readonly Event[])[] = [];
  #mark = 0;
  #at = 1_000_000_000;
  #keys = 0;

  /** @param terms how the contract differs from `BTC_USDC` */
  constructor(terms: Partial<Contract> = {}, rules: RulesVersion = LATEST_RULES) {
    this.#contract = { ...BTC_USDC, ...terms };
    this.must({ type: 'UpgradeRules', version: rules });
    this.must({ type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' });
    this.must({ type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' });
    this.must({ type: 'RegisterContract', ...this.#contract });
  }

  get engine(): Engine {
    return this.#engine;
  }

  /** The time of the next command, in unix milliseconds. */
  get at(): number {
    return this.#at;
  }

  get market(): MarketId {
    return this.#contract.market;
  }

  /** Gives a command and whatever it leaves over, and returns all events. */
  give(command: Command): readonly Event[] {
    this.#answers = [this.#apply(command)];
    for (let next = this.#engine.continuation(); next !== undefined; next = this.#engine.continuation())
      this.#answers.push(this.#apply(next));
    return this.#answers.flat();
  }

  /** Gives a command, and nothing of what it leaves over. */
  giveAlone(command: Command): readonly Event[] {
    return this.#apply(command);
  }

  /** Goes on as from a snapshot. */
  restart(): void {
    this.#engine = decodeState(this.#engine.encodeState());
  }

  /** The events of the last command and of each continuation that followed it. */
  get answers(): readonly (readonly Event[])[] {
    return this.#answers;
  }

  /** Gives a command that is not refused. */
  must(command: Command): readonly Event[] {
    const events = this.give(command);
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type} is refused: ${first.reason} ${first.field}`);
    return events;
  }

  #apply(command: Command): readonly Event[] {
    const sequenced = { seq: seq(this.#history.length + 1), at: millis(this.#at), command };
    this.#history.push(sequenced);
    const events = this.#engine.apply(sequenced);
    for (const event of events) {
      if (event.type === 'PositionChanged') this.#positions.set(event.account, event);
      else if (event.type === 'PricesSet') this.#mark = event.mark;
    }
    const imbalance = this.#engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    return events;
  }

  /** R1: the same commands make the same state. */
  replay(): void {
    const replayed = createEngine();
    for (const command of this.#history) replayed.apply(command);
    assert(Buffer.compare(replayed.encodeState(), this.#engine.encodeState()) === 0, 'R1: a replay has the same state bytes');
  }

  get now(): Millis {
    return millis(this.#at);
  }

  wait(seconds: number): void {
    this.#at += seconds * 1_000;
  }

  /** @param at unix milliseconds */
  waitUntil(at: number): void {
    assert(at >= this.#at, 'time does not go back');
    this.#at = at;
  }

  /** An account with USDC in its futures wallet. */
  person(name: string, deposit: Atoms): AccountId {
    this.#people.push(name);
    const account = accountId(this.#people.length);
    this.must({ type: 'OpenAccount', address: addressOf(name) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.must({ type: 'SetAccountFlag', account, flag, value: true });
    if (deposit > NO_ATOMS) {
      this.must({ type: 'CreditDeposit', key: name, address: addressOf(name), asset: USDC, amount: deposit });
      this.must(this.transfer(account, 'in', deposit));
    }
    return account;
  }

  transfer(account: AccountId, direction: 'in' | 'out', amount: Atoms): Command {
    this.#keys += 1;
    const route = direction === 'in' ? ({ from: 'funding', to: 'futures' } as const) : ({ from: 'futures', to: 'spot' } as const);
    return { type: 'Transfer', account, transferId: `transfer:${this.#keys}`, asset: USDC, amount, ...route };
  }

  insurance(amount: Atoms): void {
    this.#keys += 1;
    this.must({ type: 'FundBudget', budget: 'insurance', asset: USDC, amount, key: `insurance:${this.#keys}` });
  }

  /** Three seconds later, a round in which three exchanges show this price. */
  prices(price: number): readonly Event[] {
    return this.must(this.round(price));
  }

  /** The command of such a round. */
  round(price: number): Command {
    this.wait(3);
    const index = ['binance', 'coinbase', 'kraken'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    return { type: 'SubmitPrices', market: this.market, index, external: [] };
  }

  /** A round in which three exchanges show this price of a collateral, in ticks of its spot market. */
  collateralPrices(asset: AssetId, price: number): readonly Event[] {
    const index = ['binance', 'coinbase', 'kraken'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    return this.must({ type: 'SubmitCollateralPrices', asset, index });
  }

  /** Rounds that move the index to a price by at most `stepPpm` each. */
  walk(from: number, to: number, stepPpm: number): readonly Event[] {
    const events: Event[] = [];
    for (let price = from; price !== to;) {
      const step = Math.max(1, Math.floor((price * stepPpm) / 1_000_000));
      price = to > price ? Math.min(to, price + step) : Math.max(to, price - step);
      events.push(...this.prices(price));
    }
    return events;
  }

  /** A limit order, or a market order at price 0. */
  order(account: AccountId, side: Side, size: number, price: number): PlaceContractOrder {
    return {
      type: 'PlaceContractOrder',
      account,
      market: this.market,
      clientOrderId: '',
      side,
      orderType: price === 0 ? 'market' : 'limit',
      timeInForce: price === 0 ? 'IOC' : 'GTC',
      price: ticks(price),
      size: lots(size),
      funds: NO_ATOMS,
      triggerPrice: NO_TICKS,
      slippagePpm: ppm(0),
      selfTradePrevention: 'expireTaker',
      contract: {
        positionSide: 'both',
        reduceOnly: false,
        closePosition: false,
        triggerBy: 'last',
        trailingPpm: ppm(0),
        source: 'plain',
      },
      takeProfit: NO_TRIGGER,
      stopLoss: NO_TRIGGER,
    };
  }

  /** Both at one price: the buyer is long afterwards. */
  trade(buyer: AccountId, seller: AccountId, size: number, price: number): void {
    this.must(this.order(seller, 'sell', size, price));
    this.must(this.order(buyer, 'buy', size, price));
  }

  /** The position of an account; undefined for none. */
  position(account: AccountId): Position | undefined {
    const position = this.#positions.get(account);
    return position === undefined || position.size === NO_POSITION ? undefined : position;
  }

  /** P1: lots on the long side, which are as many as on the short side. */
  openInterest(): number {
    let long = 0;
    let short = 0;
    for (const { size } of this.#positions.values()) {
      long += Math.max(0, size);
      short += Math.max(0, 0 - size);
    }
    assert(long === short, `P1: ${long} lots are long and ${short} short`);
    return long;
  }

  /** The mark of the last round. */
  get mark(): number {
    return this.#mark;
  }

  /** What an account has in its futures wallet, free and held. */
  wallet(account: AccountId): bigint {
    const { balances } = decodeSnapshot(this.#engine.encodeState());
    const found = balances.find((one) => one.account === account && one.wallet === 'futures' && one.asset === USDC);
    return found === undefined ? 0n : found.free + found.held;
  }

  system(system: SystemAccount): bigint {
    const { systemBalances } = decodeSnapshot(this.#engine.encodeState());
    return systemBalances.find((one) => one.system === system && one.asset === USDC)?.free ?? 0n;
  }
}
