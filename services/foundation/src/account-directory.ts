/** Who has an account, what it may do, and what is listed: the views of the core, kept current with the heart. */
import type { AccountFlag, Asset, Contract, Event, Heart, Market, View } from '@orrery/protocol';
import type { AccountId, Address, MarketId } from '@orrery/units';
import { type AccountState, AccountsView, load, MarketsView, mayRegister, type Moment } from '@orrery/views';
import { openAccount, setAccountFlag } from './account-commands.ts';

type Listener = (account: AccountState) => void;

export class AccountDirectory {
  readonly #accounts = new AccountsView();
  readonly #markets = new MarketsView();
  readonly #contracts = new Map<MarketId, Contract>();
  readonly #onOpened: Listener[] = [];
  readonly #onBlocked: Listener[] = [];
  readonly #heart: Heart;
  #view: View | undefined;
  #following: Promise<void> = Promise.resolve();
  #seq = 0;
  readonly #waiting = new Set<() => void>();

  constructor(heart: Heart) {
    this.#heart = heart;
  }

  start(): void {
    const view = this.#heart.open();
    this.#view = view;
    this.#seq = view.seq;
    load(view, this.#accounts, this.#markets, { apply: (event) => this.#list(event) });
    for (const state of this.all()) if (state.flags.blocked) notify(this.#onBlocked, state);
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

  /** In order of opening. */
  all(): readonly AccountState[] {
    return this.#accounts.accounts();
  }

  market(market: MarketId): Market | undefined {
    return this.#markets.market(market)?.market;
  }

  contract(market: MarketId): Contract | undefined {
    return this.#contracts.get(market);
  }

  asset(code: string): Asset | undefined {
    return this.#markets.assetByCode(code);
  }

  isListed(symbol: string): boolean {
    return this.#markets.marketBySymbol(symbol) !== undefined;
  }

  /** Whether a contract is listed under this symbol. */
  isContract(symbol: string): boolean {
    return [...this.#contracts.values()].some((contract) => contract.symbol === symbol);
  }

  /** Resolves when everything that was history at the call is in. */
  async caughtUp(): Promise<void> {
    const end = await this.#heart.end();
    while (this.#seq < end) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Calls `listener` with every account that is opened after the start. */
  onOpened(listener: Listener): void {
    this.#onOpened.push(listener);
  }

  /** Calls `listener` with every account that is blocked at the start, or becomes blocked. */
  onBlocked(listener: Listener): void {
    this.#onBlocked.push(listener);
  }

  /** The account of an address, opened when there is none. @throws Error with the reason when the heart refuses. */
  async open(address: Address): Promise<AccountState> {
    const known = this.find(address);
    if (known !== undefined) return known;
    const { account, receipt } = await openAccount(this.#heart, address);
    this.#apply(receipt.events, receipt);
    const opened = this.get(account);
    if (opened === undefined) throw new Error(`account ${account} was opened and is not there`);
    return opened;
  }

  /** @throws Error with the reason when the heart refuses: then the flag is not set. */
  async setFlag(account: AccountId, flag: AccountFlag): Promise<void> {
    if (this.get(account)?.flags[flag] === true) return;
    const receipt = await setAccountFlag(this.#heart, { account, flag, value: true });
    // Our own writes are applied at once; the tail repeats them, which is idempotent.
    this.#apply(receipt.events, receipt);
  }

  /** @throws Error with the reason when the heart refuses: then the flag stays. */
  async unsetFlag(account: AccountId, flag: AccountFlag): Promise<void> {
    if (this.get(account)?.flags[flag] !== true) return;
    const receipt = await setAccountFlag(this.#heart, { account, flag, value: false });
    this.#apply(receipt.events, receipt);
  }

  async #follow(view: View): Promise<void> {
    for await (const batch of view.tail) {
      for (const applied of batch) {
        if (mayRegister(applied)) this.#apply(applied.events, applied);
        this.#seq = applied.seq;
      }
      this.#wake();
    }
    // Nothing more comes: who waits gets what is known.
    this.#seq = Number.MAX_SAFE_INTEGER;
    this.#wake();
  }

  #list(event: Event): void {
    if (event.type !== 'ContractRegistered') return;
    const { type: _, ...contract } = event;
    this.#contracts.set(event.market, contract);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }

  #apply(events: readonly Event[], moment: Moment): void {
    for (const event of events) {
      this.#markets.apply(event, moment);
      this.#list(event);
      if (event.type !== 'AccountOpened' && event.type !== 'AccountFlagSet') continue;
      const before = this.get(event.account);
      const after = this.#accounts.apply(event);
      if (after === undefined) continue;
      if (before === undefined) notify(this.#onOpened, after);
      if (after.flags.blocked && before?.flags.blocked !== true) notify(this.#onBlocked, after);
    }
  }
}

function notify(listeners: readonly Listener[], account: AccountState): void {
  for (const listener of listeners) listener(account);
}
