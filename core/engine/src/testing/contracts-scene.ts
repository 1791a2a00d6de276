/**
 * An exchange with several contracts for scripted scenes, of USDC alone or of coins too. A round of prices is given for each contract by itself; the continuations
 * of a command follow it. After every command all balances sum to zero.
 */
import {
  accountId,
  assert,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  ppm,
  seq,
  ticks,
  type AccountId,
  type AssetId,
  type Atoms,
} from '@orrery/units';
import type { Command, Contract, Event, PlaceContractOrder, Position, PositionSide, Sequenced, Side, Wallet } from '@orrery/protocol';
import { LATEST_RULES } from '@orrery/rules';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import type { SystemAccount } from '../ledger/balance.ts';
import type { PositionSnapshot } from '../snapshot/contract-snapshot.ts';
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { BTC, BTC_USDC, USDC } from './contract-scene.ts';
import { addressOf } from './tape-people.ts';

const NO_TRIGGER = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS } as const;

export const linearContract = (market: number, base: string, terms: Partial<Contract> = {}): Contract => ({
  ...BTC_USDC,
  market: marketId(market),
  symbol: `${base}_USDC`,
  baseCode: base,
  ...terms,
});

/** A lot is 1 USD and a tick 0.1 USD: 10^9 atoms of BTC. */
export const inverseContract = (market: number): Contract => ({
  ...BTC_USDC,
  market: marketId(market),
  symbol: 'BTC_USD',
  quoteCode: 'USD',
  payoff: 'inverse',
  settle: BTC,
  sizePrecision: 0,
  tickLotAtoms: atoms(1_000_000_000n),
  maxNotional: atoms(100_000_000_000n),
  minNotional: NO_ATOMS,
  tiers: [
    { maxNotional: atoms(40_000_000_000n), maxLeverage: 40 },
    { maxNotional: atoms(1_000_000_000_000n), maxLeverage: 10 },
  ],
  impactNotional: atoms(8_000_000n),
  partialLiquidationAbove: atoms(100_000_000n),
});

interface OrderWords {
  readonly market?: number;
  readonly positionSide?: PositionSide;
  readonly reduceOnly?: boolean;
}

export class ContractsScene {
  engine: Engine = createEngine();
  readonly history: Sequenced[] = [];
  readonly contracts: readonly Contract[];
  at = 1_000_000_000;
  #keys = 0;
  #people = 0;

  constructor(contracts: readonly Contract[]) {
    this.contracts = contracts;
    this.must({ type: 'UpgradeRules', version: LATEST_RULES });
    this.must({ type: 'RegisterAsset', asset: USDC, code: 'USDC', decimals: 6, kind: 'chain' });
    this.must({ type: 'RegisterAsset', asset: BTC, code: 'BTC', decimals: 8, kind: 'chain' });
    for (const contract of contracts) this.must({ type: 'RegisterContract', ...contract });
  }

