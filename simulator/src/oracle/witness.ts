/**
 * Records everything that the exchange emits, across all restarts, and checks it: an emitted event never changes and keeps its
 * order, and a second exchange, simple and slow, emits the same events for the same commands.
 */
import { createHash } from 'node:crypto';
import { createEngine } from '@orrery/engine';
import { assetByCode } from '@orrery/exchange/listing';
import type { Applied, Command, Event, HeartStatus, OrderAccepted, OrderAmended, OrderClosed, Wallet } from '@orrery/protocol';
import type { AccountId, AssetId, Atoms, Millis, OrderId } from '@orrery/units';
import { decodeSnapshot } from '../../../core/engine/src/snapshot/snapshot-codec.ts';
import { assertSound } from '../../../core/engine/src/testing/assert-sound.ts';
import { NaiveBooks } from '../../../core/engine/src/testing/naive-books.ts';
import { NaiveFunds } from '../../../core/engine/src/testing/naive-funds.ts';
import { NaivePerpetuals } from '../../../core/engine/src/testing/naive-perpetuals.ts';
import { NaiveExchange } from '../../../core/engine/src/testing/naive-exchange.ts';
import { OrderAuditor } from '../../../core/engine/src/testing/order-auditor.ts';
import { withoutFigures } from '../../../core/engine/src/testing/twins.ts';
import type { Meters } from '../meters.ts';
import { Violation } from '../violation.ts';
import { ContractAudit } from './contract-audit.ts';
import { HandAudit } from './hand-audit.ts';
import { OtcAudit } from './otc-audit.ts';
import { Fates } from './fates.ts';
import { differenceOf } from './same-events.ts';

export interface Acknowledgement {
  readonly seq: number;
  readonly account: AccountId;
  /** Of the order that was answered; undefined for what is not about one order. */
  readonly orderId: string | undefined;
}

export interface BalanceAt {
  readonly seq: number;
  readonly free: Atoms;
  readonly held: Atoms;
}

interface Named {
  readonly orderId: OrderId;
  readonly seq: number;
}

const SOUND_EVERY = 200;

export class Witness {
  readonly #fates: Fates;
  readonly #engine = createEngine();
  /** It knows no contracts: their books are compared with `#books`. */
  readonly #naive: NaiveExchange | undefined;
  readonly #positions = new NaivePerpetuals();
  readonly #books = new NaiveBooks();
  readonly #funds = new NaiveFunds();
  readonly #contracts = new ContractAudit();
  readonly #desk = new OtcAudit();
  /** Of the accounts of one owner. */
  readonly hand = new HandAudit(assetByCode('USDC').asset);
  readonly #auditor = new OrderAuditor();
  readonly #reported: Applied[] = [];
  readonly #named = new Map<string, Named[]>();
  /** What each order is called. */
  readonly #names = new Map<OrderId, string>();
  readonly #transfers = new Map<string, number>();
  readonly #held = new Set<string>();
  readonly #balances = new Map<string, BalanceAt[]>();
  readonly #hashes = new Map<number, string>();
  readonly #waiting: Acknowledgement[] = [];
  #acknowledged = 0;
  /** They hear every event too. */
  readonly alsoHears: ((events: readonly Event[]) => void)[] = [];

  /** @param kind spot: what the naive exchange knows is all that is traded */
  constructor(meters: Meters, kind: 'spot' | 'all') {
    this.#naive = kind === 'spot' ? new NaiveExchange() : undefined;
    this.#fates = new Fates(meters);
  }

  get seq(): number {
    return this.#reported.length;
  }

  /** The newest command that any client knows to be durable. */
  get acknowledged(): number {
    return this.#acknowledged;
  }

  get reported(): readonly Applied[] {
    return this.#reported;
  }

  /** The exchange has started: nothing that anybody knows may be missing. */
  started(status: HeartStatus): void {
    if (status.seq < this.#acknowledged) {
      throw new Violation('R2', `command ${this.#acknowledged} was acknowledged, and after the start history ends with ${status.seq}`);
    }
    if (status.seq < this.seq)
      throw new Violation('R7', `command ${this.seq} was reported, and after the start history ends with ${status.seq}`);
    this.expectHash(status);
  }

  /** The state at that place must be the one that the same commands lead to here. */
  expectHash({ stateHash, stateHashSeq }: HeartStatus): void {
    if (stateHashSeq > this.seq) this.#hashes.set(stateHashSeq, stateHash);
    else if (stateHashSeq === this.seq) this.#compareHash(stateHash);
  }

