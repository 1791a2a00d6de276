/**
 * An exchange with many open positions in one contract, each of its own account. A few longs are near the edge: their money hardly exceeds their
 * maintenance margin, as a fall of the price leaves it. All others have money for any price.
 */
import { createEngine, decodeState, type Engine } from '@orrery/engine';
import type { Command, Event, Side } from '@orrery/protocol';
import {
  accountId,
  assert,
  assetId,
  atoms,
  lots,
  marketId,
  millis,
  NO_ATOMS,
  NO_TICKS,
  parseAddress,
  ppm,
  seq,
  ticks,
} from '@orrery/units';
import { LATEST_RULES } from '@orrery/rules';
import type { AccountId, Atoms } from '@orrery/units';
import { inContract } from './busy-flow.ts';
import { listingOfContract, marginOf, opening } from './opening.ts';

const CONTRACT = marketId(2);
const USDC = assetId(1);
/** Where the positions are opened. */
const OPENED_AT = 1_000_000;
/** Where they stand: those near the edge have 0.1 % of their notional more than they must keep. */
export const EDGE = 988_000;
/** Those near the edge are below their maintenance margin here, and still have money. */
export const BEYOND_THE_EDGE = 985_000;
/** Here they have lost more than they had. */
export const BANKRUPT = 970_000;
const SIZE = 1_000;
const NOTIONAL = BigInt(OPENED_AT * SIZE);
/** At 40 × an opening needs 2.5 % and the fee; maintenance is 1.25 %. */
const NEAR_MARGIN = atoms((NOTIONAL * 256n) / 10_000n);
const SAFE_MARGIN = atoms(NOTIONAL);
const ROUND_MS = 3_000;
const HOUR_MS = 3_600_000;
/** An hour begins: funding is due an hour later. */
const START = 1_789_999_200_000;

export interface CrowdOptions {
  /** Half of them long, half of them short. */
  readonly positions: number;
  /** How many longs are near the edge. */
  readonly near: number;
  /** Whether the insurance fund has money; without it the other side pays what a bankrupt position lacks. Yes unless given. */
  readonly insured?: boolean;
}

/** A command and what it took. */
export interface Answer {
  readonly events: readonly Event[];
  /** Milliseconds: too short for the clock of processor time, which steps by 4 ms on some machines. */
  readonly ms: number;
}

export class Crowd {
  #engine: Engine = createEngine();
  #seq = 0;
  #at = START;

  constructor({ positions, near, insured = true }: CrowdOptions) {
    for (const command of opening({ accounts: 0, markets: 1 })) this.#give(command);
    for (const command of listingOfContract(CONTRACT)) this.#give(command);
    this.#give({ type: 'UpgradeRules', version: LATEST_RULES });
    if (insured) this.#give({ type: 'FundBudget', budget: 'insurance', asset: USDC, amount: atoms(10n ** 15n), key: 'insurance' });
    // The account of the book, the liquidator, then a short and a long in turn.
    const maker = this.#open(1, atoms(10n ** 17n));
    this.#give({ type: 'SetLiquidator', account: this.#open(2, NO_ATOMS) });
    this.#settle(OPENED_AT);
    for (let pair = 0; pair < positions / 2; pair += 1) this.#openPair(3 + 2 * pair, pair < near ? NEAR_MARGIN : SAFE_MARGIN);
    // Both sides of the book are as far from the mark, so that the book does not move it; the bids take what liquidations close.
    this.#order(maker, 'buy', EDGE - 4_000, SIZE * near);
    this.#order(maker, 'sell', EDGE + 4_000, SIZE * near);
    for (const price of [994_000, EDGE, EDGE, EDGE]) this.price(price);
  }

  /** A round of prices that all sources agree on, and what it leaves over, command by command. */
  price(price: number): readonly Answer[] {
    this.#at += ROUND_MS;
    const index = ['a', 'b', 'c'].map((source) => ({ source, price: ticks(price), ageMs: 0, weight: 1 }));
    const external = index.map(({ source, ageMs }) => ({ source, price: ticks(price), ageMs }));
    return this.#giveAll({ type: 'SubmitPrices', market: CONTRACT, index, external });
  }

  /** The next funding, behind the rounds after which prices are relied on again, and its sweep, command by command. */
  fund(): readonly Answer[] {
    const interval = this.#at - (this.#at % HOUR_MS) + HOUR_MS;
    this.#at = interval;
    this.#settle(EDGE);
    return this.#giveAll({ type: 'SettleFunding', market: CONTRACT, interval: millis(interval) });
  }

  /** Everything is as it was, but the engine knows no bounds, and the next three rounds liquidate nobody. */
  restart(): void {
    this.#engine = decodeState(this.#engine.encodeState());
    this.#give({ type: 'ResetPrices' });
  }

  /** As many rounds as it takes until the prices are relied on. */
  #settle(price: number): void {
    for (let round = 0; round < 4; round += 1) this.price(price);
  }

  #giveAll(command: Command): readonly Answer[] {
    const answers = [this.#give(command)];
    for (let next = this.#engine.continuation(); next !== undefined; next = this.#engine.continuation()) answers.push(this.#give(next));
    return answers;
  }

  #openPair(first: number, margin: Atoms): void {
    const seller = this.#open(first, SAFE_MARGIN);
    const buyer = this.#open(first + 1, margin);
    this.#give({ type: 'SetLeverage', account: buyer, market: CONTRACT, positionSide: 'both', leverage: 40 });
    this.#order(seller, 'sell', OPENED_AT, SIZE);
    this.#order(buyer, 'buy', OPENED_AT, SIZE);
  }

  #open(id: number, margin: Atoms): AccountId {
    const account = accountId(id);
    const address = parseAddress(`0x${id.toString(16).padStart(40, '0')}`);
    assert(address !== undefined, 'an address of 40 hex digits');
    this.#give({ type: 'OpenAccount', address });
    for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
      this.#give({ type: 'SetAccountFlag', account, flag, value: true });
    if (margin === NO_ATOMS) return account;
    this.#give({ type: 'CreditDeposit', key: `${id}`, address, asset: USDC, amount: margin });
    this.#give({ type: 'Transfer', account, transferId: 'in', asset: USDC, amount: margin, from: 'funding', to: 'spot' });
    this.#give(marginOf(account, margin));
    return account;
  }

  #order(account: AccountId, side: Side, price: number, size: number): void {
    const order = {
      type: 'PlaceOrder',
      account,
      market: CONTRACT,
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
    } as const;
    this.#give(inContract(order, CONTRACT));
  }

  #give(command: Command): Answer {
    this.#seq += 1;
    const sequenced = { seq: seq(this.#seq), at: millis(this.#at), command };
    const started = performance.now();
    const events = this.#engine.apply(sequenced);
    const ms = performance.now() - started;
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new Error(`${command.type}: ${first.reason} ${first.field}`);
    return { events, ms };
  }
}