  /** A command and whatever it leaves over. */
  give(command: Command): readonly Event[] {
    const events = [...this.#apply(command)];
    for (let next = this.engine.continuation(); next !== undefined; next = this.engine.continuation()) events.push(...this.#apply(next));
    return events;
  }

  must(command: Command): readonly Event[] {
    const events = this.give(command);
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type} is refused: ${first.reason} ${first.field}`);
    return events;
  }

  /** Why a command is refused; 'taken' when it is not. */
  refusal(command: Command): string {
    const [first] = this.give(command);
    return first?.type === 'CommandRejected' ? first.reason : 'taken';
  }

  #apply(command: Command): readonly Event[] {
    const sequenced = { seq: seq(this.history.length + 1), at: millis(this.at), command };
    this.history.push(sequenced);
    const events = this.engine.apply(sequenced);
    const imbalance = this.engine.imbalance();
    assert(imbalance === undefined, `M1: ${imbalance}`);
    return events;
  }

  person(deposit: Atoms, asset: AssetId = USDC, wallet: Wallet = 'futures'): AccountId {
    this.#people += 1;
    const account = accountId(this.#people);
    this.must({ type: 'OpenAccount', address: addressOf(`p${this.#people}`) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.must({ type: 'SetAccountFlag', account, flag, value: true });
    if (deposit > NO_ATOMS) this.deposit(account, deposit, asset, wallet);
    return account;
  }

  deposit(account: AccountId, amount: Atoms, asset: AssetId = USDC, wallet: Wallet = 'futures'): void {
    this.#keys += 1;
    this.must({ type: 'CreditDeposit', key: `d${this.#keys}`, address: addressOf(`p${account}`), asset, amount });
    const move = { type: 'Transfer', account, asset, amount } as const;
    this.must({ ...move, transferId: `a${this.#keys}`, from: 'funding', to: 'spot' });
    this.must({ ...move, transferId: `b${this.#keys}`, from: 'spot', to: wallet });
  }

  liquidator(): AccountId {
    const account = this.person(NO_ATOMS);
    this.must({ type: 'SetLiquidator', account });
    return account;
  }

  insurance(amount: Atoms, asset: AssetId = USDC): void {
    this.#keys += 1;
    this.must({ type: 'FundBudget', budget: 'insurance', asset, amount, key: `i${this.#keys}` });
  }

  round(market: number, price: number, sources = 3): readonly Event[] {
    const index = Array.from({ length: sources }, (_, place) => ({ source: `s${place}`, price: ticks(price), ageMs: 0, weight: 1 }));
    return this.must({ type: 'SubmitPrices', market: marketId(market), index, external: [] });
  }

  /** Three seconds later, a round of each contract that is named. */
  prices(by: Readonly<Record<number, number>>): readonly Event[] {
    this.at += 3_000;
    return Object.entries(by).flatMap(([market, price]) => this.round(Number(market), price));
  }

  /** The same for all contracts, some rounds long. */
  all(price: number, rounds = 1): readonly Event[] {
    const events: Event[] = [];
    for (let round = 0; round < rounds; round += 1)
      events.push(...this.prices(Object.fromEntries(this.contracts.map(({ market }) => [market, price]))));
    return events;
  }

  /** A limit order, or a market order at price 0. */
  order(account: AccountId, side: Side, size: number, price: number, words: OrderWords = {}): PlaceContractOrder {
    const { market = this.contracts[0]?.market ?? 0, positionSide = 'both', reduceOnly = false } = words;
    return {
      type: 'PlaceContractOrder',
      account,
      market: marketId(market),
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
      contract: { positionSide, reduceOnly, closePosition: false, triggerBy: 'last', trailingPpm: ppm(0), source: 'plain' },
      takeProfit: NO_TRIGGER,
      stopLoss: NO_TRIGGER,
    };
  }

  /** Both at one price: the buyer is long afterwards. */
  trade(buyer: AccountId, seller: AccountId, size: number, price: number, words: OrderWords = {}): void {
    this.must(this.order(seller, 'sell', size, price, words));
    this.must(this.order(buyer, 'buy', size, price, words));
  }

  leverage(
    account: AccountId,
    leverage: number,
    market: number = this.contracts[0]?.market ?? 0,
    positionSide: PositionSide = 'both',
  ): void {
    this.must({ type: 'SetLeverage', account, market: marketId(market), positionSide, leverage });
  }

  snapshot(): Snapshot {
    return decodeSnapshot(this.engine.encodeState());
  }

  position(account: AccountId, market: number = this.contracts[0]?.market ?? 0, side: PositionSide = 'both'): PositionSnapshot | undefined {
    return this.snapshot().positions.find(
      (one) => one.account === account && one.market === market && one.positionSide === side && one.size !== 0,
    );
  }

  /** Free and held. */
  wallet(account: AccountId, asset: AssetId = USDC, wallet: Wallet = 'futures'): bigint {
    const found = this.snapshot().balances.find((one) => one.account === account && one.wallet === wallet && one.asset === asset);
    return found === undefined ? 0n : found.free + found.held;
  }

  system(system: SystemAccount, asset: AssetId = USDC): bigint {
    return this.snapshot().systemBalances.find((one) => one.system === system && one.asset === asset)?.free ?? 0n;
  }

  /** R1: the same commands make the same state, and so does a state that was restored. */
  replay(): void {
    const replayed = createEngine();
    for (const command of this.history) replayed.apply(command);
    const bytes = this.engine.encodeState();
    assert(Buffer.compare(replayed.encodeState(), bytes) === 0, 'R1: a replay has the same state bytes');
    assert(Buffer.compare(decodeState(bytes).encodeState(), bytes) === 0, 'R1: a restored state has the same bytes');
  }
}

export const sizeOf = (position: Pick<Position, 'size'> | undefined): number => position?.size ?? 0;
