/**
 * Stands for the service of the OTC desk and for its people: advertisements, orders and their steps, given inside the program, at times twice or by both sides at once, with the terms of
 * minutes. What was not answered is given again, as a client does, so that a death at any step leaves each of them done once.
 */
import { MARKETS } from '@orrery/exchange/listing';
import { FIATS, type Command, type Event, type OtcStatus, type Receipt } from '@orrery/protocol';
import {
  atoms,
  cents,
  fiatPrice,
  NO_ATOMS,
  signedPpm,
  type AccountId,
  type AdvertisementId,
  type AssetId,
  type Cents,
  type OtcOrderId,
} from '@orrery/units';
import type { Chance } from './chance.ts';
import type { Outside } from './clients/outside.ts';
import { MINUTE, SECOND } from './plan.ts';
import type { Registrar } from './registrar.ts';
import type { Timeline } from './timeline.ts';

const PEOPLE = 4;
/** Beyond the people of markets. */
const FIRST_INDEX = 2_000;
const ACT_EVERY_MS = 2 * SECOND;
const PRICE_EVERY_MS = 20 * SECOND;
/** Less often than the windows are long: what stands before other commands is seen too. */
const TIMER_EVERY_MS = 45 * SECOND;
const TRIES = 4;
const RETRY_MS = 2 * SECOND;
/** Of one person in a run: not enough for a pause. */
const CANCELS = 4;
const COIN = 'BTC';
/** A tick of its market in units of a price, and what a dollar costs in yuan. */
const UNITS_PER_TICK = 1_000n;
const CNY = 7n;
/** A thousandth of a coin. */
const PART = 100_000n;
const LIVE: ReadonlySet<OtcStatus> = new Set<OtcStatus>(['CREATED', 'PAID', 'DISPUTED']);

interface Ad {
  readonly account: AccountId;
  readonly isOpen: boolean;
  readonly isSelling: boolean;
  readonly minTotal: Cents;
}

interface Order {
  readonly buyer: AccountId;
  readonly seller: AccountId;
  readonly status: OtcStatus;
}

export interface OtcFlowParts {
  readonly chance: Chance;
  readonly timeline: Timeline;
  readonly outside: Outside;
  readonly registrar: Registrar;
  readonly coin: AssetId;
  /** In which the deposits of merchants are. */
  readonly money: AssetId;
}

export class OtcFlow {
  readonly #parts: OtcFlowParts;
  readonly #ads = new Map<AdvertisementId, Ad>();
  readonly #orders = new Map<OtcOrderId, Order>();
  readonly #cancels = new Map<AccountId, number>();
  #people: readonly AccountId[] = [];
  #names = 0;
  #isOver = false;

  constructor(parts: OtcFlowParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const { registrar, money } = this.#parts;
    const people: AccountId[] = [];
    for (let index = FIRST_INDEX; index < FIRST_INDEX + PEOPLE; index += 1) {
      const newcomer = await registrar.admit(index);
      for (const [coin, amount] of [
        [COIN, '2'],
        ['USDC', '5000'],
      ] as const)
        await registrar.credit(newcomer, { coin, amount });
      people.push(newcomer.account);
    }
    await registrar.submit({
      type: 'SetOtcTerms',
      disputeAfterMs: 20 * SECOND,
      autoDisputeMs: 90 * SECOND,
      appealWindowMs: 20 * SECOND,
      holdMs: MINUTE,
      depositAsset: money,
      merchantDeposit: atoms(500_000_000n),
    });
    this.#people = people;
    this.#every(PRICE_EVERY_MS, () => this.#prices());
    this.#every(TIMER_EVERY_MS, () => ({ type: 'RunOtcTimers' }));
    this.#every(ACT_EVERY_MS, () => this.#drawn());
  }

  end(): void {
    this.#isOver = true;
  }

