/** Who has an account and what it may do, and what is listed: the heart's facts in memory. */
import type { AccountFlag, Asset, Event, Heart, Market, View } from '@orrery/protocol';
import type { AccountId, Address, MarketId } from '@orrery/units';
import { type AccountState, AccountsView, advance, load, MarketsView, mayRegister } from '@orrery/views';

export class Members {
  readonly #accounts = new AccountsView();
  readonly #markets = new MarketsView();
  readonly #heart: Heart;
  readonly #onOpened: (account: AccountState) => void;
  #view: View | undefined;
  #following: Promise<void> = Promise.resolve();
  #seq = 0;
  readonly #waiting = new Set<() => void>();

  /** @param parts.onOpened is called with every account that is opened from now on. */
  constructor(parts: { heart: Heart; onOpened: (account: AccountState) => void }) {
    this.#heart = parts.heart;
    this.#onOpened = parts.onOpened;
  }

  start(): void {
    const view = this.#heart.open();
    this.#view = view;
    this.#seq = view.seq;
    load(view, this.#accounts, this.#markets);
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

  all(): readonly AccountState[] {
    return this.#accounts.accounts();
  }

  market(market: MarketId): Market | undefined {
    return this.#markets.market(market)?.market;
  }

  asset(code: string): Asset | undefined {
    return this.#markets.assetByCode(code);
  }

  /** Resolves when everything that was history at the call is in. */
  async caughtUp(): Promise<void> {
    const { seq } = this.#heart.status();
    while (this.#seq < seq) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

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
  }

  #apply(events: readonly Event[]): void {
    for (const event of events) this.#accounts.apply(event);
  }

  async #follow(view: View): Promise<void> {
    for await (const batch of view.tail) {
      for (const applied of batch) {
        this.#seq = applied.seq;
        if (!mayRegister(applied)) continue;
        advance(applied, this.#accounts, this.#markets);
        for (const event of applied.events) {
          const opened = event.type === 'AccountOpened' ? this.get(event.account) : undefined;
          if (opened !== undefined) this.#onOpened(opened);
        }
      }
      this.#wake();
    }
    // Nothing more comes: who waits gets what is known.
    this.#seq = Number.MAX_SAFE_INTEGER;
    this.#wake();
  }
  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
