/** One client: gives orders by its character, remembers what it was told, and holds the exchange to it. */
import type { CreateOrder } from '@orrery/api';
import type { Wallet } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';
import type { ChainSite } from '../chain/chain-site.ts';
import { hashOf } from '../chain/sim-chain.ts';
import type { Chance } from '../chance.ts';
import type { Meters } from '../meters.ts';
import type { Witness } from '../oracle/witness.ts';
import { MINUTE, SECOND } from '../plan.ts';
import type { Timeline } from '../timeline.ts';
import { Violation } from '../violation.ts';
import { dustOrder, malformedOrder, quote, traderOrder, washOrder, whaleOrder, type Sight } from './order-flow.ts';
import { checkBalances } from './read-check.ts';
import type { Outcome, Patience, Remote } from './remote.ts';

export type Character = 'trader' | 'marketMaker' | 'dustFarmer' | 'whale' | 'washer';

export interface PersonParts {
  readonly name: string;
  readonly character: Character;
  readonly account: AccountId;
  readonly address: Address;
  readonly token: string;
  readonly remote: Remote;
  readonly chance: Chance;
  readonly timeline: Timeline;
  readonly witness: Witness;
  readonly meters: Meters;
  readonly thinkMs: number;
  readonly sights: () => readonly Sight[];
  readonly site: ChainSite | undefined;
  readonly onViolation: (error: unknown) => void;
}

/** What was asked under a name and never answered. */
interface Unknown {
  readonly kind: 'order' | 'transfer' | 'withdrawal';
  readonly name: string;
}

/** The last of them does not exist. */
const ROUTES: readonly [[Wallet, Wallet], ...[Wallet, Wallet][]] = [
  ['funding', 'spot'],
  ['spot', 'funding'],
  ['spot', 'futures'],
  ['futures', 'spot'],
  ['futures', 'funding'],
];
const LEVELS = 4;
const KNOWN_ORDERS = 60;

type Listed = 'orderHistory' | 'transfers' | 'withdrawals';
type Route = Parameters<Remote['call']>[0]['route'];

export class Person {
  readonly unknowns: Unknown[] = [];
  readonly #parts: PersonParts;
  #names = 0;
  #isQuiet = false;
  #isActing = false;
  #lastSeq = 0;
  #orders: string[] = [];

  constructor(parts: PersonParts) {
    this.#parts = parts;
  }

  get name(): string {
    return this.#parts.name;
  }

  get account(): AccountId {
    return this.#parts.account;
  }

  get isActing(): boolean {
    return this.#isActing;
  }

  /** Gives nothing new any more; what was begun is ended. */
  becomeQuiet(): void {
    this.#isQuiet = true;
  }

  async live(): Promise<void> {
    const { timeline, chance, thinkMs, onViolation } = this.#parts;
    while (!this.#isQuiet) {
      await new Promise<void>((resolve) => timeline.after(chance.exponential(thinkMs), resolve));
      if (this.#isQuiet) return;
      this.#isActing = true;
      try {
        await this.#act();
      } catch (error) {
        onViolation(error);
        return;
      } finally {
        this.#isActing = false;
      }
    }
  }

  /** When all is well again: every unknown is looked up, and is what the history says, once. */
  async resolveUnknowns(): Promise<void> {
    const unknowns = this.unknowns.splice(0);
    if (unknowns.length === 0) return;
    const closed = await this.#namesOf('orderHistory', { size: '100' });
    const transfers = await this.#namesOf('transfers', { pageSize: '100' });
    const withdrawals = await this.#namesOf('withdrawals', { pageSize: '100' });
    for (const { kind, name } of unknowns) {
      const isFound =
        kind === 'order'
          ? await this.#findOrder(name, closed)
          : kind === 'transfer'
            ? this.#findTransfer(name, transfers)
            : withdrawals.has(name) && this.#mustBeHeld(name);
      this.#parts.meters.count(`unknown ${kind} was ${isFound ? 'there' : 'not there'}`);
    }
  }

  async #act(): Promise<void> {
    const { character, chance } = this.#parts;
    const dice = chance.below(100);
    if (character === 'marketMaker') return dice < 60 ? this.#quote() : dice < 80 ? this.#cancelAll() : this.#read();
    if (dice < 3) return this.#deposit();
    if (dice < 6) return this.#withdraw();
    if (dice < 62) return this.#place();
    if (dice < 72) return this.#cancel();
    if (dice < 80) return this.#amend();
    if (dice < 82) return this.#cancelAll();
    if (dice < 87) return this.#transfer();
    if (dice < 90) return this.#malformed();
    return this.#read();
  }