  hear(batch: readonly Applied[]): void {
    for (const applied of batch) this.#one(applied);
    for (const acknowledgement of this.#waiting.splice(0)) this.acknowledge(acknowledgement);
  }

  acknowledge(acknowledgement: Acknowledgement): void {
    const { seq, account, orderId } = acknowledgement;
    this.#acknowledged = Math.max(this.#acknowledged, seq);
    if (seq > this.seq) {
      this.#waiting.push(acknowledgement);
      return;
    }
    if (orderId === undefined) return;
    const events = this.#reported[seq - 1]?.events ?? [];
    const isTrue = events.some((event) => 'orderId' in event && event.account === account && String(event.orderId) === orderId);
    if (!isTrue) throw new Violation('R2', `order ${orderId} was acknowledged by command ${seq}, which does not report of it`);
  }

  /** Whether an order has this name now, or had it when it ended: an amendment may have given it another one. */
  isNamed(orderId: OrderId, clientOrderId: string): boolean {
    return this.#names.get(orderId) === clientOrderId;
  }

  /** The orders that were accepted under this name, in the order of history. */
  ordersNamed(account: AccountId, clientOrderId: string): readonly Named[] {
    return this.#named.get(`${account} ${clientOrderId}`) ?? [];
  }

  isTransferred(account: AccountId, transferId: string): boolean {
    return this.#transfers.has(`${account} ${transferId}`);
  }

  isHeld(withdrawalId: string): boolean {
    return this.#held.has(withdrawalId);
  }

  /** Every state of a balance, oldest first. */
  balancesOf(place: { account: AccountId; wallet: Wallet; asset: AssetId }): readonly BalanceAt[] {
    return this.#balances.get(keyOf(place)) ?? [];
  }

  stateHash(): string {
    return createHash('sha256').update(this.#engine.encodeState()).digest('hex');
  }

  /** What all accounts but the contra account have of it together. */
  ledgerTotal(asset: AssetId): bigint {
    const external = decodeSnapshot(this.#engine.encodeState()).systemBalances.find(
      (balance) => balance.system === 'EXTERNAL' && balance.asset === asset,
    );
    return external === undefined ? 0n : -(external.free + external.held);
  }

  assertSound(): void {
    try {
      const snapshot = decodeSnapshot(this.#engine.encodeState());
      assertSound(snapshot);
      this.#positions.compare(snapshot);
      this.#books.compare(snapshot);
      this.hand.compare(snapshot);
      this.#desk.compare(snapshot);
    } catch (cause) {
      if (cause instanceof Violation) throw cause;
      throw new Violation('M1, M3, M4, M10, O1, O2, O3, O5, O7, P1, P3, P9', cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #one(applied: Applied): void {
    const { seq, at, events } = applied;
    if (seq !== this.seq + 1) throw new Violation('J2', `after command ${this.seq} came ${seq}`);
    const before = this.#reported.at(-1);
    if (before !== undefined && at < before.at) throw new Violation('R8', `time ran backwards at command ${seq}`);
    const replayed = differenceOf(events, this.#engine.apply(applied));
    if (replayed !== undefined) throw new Violation('R1', `command ${seq} comes to something else when it is applied again: ${replayed}`);
    const naive = this.#naive === undefined ? undefined : differenceOf(events.map(withoutFigures), this.#naive.apply(applied));
    if (naive !== undefined) throw new Violation('O3', `command ${seq}: the naive exchange reports something else: ${naive}`);
    this.#audit(applied);
    this.#reported.push(applied);
    for (const event of events) this.#remember(event, seq);
    for (const hear of this.alsoHears) hear(events);
    this.#fates.hear(events);
    if (seq % SOUND_EVERY === 0) this.assertSound();
    const hash = this.#hashes.get(seq);
    if (hash !== undefined) this.#compareHash(hash);
  }

  #audit(applied: Applied): void {
    const { seq, at, command, events } = applied;
    try {
      this.#auditor.follow(events);
    } catch (cause) {
      throw new Violation('O1', `command ${seq}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
    this.#contracts.follow(seq, events);
    this.#desk.follow(applied);
    this.hand.follow(events);
    this.#auditFunds(seq, at, command, events);
    this.#positions.follow(events);
    try {
      this.#books.follow(command, events, at);
    } catch (cause) {
      throw new Violation('O3', `command ${seq}: the naive books: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
  }

  /** What a fund is worth, who has which shares of it and who is paid what, once its steps are done. */
  #auditFunds(seq: number, at: Millis, command: Command, events: readonly Event[]): void {
    try {
      this.#funds.follow(at, command, events);
      if (this.#engine.continuation()?.type !== 'ContinueFund') this.#funds.drained(at);
    } catch (cause) {
      throw new Violation('Q1 to Q5', `command ${seq}: ${cause instanceof Error ? cause.message : String(cause)}`, cause);
    }
  }

  #remember(event: Event, seq: number): void {
    if (names(event) && event.clientOrderId !== '') {
      const key = `${event.account} ${event.clientOrderId}`;
      const named = this.#named.get(key) ?? [];
      // An amendment may name its order as it is named already.
      this.#names.set(event.orderId, event.clientOrderId);
      const isKnown = event.type !== 'OrderAccepted' && named.some(({ orderId }) => orderId === event.orderId);
      if (!isKnown) this.#named.set(key, [...named, { orderId: event.orderId, seq }]);
    }
    if (event.type === 'Transferred') {
      const key = `${event.account} ${event.transferId}`;
      if (this.#transfers.has(key))
        throw new Violation('R3', `transfer ${key} was made twice, by command ${this.#transfers.get(key)} and ${seq}`);
      this.#transfers.set(key, seq);
    }
    if (event.type === 'WithdrawalHeld') this.#held.add(event.withdrawalId);
    if (event.type === 'BalanceChanged') {
      const { free, held } = event;
      const states = this.#balances.get(keyOf(event)) ?? [];
      states.push({ seq, free, held });
      this.#balances.set(keyOf(event), states);
    }
  }

  #compareHash(expected: string): void {
    if (this.stateHash() !== expected)
      throw new Violation('R1', `the state after command ${this.seq} has another hash than it had when it was reported`);
  }
}

/** What gives an order its client order id: its acceptance, or an amendment, which may end it. */
const names = (event: Event): event is OrderAccepted | OrderAmended | OrderClosed =>
  event.type === 'OrderAccepted' || event.type === 'OrderAmended' || (event.type === 'OrderClosed' && event.reason === 'amendedToFilled');

const keyOf = ({ account, wallet, asset }: { account: AccountId; wallet: Wallet; asset: AssetId }): string =>
  `${account} ${wallet} ${asset}`;
