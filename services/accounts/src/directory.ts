/** Who has an account and what it may do: a fold of the heart's facts, kept in memory and current. */
import type { AccountFlag, Event, Heart, View } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';

export interface Account {
  readonly account: AccountId;
  readonly address: Address;
  readonly flags: ReadonlySet<AccountFlag>;
}

type FlagListener = (change: { readonly account: Account; readonly flag: AccountFlag; readonly value: boolean }) => void;

interface MutableAccount extends Account {
  readonly flags: Set<AccountFlag>;
}

export class AccountDirectory {
  readonly #byAddress = new Map<Address, MutableAccount>();
  readonly #byId = new Map<AccountId, MutableAccount>();
  readonly #symbols = new Set<string>();
  readonly #listeners: FlagListener[] = [];
  readonly #heart: Heart;
  #view: View | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(heart: Heart) {
    this.#heart = heart;
  }

  start(): void {
    const view = this.#heart.open();
    this.#view = view;
    this.#fold(view.facts);
    this.#following = this.#follow(view);
  }

  async stop(): Promise<void> {
    this.#view?.close();
    await this.#following;
  }

  find(address: Address): Account | undefined {
    return this.#byAddress.get(address);
  }

  get(account: AccountId): Account | undefined {
    return this.#byId.get(account);
  }

  isListed(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  onFlag(listener: FlagListener): void {
    this.#listeners.push(listener);
  }

  /** The account of an address, opened when there is none. */
  async open(address: Address): Promise<Account> {
    const known = this.#byAddress.get(address);
    if (known !== undefined) return known;
    const { events } = await this.#heart.submit({ type: 'OpenAccount', address });
    this.#fold(events);
    const opened = this.#byAddress.get(address);
    if (opened === undefined) throw new Error(`the heart opened no account for ${address}`);
    return opened;
  }

  async setFlag(account: AccountId, flag: AccountFlag): Promise<void> {
    if (this.#byId.get(account)?.flags.has(flag) === true) return;
    const { events } = await this.#heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
    // Our own writes are seen at once; the tail tells them a second time, which changes nothing.
    this.#fold(events);
  }

  async #follow(view: View): Promise<void> {
    for await (const batch of view.tail) {
      for (const applied of batch) this.#fold(applied.events);
    }
  }

  #fold(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'AccountOpened') this.#opened(event.account, event.address);
      else if (event.type === 'AccountFlagSet') this.#flagSet(event.account, event.flag, event.value);
      else if (event.type === 'MarketRegistered') this.#symbols.add(event.symbol);
    }
  }

  #opened(account: AccountId, address: Address): void {
    if (this.#byId.has(account)) return;
    const entry: MutableAccount = { account, address, flags: new Set() };
    this.#byId.set(account, entry);
    this.#byAddress.set(address, entry);
  }

  #flagSet(account: AccountId, flag: AccountFlag, value: boolean): void {
    const entry = this.#byId.get(account);
    if (entry === undefined || entry.flags.has(flag) === value) return;
    if (value) entry.flags.add(flag);
    else entry.flags.delete(flag);
    for (const listener of this.#listeners) listener({ account: entry, flag, value });
  }
}
