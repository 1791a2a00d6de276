/**
 * What the OTC desk keeps: its terms and prices, advertisements and orders, what it remembers of accounts, the deposits of merchants, and what is due. Beside them, by asset,
 * what must lie in escrow for all of it (OT1): each change of one of its parts says so here, and the ledger is compared with it.
 */
import {
  addAtoms,
  advertisementId,
  millis,
  negateAtoms,
  NO_ATOMS,
  otcOrderId,
  subtractAtoms,
  type AccountId,
  type AdvertisementId,
  type AssetId,
  type Atoms,
  type FiatPrice,
  type Millis,
  type OtcOrderId,
} from '@orrery/units';
import type { AssistPrice, Fiat, OtcTerms } from '@orrery/protocol';
import { OTC_OUTAGE_MS, OTC_REMEMBERED_MS } from '@orrery/rules';
import { DueQueue } from '../timers/due-queue.ts';
import { escrowedOf, isLive, type KeptAdvertisement } from './advertisement.ts';
import { isEnded, NEVER, type OtcOrder } from './otc-order.ts';
import { OtcPeople } from './otc-people.ts';

export interface SetPrice extends AssistPrice {
  readonly at: Millis;
}

export interface MerchantDeposit {
  readonly account: AccountId;
  readonly asset: AssetId;
  /** Above zero. */
  readonly amount: Atoms;
  /** Of the command that made it. */
  readonly key: string;
}

export class OtcDesk {
  /** Undefined until the desk opens. */
  terms: OtcTerms | undefined;
  lastAdvertisement = 0;
  lastOrder = 0;
  readonly people = new OtcPeople();
  /** Of the last command that was not refused. */
  heardAt: Millis = NEVER;
  #open = 0;
  readonly #prices = new Map<string, SetPrice>();
  readonly #advertisements = new Map<AdvertisementId, KeptAdvertisement>();
  readonly #orders = new Map<OtcOrderId, OtcOrder>();
  readonly #deposits = new Map<AccountId, MerchantDeposit>();
  readonly #dueOrders = new DueQueue();
  readonly #dueAdvertisements = new DueQueue();
  readonly #escrow = new Map<AssetId, Atoms>();

  // ---- prices ------------------------------------------------------------------------------------------------------

  setPrice(price: SetPrice): void {
    this.#prices.set(`${price.asset} ${price.currency}`, price);
  }

  priceOf(asset: AssetId, currency: Fiat): { readonly price: FiatPrice; readonly at: Millis } | undefined {
    return this.#prices.get(`${asset} ${currency}`);
  }

  /** By asset and currency. */
  prices(): readonly SetPrice[] {
    return [...this.#prices.values()].sort(
      (left, right) => left.asset - right.asset || (left.currency < right.currency ? -1 : left.currency > right.currency ? 1 : 0),
    );
  }

  // ---- advertisements ----------------------------------------------------------------------------------------------

  advertisement(id: AdvertisementId): KeptAdvertisement | undefined {
    return this.#advertisements.get(id);
  }

  /** In the order of their ids. */
  advertisements(): IterableIterator<KeptAdvertisement> {
    return this.#advertisements.values();
  }

  nextAdvertisement(): AdvertisementId {
    this.lastAdvertisement += 1;
    return advertisementId(this.lastAdvertisement);
  }

  enterAdvertisement(advertisement: KeptAdvertisement): void {
    this.#advertisements.set(advertisement.advertisement, advertisement);
    this.#changeEscrow(advertisement.asset, escrowedOf(advertisement));
    if (isLive(advertisement)) this.people.countAdvertisements(advertisement.account, 1);
    else this.#dueAdvertisements.set(advertisement.advertisement, advertisement.forgottenAt);
  }

  setAvailable(advertisement: KeptAdvertisement, available: Atoms): void {
    const before = escrowedOf(advertisement);
    advertisement.available = available;
    this.#changeEscrow(advertisement.asset, subtractAtoms(escrowedOf(advertisement), before));
  }

  /** Nothing of it is available any more, and after a while it is forgotten. */
  takeDown(advertisement: KeptAdvertisement, at: Millis): void {
    this.setAvailable(advertisement, NO_ATOMS);
    advertisement.state = 'TAKEN_DOWN';
    advertisement.forgottenAt = millis(at + OTC_REMEMBERED_MS);
    this.people.countAdvertisements(advertisement.account, -1);
    this.#dueAdvertisements.set(advertisement.advertisement, advertisement.forgottenAt);
  }

  // ---- orders ------------------------------------------------------------------------------------------------------

  order(id: OtcOrderId): OtcOrder | undefined {
    return this.#orders.get(id);
  }

