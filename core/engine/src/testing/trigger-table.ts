/**
 * An exchange with one linear contract, for tests of its orders: alice, bob and carol, each with 1,000,000 USDC in futures. A price of 1 tick and a size
 * of 1 lot are worth 1 USDC atom, so that every number can be checked by mental arithmetic.
 */
import { assert, assetId, atoms, lots, marketId, millis, NO_ATOMS, NO_TICKS, orderId, ppm, seq, ticks } from '@orrery/units';
import { LATEST_RULES } from '@orrery/rules';
import type { AttachedTrigger, Command, Contract, ContractTerms, Event, OrderTerms, PlaceContractOrder, Side } from '@orrery/protocol';
import { createEngine, decodeState, type Engine } from '../engine.ts';
import { printEvents } from './tape-events.ts';
import { accountOf, addressOf, PEOPLE } from './tape-people.ts';

export const CONTRACT: Contract = {
  market: marketId(7),
  symbol: 'BTC_USDC',
  baseCode: 'BTC',
  quoteCode: 'USDC',
  payoff: 'linear',
  settle: assetId(1),
  pricePrecision: 0,
  sizePrecision: 0,
  tickLotAtoms: atoms(1n),
  minPrice: ticks(10),
  maxPrice: ticks(1_000),
  minSize: lots(1),
  maxSize: lots(500),
  minNotional: atoms(50n),
  maxNotional: atoms(400_000n),
  makerFeePpm: ppm(0),
  takerFeePpm: ppm(0),
  limitBandPpm: ppm(900_000),
  marketBandPpm: ppm(900_000),
  maxOpenOrders: 200,
  initLeverage: 10,
  tiers: [{ maxNotional: atoms(10_000_000n), maxLeverage: 20 }],
  openInterestCap: lots(100_000),
  impactNotional: atoms(1_000n),
  fundingIntervalMs: 3_600_000,
  interestPpm8h: ppm(100),
  fundingCapPpm: ppm(40_000),
  partialLiquidationAbove: atoms(1_000_000_000n),
  partialLiquidationPpm: ppm(200_000),
  liquidationCooldownMs: 30_000,
};

const NONE: AttachedTrigger = { triggerPrice: NO_TICKS, triggerBy: 'last', price: NO_TICKS };

export interface Words extends Partial<Omit<ContractTerms, 'trailingPpm'>> {
  /** The limit; a market order without it. */
  readonly at?: number;
  readonly stop?: number;
  readonly id?: string;
  readonly trail?: number;
  readonly takeProfit?: number;
  readonly stopLoss?: number;
}

export function contractOrder(who: string, side: Side, size: number, words: Words = {}): PlaceContractOrder {
  const { at, stop, trail = 0, id = '', takeProfit, stopLoss, ...terms } = words;
  const waits = stop !== undefined || trail > 0;
  const orderType: OrderTerms['orderType'] = at === undefined ? (waits ? 'stopMarket' : 'market') : waits ? 'stopLimit' : 'limit';
  const attached = (price?: number): AttachedTrigger => (price === undefined ? NONE : { ...NONE, triggerPrice: ticks(price) });
  return {
    type: 'PlaceContractOrder',
    account: accountOf(who),
    market: CONTRACT.market,
    clientOrderId: id,
    side,
    orderType,
    timeInForce: at === undefined ? 'IOC' : 'GTC',
    price: ticks(at ?? 0),
    size: lots(size),
    funds: NO_ATOMS,
    triggerPrice: ticks(stop ?? 0),
    slippagePpm: ppm(at === undefined ? 900_000 : 0),
    selfTradePrevention: 'expireTaker',
    contract: {
      positionSide: 'both',
      reduceOnly: false,
      closePosition: false,
      triggerBy: 'last',
      source: 'plain',
      ...terms,
      trailingPpm: ppm(trail),
    },
    takeProfit: attached(takeProfit),
    stopLoss: attached(stopLoss),
  };
}

export class TriggerTable {
  #engine: Engine = createEngine();
  #seq = 0;
  #price = 0;
  #pricedAt = 0;
  #rounds = 0;
  readonly #positions = new Map<number, number>();
  at = 1_000_000;

