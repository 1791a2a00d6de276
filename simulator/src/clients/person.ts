/** One client: places orders by its character; its memory checks the exchange against the answers it received. */
import type { CreateOrder } from '@orrery/api';
import type { Wallet } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';
import type { ChainSite } from '../chain/chain-site.ts';
import { hashOf } from '../chain/sim-chain.ts';
import type { Chance } from '../chance.ts';
import type { Meters } from '../meters.ts';
import type { Witness } from '../oracle/witness.ts';
import type { Timeline } from '../timeline.ts';
import { dustOrder, malformedOrder, pairOf, quote, type Sight, traderOrder, washOrder, whaleOrder } from './order-flow.ts';
import {
  futuresOrder,
  futuresProtection,
  futuresTerms,
  plan,
  twap,
  type FuturesCall,
  type FuturesSight,
  type Mode,
} from './futures-flow.ts';
import { handTerms, handTransfer, type Hand } from './hand.ts';
import { KNOWN_ORDERS, Memory, type OrderKind } from './memory.ts';
import { checkBalances } from './read-check.ts';
import type { Remote } from './remote.ts';
import { resolveUnknowns } from './resolve-unknowns.ts';
import { Voice } from './voice.ts';

export type Character = 'trader' | 'marketMaker' | 'dustFarmer' | 'whale' | 'washer' | 'futuresTrader' | 'handAccount';

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
  /** Of which it is an account, if it is one of a hand. */
  readonly hand: Hand;
  readonly sights: () => readonly Sight[];
  /** Of contracts; none where there are none. */
  readonly futures: () => readonly FuturesSight[];
  /** By the clock of the program's host. */
  readonly wallMs: () => number;
  readonly site: ChainSite | undefined;
  readonly onViolation: (error: unknown) => void;
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

export class Person {
  readonly #parts: PersonParts;
  readonly #voice: Voice;
  readonly #memory: Memory;
  readonly #mode: Mode;
  #isModeSet = false;
  #names = 0;
  #isQuiet = false;
  #isActing = false;

  constructor(parts: PersonParts) {
    this.#parts = parts;
    this.#voice = new Voice(parts);
    this.#memory = new Memory(parts);
    this.#mode = parts.character === 'futuresTrader' && parts.chance.oneIn(3) ? 'HEDGE' : 'ONE_WAY';
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
    const { name, account, witness, meters } = this.#parts;
    await resolveUnknowns(this.#memory.unknowns.splice(0), { name, account, witness, meters, voice: this.#voice });
  }

  async #act(): Promise<void> {
    const { character, chance } = this.#parts;
    const dice = chance.below(100);
    if (character === 'marketMaker') return dice < 60 ? this.#quote() : dice < 80 ? this.#cancelAll() : this.#read();
    if (character === 'futuresTrader') return this.#actInFutures(dice);
    if (character === 'handAccount') return this.#actInHand(dice);
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

  async #actInFutures(dice: number): Promise<void> {
    const { chance, futures } = this.#parts;
    const sight = chance.some(futures());
    if (sight === undefined || dice >= 94) return this.#read();
    // They set the mode before they begin; it is set again now and then, and is refused where there is a position or an order.
    if (!this.#isModeSet) return this.#setMode();
    const mode = this.#mode;
    if (dice < 55) return this.#order('createFuturesOrder', futuresOrder(sight, chance, mode), 'contractOrder');
    if (dice < 64) return this.#order('createPlan', plan(sight, chance, mode), 'plan');
    if (dice < 70) return this.#cancelInFutures();
    if (dice < 76) return this.#transfer();
    if (dice < 82) return this.#once(futuresProtection(sight, chance, mode));
    if (dice < 85) return this.#once({ route: 'createTwap', body: { ...twap(sight, chance, mode), clientOrderId: this.#newName() } });
    return this.#once(futuresTerms(sight, chance, { mode, now: this.#parts.wallMs() }));
  }

  async #actInHand(dice: number): Promise<void> {
    const { chance, futures, hand, name } = this.#parts;
    const sight = chance.some(futures().filter(({ contract }) => contract.payoff === 'linear'));
    if (sight === undefined || dice >= 97) return this.#read();
    if (dice < 70) return this.#order('createFuturesOrder', hand.order(sight, chance, name), 'contractOrder');
    if (dice < 82) return this.#move(handTransfer(chance));
    return this.#once(handTerms(sight, chance));
  }