  /** In the order of their ids. */
  orders(): IterableIterator<OtcOrder> {
    return this.#orders.values();
  }

  nextOrder(): OtcOrderId {
    this.lastOrder += 1;
    return otcOrderId(this.lastOrder);
  }

  enterOrder(order: OtcOrder): void {
    this.#orders.set(order.terms.order, order);
    this.setDue(order, order.dueAt);
    if (isEnded(order)) return;
    this.#open += 1;
    this.#changeEscrow(order.terms.asset, order.terms.amount);
    this.people.countOrders(order.terms, 1);
  }

  setDue(order: OtcOrder, at: Millis): void {
    order.dueAt = at;
    if (at === NEVER) this.#dueOrders.delete(order.terms.order);
    else this.#dueOrders.set(order.terms.order, at);
  }

  /** Its coin is no longer its own, and after a while it is forgotten. It ends once. */
  endOrder(order: OtcOrder, at: Millis): void {
    this.#open -= 1;
    this.#changeEscrow(order.terms.asset, negateAtoms(order.terms.amount));
    this.people.countOrders(order.terms, -1);
    order.disputableAt = NEVER;
    this.setDue(order, millis(at + OTC_REMEMBERED_MS));
  }

  // ---- deposits of merchants ---------------------------------------------------------------------------------------

  deposit(account: AccountId): MerchantDeposit | undefined {
    return this.#deposits.get(account);
  }

  /** By account. */
  deposits(): readonly MerchantDeposit[] {
    return [...this.#deposits.values()].sort((left, right) => left.account - right.account);
  }

  /** One of nothing is none. */
  setDeposit(deposit: MerchantDeposit): void {
    const before = this.#deposits.get(deposit.account)?.amount ?? NO_ATOMS;
    if (deposit.amount === NO_ATOMS) this.#deposits.delete(deposit.account);
    else this.#deposits.set(deposit.account, deposit);
    this.#changeEscrow(deposit.asset, subtractAtoms(deposit.amount, before));
  }

  // ---- outages -----------------------------------------------------------------------------------------------------

  /** Whether orders were open while nothing was heard. */
  wasAway(at: Millis): boolean {
    return this.#open > 0 && at - this.heardAt > OTC_OUTAGE_MS;
  }

  /** Not after an outage: it is over when the deadlines are moved, whichever command comes first. */
  hear(at: Millis): void {
    if (this.terms !== undefined) this.heardAt = at;
  }

  /** What lies after the last command comes later by the time since. It reads every order, once an outage. */
  moveDeadlines(at: Millis): void {
    const by = at - this.heardAt;
    for (const order of this.#orders.values()) {
      if (isEnded(order)) continue;
      if (order.disputableAt > this.heardAt) order.disputableAt = millis(order.disputableAt + by);
      if (order.dueAt > this.heardAt) this.setDue(order, millis(order.dueAt + by));
    }
    this.heardAt = at;
  }

  // ---- what is due -------------------------------------------------------------------------------------------------

  /** When a timer has something to do next; undefined when none has. */
  get dueAt(): Millis | undefined {
    const order = this.#dueOrders.next()?.at;
    const advertisement = this.#dueAdvertisements.next()?.at;
    if (order === undefined || advertisement === undefined) return order ?? advertisement;
    return order < advertisement ? order : advertisement;
  }

  /** The order of which something is due at a time. */
  dueOrder(at: Millis): OtcOrder | undefined {
    const due = this.#dueOrders.next();
    return due === undefined || due.at > at ? undefined : this.#orders.get(otcOrderId(due.id));
  }

  dueAdvertisement(at: Millis): KeptAdvertisement | undefined {
    const due = this.#dueAdvertisements.next();
    return due === undefined || due.at > at ? undefined : this.#advertisements.get(advertisementId(due.id));
  }

  forgetOrder({ terms: { order } }: OtcOrder): void {
    this.#orders.delete(order);
    this.#dueOrders.delete(order);
  }

  forgetAdvertisement({ advertisement }: KeptAdvertisement): void {
    this.#advertisements.delete(advertisement);
    this.#dueAdvertisements.delete(advertisement);
  }

  // ---- escrow ------------------------------------------------------------------------------------------------------

  /** OT1: by asset what is available of live advertisements that sell, the coins of open orders, and the deposits of merchants. */
  escrow(): Iterable<readonly [AssetId, Atoms]> {
    return this.#escrow;
  }

  #changeEscrow(asset: AssetId, change: Atoms): void {
    this.#escrow.set(asset, addAtoms(this.#escrow.get(asset) ?? NO_ATOMS, change));
  }
}
