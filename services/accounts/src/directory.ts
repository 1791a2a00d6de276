/** Who has an account and what it may do: the heart's facts, kept in memory and current. */
import type { AccountFlag, Event, Heart, View } from '@orrery/protocol';
import type { AccountId, Address } from '@orrery/units';
import { type AccountState, AccountsView, mayRegister } from '@orrery/views';

type BlockListener = (account: AccountId) => void;

export class AccountDirectory {
  readonly #accounts = new AccountsView();
  readonly #symbols = new Set<string>();
  readonly #listeners: BlockListener[] = [];
  readonly #heart: Heart;
  #view: View | undefined;
  #following: Promise<void> = Promise.resolve();

  constructor(heart: Heart) {
    this.#heart = heart;
  }

  start(): void {
    const view = this.#heart.open();
    this.#view = view;
    this.#apply(view.facts);
    this.#following = this.#follow(view);
  }

  async stop(): Promise<void> {
    this.#view?.close();
    await this.#following;
  }

  find(address: Address): AccountState | undefined {
    return this.#accounts.accountOf(address);
  }

  get(account: AccountId): AccountState | undefined {
    return this.#accounts.account(account);
  }

  isListed(symbol: string): boolean {
    return this.#symbols.has(symbol);
  }

  /** Calls `listener` whenever an account becomes blocked. */
  onBlocked(listener: BlockListener): void {
    this.#listeners.push(listener);
  }

  /** The account of an address, opened when there is none. */
  async open(address: Address): Promise<AccountState> {
    const known = this.find(address);
    if (known !== undefined) return known;
    const { events } = await this.#heart.submit({ type: 'OpenAccount', address });
    this.#apply(events);
    const opened = this.find(address);
    if (opened === undefined) throw new Error(`the heart opened no account for ${address}`);
    return opened;
  }

  async setFlag(account: AccountId, flag: AccountFlag): Promise<void> {
    if (this.get(account)?.flags[flag] === true) return;
    const { events } = await this.#heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
    // Our own writes are applied at once; the tail repeats them, which is idempotent.
    this.#apply(events);
    if (this.get(account)?.flags[flag] !== true) throw new Error(`the heart did not set ${flag} of account ${account}`);
  }

  async #follow(view: View): Promise<void> {
    for await (const batch of view.tail) {
      for (const applied of batch) if (mayRegister(applied)) this.#apply(applied.events);
    }
  }

  #apply(events: readonly Event[]): void {
    for (const event of events) {
      if (event.type === 'MarketRegistered') this.#symbols.add(event.symbol);
      const wasBlocked = event.type === 'AccountFlagSet' && this.get(event.account)?.flags.blocked;
      const state = this.#accounts.apply(event);
      if (state?.flags.blocked !== true || wasBlocked === true || event.type !== 'AccountFlagSet') continue;
      for (const listener of this.#listeners) listener(state.account);
    }
  }
}