  async #setMode(): Promise<void> {
    for (const underlyingType of ['U_BASED', 'COIN_BASED'])
      await this.#once({ route: 'changePositionMode', body: { positionMode: this.#mode, underlyingType } });
    this.#isModeSet = true;
  }

  async #order(
    route: 'createFuturesOrder' | 'createPlan',
    order: Readonly<Record<string, string | boolean>>,
    kind: OrderKind,
  ): Promise<void> {
    const clientOrderId = this.#newName();
    const outcome = await this.#voice.call({ route, body: { ...order, clientOrderId } });
    this.#memory.settleOrder(clientOrderId, outcome, kind);
    if (outcome.kind === 'ok' && order['max'] === true) this.#parts.meters.count('orders for the most');
  }

  /** What needs no name, or is found by none. */
  async #once(call: FuturesCall): Promise<void> {
    const outcome = await this.#voice.call(call);
    if (outcome.kind !== 'ok') return;
    this.#memory.acknowledge(outcome, undefined);
    this.#parts.meters.count(`answered ${call.route}`);
  }

  async #cancelInFutures(): Promise<void> {
    const orderId = this.#parts.chance.some(this.#memory.orders);
    if (orderId === undefined) return;
    const outcome = await this.#voice.call({ route: 'cancelFuturesOrder', body: { orderId } });
    if (outcome.kind === 'unknown') return;
    this.#memory.orders = this.#memory.orders.filter((known) => known !== orderId);
    if (outcome.kind === 'ok') this.#memory.acknowledge(outcome, orderId);
  }

  #sight(): Sight | undefined {
    return this.#parts.chance.some(this.#parts.sights());
  }

  #spotOrder(sight: Sight): CreateOrder {
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
    if (this.#parts.chance.oneIn(12)) return this.#placePair(sight);
    const clientOrderId = this.#newName();
    const outcome = await this.#voice.call({ route: 'createOrder', body: { ...this.#spotOrder(sight), clientOrderId } });
    this.#memory.settleOrder(clientOrderId, outcome);
  }

  async #placePair(sight: Sight): Promise<void> {
    const { above, below, ...rest } = pairOf(sight, this.#parts.chance);
    const names = [this.#newName(), this.#newName()] as const;
    const body = { ...rest, above: { ...above, clientOrderId: names[0] }, below: { ...below, clientOrderId: names[1] } };
    this.#memory.settlePair(names, await this.#voice.call({ route: 'createPair', body }));
  }

  async #amend(): Promise<void> {
    const { chance } = this.#parts;
    const orderId = chance.some(this.#memory.orders);
    const sight = this.#sight();
    if (orderId === undefined || sight === undefined) return;
    const clientOrderId = this.#newName();
    const { price, totalAmount } = traderOrder(sight, chance);
    const body = { orderId, clientOrderId, ...(price === undefined || chance.oneIn(2) ? { totalAmount: totalAmount ?? '1' } : { price }) };
    this.#memory.settleOrder(clientOrderId, await this.#voice.call({ route: 'updateOrder', body }));
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
    const outcome = await this.#voice.call({ route: 'createOrders', body: { orders } });
    if (outcome.kind === 'ok') this.#memory.settleBatch(names, outcome);
    else this.#memory.rememberUnknown(outcome, names);
    if (this.#memory.orders.length > KNOWN_ORDERS) await this.#cancelAll();
  }

  async #cancel(): Promise<void> {
    const orderId = this.#parts.chance.some(this.#memory.orders);
    if (orderId === undefined) return;
    const outcome = await this.#voice.call({ route: 'cancelOrder', body: { orderId } });
    if (outcome.kind === 'unknown') return;
    this.#memory.orders = this.#memory.orders.filter((known) => known !== orderId);
    if (outcome.kind === 'ok') this.#memory.acknowledge(outcome, orderId);
  }

  async #cancelAll(): Promise<void> {
    const outcome = await this.#voice.call({ route: 'cancelAllOrders', body: {} });
    if (outcome.kind === 'unknown') return;
    this.#memory.orders = [];
    if (outcome.kind === 'ok') this.#memory.acknowledge(outcome, undefined);
  }

  async #transfer(): Promise<void> {
    const { chance } = this.#parts;
    const [from, to] = chance.pick(ROUTES);
    const coin = chance.pick(['USDC', 'BTC', 'USDC']);
    return this.#move({ coin, amount: `${chance.between(0, 500)}.${chance.between(1, 999)}`, from, to });
  }

  async #move(transfer: Readonly<Record<string, string>>): Promise<void> {
    const transferId = this.#newName();
    const body = { ...transfer, transferId };
    const outcome = await this.#voice.call({ route: 'transfer', body });
    this.#memory.settleTransfer(transferId, outcome);
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
    const outcome = await this.#voice.call({ route: 'withdraw', body });
    this.#parts.meters.count(`withdrawal ${outcome.kind}`);
    this.#memory.settleWithdrawal(withdrawalId, outcome);
  }

  async #malformed(): Promise<void> {
    const sight = this.#sight();
    if (sight === undefined) return;
    const outcome = await this.#voice.call({ route: 'createOrder', body: malformedOrder(sight, this.#parts.chance) });
    if (outcome.kind === 'refused') this.#parts.meters.count(`refused as malformed: ${outcome.reason}`);
  }

  async #read(): Promise<void> {
    const { chance, witness, account } = this.#parts;
    const minSeq = this.#memory.lastSeq;
    const query = minSeq === 0 ? {} : { minSeq: String(minSeq) };
    if (chance.oneIn(2)) {
      const outcome = await this.#voice.call({ route: 'balances', query });
      if (outcome.kind === 'ok') checkBalances(outcome.data, { witness, account, minSeq });
      return;
    }
    const outcome = await this.#voice.call({ route: 'openOrders', query: { ...query, size: '100' } });
    if (outcome.kind === 'ok') this.#parts.meters.count('open orders read');
  }

  #newName(): string {
    this.#names += 1;
    return `${this.#parts.name}-${this.#names}`;
  }
}