  #sight(): Sight | undefined {
    return this.#parts.chance.some(this.#parts.sights());
  }

  #order(sight: Sight): CreateOrder {
    const { character, chance } = this.#parts;
    switch (character) {
      case 'dustFarmer':
        return dustOrder(sight, chance);
      case 'whale':
        return chance.oneIn(3) ? traderOrder(sight, chance) : whaleOrder(sight, chance);
      case 'washer':
        return washOrder(sight, chance);
      default:
        return traderOrder(sight, chance);
    }
  }

  async #place(): Promise<void> {
    const sight = this.#sight();
    if (sight === undefined) return;
    const clientOrderId = this.#newName();
    const outcome = await this.#call({ route: 'createOrder', body: { ...this.#order(sight), clientOrderId } });
    this.#settleOrder(clientOrderId, outcome);
  }

  async #amend(): Promise<void> {
    const { chance } = this.#parts;
    const orderId = chance.some(this.#orders);
    const sight = this.#sight();
    if (orderId === undefined || sight === undefined) return;
    const clientOrderId = this.#newName();
    const { price, totalAmount } = traderOrder(sight, chance);
    const body = { orderId, clientOrderId, ...(price === undefined || chance.oneIn(2) ? { totalAmount: totalAmount ?? '1' } : { price }) };
    this.#settleOrder(clientOrderId, await this.#call({ route: 'updateOrder', body }));
  }

  async #quote(): Promise<void> {
    const { chance } = this.#parts;
    const sight = this.#sight();
    if (sight === undefined) return;
    const names: string[] = [];
    const orders = Array.from({ length: 2 * LEVELS }, (_, index) => {
      const clientOrderId = this.#newName();
      names.push(clientOrderId);
      return { ...quote(sight, chance, { direction: index % 2 === 0 ? 'BUY' : 'SELL', depth: index >> 1 }), clientOrderId };
    });
    const outcome = await this.#call({ route: 'createOrders', body: { orders } });
    if (outcome.kind === 'ok') this.#settleBatch(names, outcome);
    else this.#rememberUnknown(outcome, names);
    if (this.#orders.length > KNOWN_ORDERS) await this.#cancelAll();
  }

  #settleBatch(names: readonly string[], outcome: Extract<Outcome, { kind: 'ok' }>): void {
    const items = Array.isArray(outcome.data) ? outcome.data : [];
    for (const [index, name] of names.entries()) {
      const item: unknown = items[index];
      const orderId = typeof item === 'object' && item !== null && 'data' in item && typeof item.data === 'string' ? item.data : undefined;
      // One that was refused may have been refused for now only: history must tell.
      if (orderId === undefined) this.unknowns.push({ kind: 'order', name });
      else this.#accepted(name, orderId, outcome.seq ?? 0);
    }
    this.#parts.meters.count('batch answered');
  }

  async #cancel(): Promise<void> {
    const orderId = this.#parts.chance.some(this.#orders);
    if (orderId === undefined) return;
    const outcome = await this.#call({ route: 'cancelOrder', body: { orderId } });
    if (outcome.kind === 'unknown') return;
    this.#orders = this.#orders.filter((known) => known !== orderId);
    if (outcome.kind === 'ok') this.#acknowledge(outcome, orderId);
  }

  async #cancelAll(): Promise<void> {
    const outcome = await this.#call({ route: 'cancelAllOrders', body: {} });
    if (outcome.kind === 'unknown') return;
    this.#orders = [];
    if (outcome.kind === 'ok') this.#acknowledge(outcome, undefined);
  }

  async #transfer(): Promise<void> {
    const { chance } = this.#parts;
    const transferId = this.#newName();
    const [from, to] = chance.pick(ROUTES);
    const body = {
      transferId,
      coin: chance.pick(['USDC', 'BTC', 'USDC']),
      amount: `${chance.between(0, 500)}.${chance.between(1, 999)}`,
      from,
      to,
    };
    const outcome = await this.#call({ route: 'transfer', body });
    if (outcome.kind === 'ok') this.#acknowledge(outcome, undefined);
    else if (outcome.kind === 'unknown' || outcome.arrivals > 1) this.unknowns.push({ kind: 'transfer', name: transferId });
    else if (this.#parts.witness.isTransferred(this.#parts.account, transferId))
      throw new Violation('O7', `transfer ${transferId} of ${this.name} was refused (${outcome.reason}) and was made`);
  }

  async #deposit(): Promise<void> {
    const { site, chance, address } = this.#parts;
    const coin = chance.pick(['USDC', 'BTC', 'WSOSO']);
    await site?.deposit({ recipient: address, coin, amount: BigInt(chance.between(1, 1_000_000_000)) });
  }

  async #withdraw(): Promise<void> {
    const { chance, site, address } = this.#parts;
    if (site === undefined) return;
    const name = this.#newName();
    const withdrawalId = hashOf(name);
    // Now and then to where the vault never pays.
    const to = chance.oneIn(12) ? site.chain.deployment.vault : address;
    const coin = chance.pick(['USDC', 'BTC', 'WSOSO']);
    const amount = `0.${String(chance.between(1, 999_999)).padStart(6, '0')}`;
    const body = { withdrawalId, coin, amount, to, nonce: 'simulated0', signature: '0x00', message: name };
    const outcome = await this.#call({ route: 'withdraw', body });
    this.#parts.meters.count(`withdrawal ${outcome.kind}`);
    if (outcome.kind === 'ok') this.#acknowledge(outcome, undefined);
    else if (outcome.kind === 'unknown' || outcome.arrivals > 1) this.unknowns.push({ kind: 'withdrawal', name: withdrawalId });
  }

  async #malformed(): Promise<void> {
    const sight = this.#sight();
    if (sight === undefined) return;
    const outcome = await this.#call({ route: 'createOrder', body: malformedOrder(sight, this.#parts.chance) });
    if (outcome.kind === 'refused') this.#parts.meters.count(`refused as malformed: ${outcome.reason}`);
  }

  async #read(): Promise<void> {
    const { chance, witness, account } = this.#parts;
    const minSeq = this.#lastSeq;
    const query = minSeq === 0 ? {} : { minSeq: String(minSeq) };
    if (chance.oneIn(2)) {
      const outcome = await this.#call({ route: 'balances', query });
      if (outcome.kind === 'ok') checkBalances(outcome.data, { witness, account, minSeq });
      return;
    }
    const outcome = await this.#call({ route: 'openOrders', query: { ...query, size: '100' } });
    if (outcome.kind === 'ok') this.#parts.meters.count('open orders read');
  }

  #settleOrder(clientOrderId: string, outcome: Outcome): void {
    const { witness, account } = this.#parts;
    if (outcome.kind === 'ok') {
      const orderId = String(outcome.data);
      this.#acknowledge(outcome, orderId);
      this.#accepted(clientOrderId, orderId, outcome.seq ?? 0);
      return;
    }
    this.#rememberUnknown(outcome, [clientOrderId]);
    if (outcome.kind === 'refused' && outcome.arrivals === 1 && witness.ordersNamed(account, clientOrderId).length > 0)
      throw new Violation('O7', `order ${clientOrderId} of ${this.name} was refused (${outcome.reason}) and was accepted`);
  }

  /** A refusal of one of several arrivals says nothing of the others. */
  #rememberUnknown(outcome: Outcome, names: readonly string[]): void {
    this.#parts.meters.count(`order ${outcome.kind}`);
    if (outcome.kind === 'unknown' || outcome.arrivals > 1) for (const name of names) this.unknowns.push({ kind: 'order', name });
  }

  #accepted(name: string, orderId: string, seq: number): void {
    this.#parts.meters.count('order accepted');
    this.#orders.push(orderId);
    if (this.#orders.length > 2 * KNOWN_ORDERS) this.#orders.splice(0, KNOWN_ORDERS);
    const { witness, account } = this.#parts;
    const named = witness.ordersNamed(account, name);
    if (named.length > 1) throw new Violation('R3', `order ${name} of ${this.name} was accepted ${named.length} times`);
    if (witness.seq >= seq && named.every(({ orderId: other }) => String(other) !== orderId))
      throw new Violation(
        'O7',
        `order ${name} of ${this.name} is ${named[0]?.orderId ?? 'unknown to history'}, and ${orderId} was answered`,
      );
  }

  #acknowledge({ seq }: Extract<Outcome, { kind: 'ok' }>, orderId: string | undefined): void {
    if (seq === undefined || seq === 0) return;
    this.#lastSeq = Math.max(this.#lastSeq, seq);
    this.#parts.witness.acknowledge({ seq, account: this.#parts.account, orderId });
  }

  /** By its name while it is open, else among those that are over. */
  async #findOrder(name: string, closed: ReadonlyMap<string, string>): Promise<boolean> {
    const { witness, account } = this.#parts;
    const known = closed.get(name);
    const open = known === undefined ? await this.#ask({ route: 'order', query: { clientOrderId: name, ...this.#minSeq() } }) : undefined;
    const found = open?.kind === 'ok' ? field(open.data, 'orderId') : known;
    const named = witness.ordersNamed(account, name);
    if (named.length > 1) throw new Violation('R3', `order ${name} of ${this.name} was accepted ${named.length} times`);
    const expected = named[0] === undefined ? undefined : String(named[0].orderId);
    if (found !== expected)
      throw new Violation('J1', `order ${name} of ${this.name} is found as ${found ?? 'nothing'}, and is ${expected ?? 'nothing'}`);
    return found !== undefined;
  }

  #mustBeHeld(withdrawalId: string): true {
    if (this.#parts.witness.isHeld(withdrawalId)) return true;
    throw new Violation('J1', `withdrawal ${withdrawalId} of ${this.name} is found, and was never held`);
  }

  #findTransfer(name: string, transfers: ReadonlyMap<string, string>): boolean {
    const [isFound, isMade] = [transfers.has(name), this.#parts.witness.isTransferred(this.#parts.account, name)];
    if (isFound === isMade) return isFound;
    throw new Violation('J1', `transfer ${name} of ${this.name} is ${isMade ? '' : 'not '}made, and is ${isFound ? '' : 'not '}found`);
  }

  /** Of all that is over: order ids by the client's names, or transfers by theirs. */
  async #namesOf(route: Listed, query: Readonly<Record<string, string>>): Promise<ReadonlyMap<string, string>> {
    const names = new Map<string, string>();
    for await (const item of this.#pages(route, query)) {
      names.set(
        field(item, 'clientOrderId') ?? field(item, 'transferId') ?? field(item, 'withdrawalId') ?? '',
        field(item, 'orderId') ?? '',
      );
    }
    return names;
  }

  async *#pages(route: Listed, query: Readonly<Record<string, string>>): AsyncGenerator<unknown, void> {
    for (let page = 1; ; page += 1) {
      const outcome = await this.#ask({ route, query: { ...query, ...this.#minSeq(), page: String(page) } });
      const items = outcome.kind === 'ok' ? listOf(outcome.data) : [];
      yield* items;
      if (items.length < 100) return;
    }
  }

  /** Patiently: all is well, and an answer must come. */
  async #ask(call: { readonly route: Route; readonly query: Readonly<Record<string, string>> }): Promise<Outcome> {
    const { remote, token } = this.#parts;
    const outcome = await remote.call({ ...call, token }, { deadlineMs: MINUTE, retryMs: 2 * SECOND });
    if (outcome.kind === 'unknown') throw new Violation('liveness', `${this.name} is not answered what ${call.route} says`);
    return outcome;
  }

  #minSeq(): Readonly<Record<string, string>> {
    return { minSeq: String(this.#parts.witness.acknowledged) };
  }

  /** With the promise that whoever was answered before this was asked comes before it in history. */
  async #call(call: {
    readonly route: Route;
    readonly query?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  }): Promise<Outcome> {
    const { remote, token, witness, meters } = this.#parts;
    const before = witness.acknowledged;
    const outcome = await remote.call({ ...call, token }, this.#patience());
    meters.count(`call ${outcome.kind}`);
    if (outcome.kind === 'ok' && outcome.seq !== undefined && outcome.seq !== 0 && outcome.seq <= before)
      throw new Violation('R2', `an answer by command ${outcome.seq} to a call made after command ${before} was acknowledged`);
    return outcome;
  }

  #patience(): Patience {
    const { chance } = this.#parts;
    return { deadlineMs: chance.magnitude(2 * SECOND, 40 * SECOND), retryMs: chance.magnitude(300, 5 * SECOND) };
  }

  #newName(): string {
    this.#names += 1;
    return `${this.#parts.name}-${this.#names}`;
  }
}

function field(item: unknown, name: string): string | undefined {
  const value: unknown = typeof item === 'object' && item !== null ? Reflect.get(item, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** One family of calls says `items`, the other `list`. */
function listOf(data: unknown): readonly unknown[] {
  if (typeof data !== 'object' || data === null) return [];
  const items: unknown = Reflect.get(data, 'items') ?? Reflect.get(data, 'list');
  return Array.isArray(items) ? items : [];
}