  constructor(terms: Partial<Contract> = {}) {
    this.give({ type: 'RegisterAsset', asset: assetId(1), code: 'USDC', decimals: 0, kind: 'chain' });
    this.#take({ type: 'UpgradeRules', version: LATEST_RULES });
    this.#take({ type: 'RegisterContract', ...CONTRACT, ...terms });
    for (const who of PEOPLE) this.#open(who);
    this.#price = 100;
  }

  get engine(): Engine {
    return this.#engine;
  }

  give(command: Command): readonly Event[] {
    if (command.type !== 'SubmitPrices') for (let round = this.roundDue(); round !== undefined; round = this.roundDue()) this.apply(round);
    return this.apply(command);
  }

  /** A round of the last price, without which the contract is not open now. `give` gives it by itself, and says nothing of it. */
  roundDue(): Command | undefined {
    if (this.#price === 0 || (this.#rounds >= 3 && this.at - this.#pricedAt <= 20_000)) return undefined;
    const index = ['one', 'two', 'three'].map((source) => ({ source, price: ticks(this.#price), ageMs: 0, weight: 1 }));
    return { type: 'SubmitPrices', market: CONTRACT.market, index, external: [] };
  }

  /** The command alone, whether the contract is open or not. */
  apply(command: Command): readonly Event[] {
    this.#seq += 1;
    const events = this.#engine.apply({ seq: seq(this.#seq), at: millis(this.at), command });
    for (const event of events) {
      if (event.type === 'PositionChanged') this.#positions.set(event.account, event.size);
      if (event.type !== 'PricesSet') continue;
      this.#rounds = event.freshRounds;
      this.#pricedAt = this.at;
      this.#price = event.index;
    }
    assert(this.#engine.imbalance() === undefined, 'M1: everything sums to zero');
    return events;
  }

  /** Gives a command and prints what came of it, but for positions and balances. */
  emit(command: Command): string {
    return printEvents(this.give(command).filter(({ type }) => !HIDDEN.has(type)));
  }

  /** The same of the command alone: without a round that is due. */
  alone(command: Command): string {
    return printEvents(this.apply(command).filter(({ type }) => !HIDDEN.has(type)));
  }

  place(who: string, side: Side, size: number, words: Words = {}): string {
    return this.emit(contractOrder(who, side, size, words));
  }

  /** The continuations that the sequencer places, until there is none. */
  settle(): string {
    const emitted: string[] = [];
    for (let next = this.#engine.continuation(); next !== undefined; next = this.#engine.continuation()) emitted.push(this.emit(next));
    return emitted.join(' / ');
  }

  /** The signed size of a person's position. */
  position(who: string): number {
    return this.#positions.get(accountOf(who)) ?? 0;
  }

  /** Goes on with an engine that has read the bytes of this one. */
  restart(): void {
    const bytes = this.#engine.encodeState();
    this.#engine = decodeState(bytes);
    assert(Buffer.from(this.#engine.encodeState()).equals(Buffer.from(bytes)), 'R1: a restored state has the bytes it was restored from');
  }

  #take(command: Command): void {
    const refused = this.give(command).find(({ type }) => type === 'CommandRejected');
    assert(refused === undefined, `the opening takes ${command.type}: ${JSON.stringify(refused)}`);
  }

  #open(who: string): void {
    const account = accountOf(who);
    this.give({ type: 'OpenAccount', address: addressOf(who) });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.give({ type: 'SetAccountFlag', account, flag, value: true });
    const money = { asset: assetId(1), amount: atoms(1_000_000n) };
    this.#take({ type: 'CreditDeposit', key: `deposit-${who}`, address: addressOf(who), ...money });
    this.#take({ type: 'Transfer', account, transferId: 'futures', from: 'funding', to: 'futures', ...money });
  }
}

const HIDDEN: ReadonlySet<string> = new Set(['BalanceChanged', 'PositionChanged', 'PositionReduced']);

export const cancelOf = (who: string, id: number): Command => ({
  type: 'CancelOrder',
  account: accountOf(who),
  orderId: orderId(id),
  clientOrderId: '',
});