  hear(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'AdvertisementPublished' || event.type === 'AdvertisementChanged') {
        const { account, state, side, minTotal } = event;
        this.#ads.set(event.advertisement, { account, isOpen: state === 'PUBLISHED', isSelling: side === 'sell', minTotal });
        if (state === 'TAKEN_DOWN') this.#ads.delete(event.advertisement);
      }
      if (event.type === 'OtcOrderCreated') this.#orders.set(event.order, { ...event, status: 'CREATED' });
      if (event.type !== 'OtcOrderStepped') continue;
      if (LIVE.has(event.status)) this.#orders.set(event.order, event);
      else this.#orders.delete(event.order);
    }
  }

  #every(ms: number, next: () => Command | undefined): void {
    if (this.#isOver) return;
    const command = next();
    if (command !== undefined) void this.#give(command, TRIES);
    // Both sides at once, or one side twice.
    if (command !== undefined && this.#parts.chance.oneIn(8)) void this.#give(command, 1);
    this.#parts.timeline.after(Math.round(this.#parts.chance.exponential(ms)) + 1, () => this.#every(ms, next));
  }

  async #give(command: Command, tries: number): Promise<Receipt | undefined> {
    const receipt = await this.#parts.registrar.offer(command);
    if (receipt !== undefined || tries <= 1) return receipt;
    await new Promise<void>((resolve) => this.#parts.timeline.after(RETRY_MS, resolve));
    return this.#give(command, tries - 1);
  }

  /** Of one coin in both moneys; sometimes there are none. */
  #prices(): Command | undefined {
    const { chance, coin } = this.#parts;
    if (chance.oneIn(6)) return undefined;
    const price = this.#outside();
    return {
      type: 'SetAssistPrices',
      prices: FIATS.map((currency) => ({ asset: coin, currency, price: fiatPrice(currency === 'usd' ? price : price * CNY) })),
    };
  }

  /** Of a coin in dollars, in units of a price. */
  #outside(): bigint {
    const market = MARKETS.find(({ symbol }) => symbol === `${COIN}_USDC`);
    return market === undefined ? 1n : BigInt(this.#parts.outside.price(market, this.#parts.timeline.now)) * UNITS_PER_TICK;
  }

  #drawn(): Command | undefined {
    const { chance } = this.#parts;
    const account = chance.some(this.#people);
    if (account === undefined) return undefined;
    const kind = chance.below(20);
    if (kind < 3) return this.#advertise(account);
    if (kind < 4) return this.#halt(account);
    if (kind < 9) return this.#take(account);
    if (kind < 10) return { type: chance.pick(['DepositAsMerchant', 'ReturnMerchantDeposit']), account, key: this.#name() };
    return this.#step();
  }

  #name(): string {
    this.#names += 1;
    return `otc-${this.#names}`;
  }

  #advertise(account: AccountId): Command | undefined {
    const { chance, coin } = this.#parts;
    if ([...this.#ads.values()].filter((ad) => ad.account === account).length > 3) return undefined;
    const currency = chance.pick(FIATS);
    const price = this.#outside() * (currency === 'usd' ? 1n : CNY);
    return {
      type: 'PublishAdvertisement',
      account,
      clientAdvertisementId: this.#name(),
      side: chance.pick(['buy', 'sell', 'sell']),
      asset: coin,
      currency,
      pricing: chance.oneIn(2)
        ? { kind: 'FLOATING', premium: signedPpm(chance.between(-20_000, 20_000)) }
        : { kind: 'FIXED', price: fiatPrice((price * BigInt(chance.between(98, 102))) / 100n) },
      minTotal: cents(BigInt(chance.between(1_000, 50_000))),
      maxTotal: cents(10_000_000n),
      payWindowMs: chance.pick([20, 60]) * SECOND,
      amount: atoms(PART * BigInt(chance.between(10, 300))),
    };
  }

  #halt(account: AccountId): Command | undefined {
    const { chance } = this.#parts;
    const own = chance.some([...this.#ads].filter(([, ad]) => ad.account === account));
    if (own === undefined) return undefined;
    return {
      type: 'SetAdvertisementState',
      account,
      advertisement: own[0],
      state: chance.pick(['PAUSED', 'PUBLISHED', 'PUBLISHED', 'TAKEN_DOWN']),
    };
  }

  /** At any price, or at one that was right a while ago. */
  #take(account: AccountId): Command | undefined {
    const { chance } = this.#parts;
    const open = chance.some([...this.#ads].filter(([, ad]) => ad.isOpen && ad.account !== account));
    if (open === undefined) return undefined;
    const [advertisement, { isSelling, minTotal }] = open;
    const wide = isSelling ? this.#outside() * CNY * 2n : 1n;
    return {
      type: 'CreateOtcOrder',
      account,
      clientOrderId: this.#name(),
      advertisement,
      amount: NO_ATOMS,
      total: cents(minTotal * BigInt(chance.between(1, 4))),
      price: fiatPrice(chance.oneIn(8) ? this.#outside() : wide),
    };
  }

  /** One of them cancels until the desk pauses that one, and again after the pause; the others seldom. */
  #mayCancel(account: AccountId): boolean {
    const before = this.#cancels.get(account) ?? 0;
    if (account !== this.#people[0] && before >= CANCELS) return false;
    this.#cancels.set(account, before + 1);
    return true;
  }

  /** What a side would do next, or what the operators would. */
  #step(): Command | undefined {
    const { chance } = this.#parts;
    const one = chance.some([...this.#orders]);
    if (one === undefined) return undefined;
    const [order, { buyer, seller, status }] = one;
    const either = chance.pick([buyer, seller]);
    if (status === 'DISPUTED') {
      if (chance.oneIn(3)) return { type: 'AppealOtcDecision', account: either, order };
      return { type: 'DecideOtcDispute', order, outcome: chance.pick(['RELEASED', 'RETURNED']), nth: chance.pick([1, 1, 2]) };
    }
    if (chance.oneIn(6) && this.#mayCancel(buyer)) return { type: 'CancelOtcOrder', account: buyer, order };
    if (status === 'CREATED') return { type: 'MarkOtcOrderPaid', account: buyer, order };
    return chance.oneIn(3) ? { type: 'DisputeOtcOrder', account: either, order } : { type: 'ReleaseOtcOrder', account: seller, order };
  }
}
