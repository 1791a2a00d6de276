/** What is listed, and what the accounts of funds have at this moment: by the views of the core, kept current with the heart. */
import type { Event, Heart, View } from '@orrery/protocol';
import { contractNotional } from '@orrery/rules';
import { type AccountId, type AssetId, lots, NO_TICKS, printDecimal, printLots, printTicks } from '@orrery/units';
import type { FundHoldings } from '@orrery/api';
import { BalancesView, ContractsView, MarketsView, type Moment, OrdersView, PositionsView } from '@orrery/views';

const ORDERS_SHOWN = 200;
const LISTING: ReadonlySet<Event['type']> = new Set<Event['type']>(['AssetRegistered', 'MarketRegistered', 'MarketTermsChanged']);

export class LiveFunds {
  readonly markets = new MarketsView();
  readonly #contracts = new ContractsView();
  readonly #orders = new OrdersView();
  readonly #positions = new PositionsView();
  readonly #balances = new BalancesView();
  /** The account of each fund. */
  readonly #funds = new Map<AssetId, AccountId>();
  readonly #accounts = new Set<AccountId>();
  readonly #view: View;
  #following: Promise<void> = Promise.resolve();

  constructor(heart: Heart) {
    this.#view = heart.open();
    const { seq, facts } = this.#view;
    // Which accounts are those of funds is a later fact than what they have.
    for (const fact of facts) if (fact.type === 'FundOpened') this.#add(fact.fund, fact.account);
    for (const fact of facts) this.#apply(fact, { seq, at: 0 as Moment['at'] });
  }

  start(onTrouble: (error: unknown) => void): void {
    this.#following = this.#follow().catch(onTrouble);
  }

  async stop(): Promise<void> {
    this.#view.close();
    await this.#following;
  }

  funds(): readonly AssetId[] {
    return [...this.#funds.keys()];
  }

  fundOf(account: AccountId): AssetId | undefined {
    return this.#accounts.has(account) ? [...this.#funds].find(([, one]) => one === account)?.[0] : undefined;
  }

  holdings(fund: AssetId): Omit<FundHoldings, 'asOf'> | undefined {
    const account = this.#funds.get(fund);
    return account === undefined
      ? undefined
      : { balances: this.#coinsOf(account), positions: this.#positionsOf(account), orders: this.#ordersOf(account) };
  }

  #coinsOf(account: AccountId): FundHoldings['balances'] {
    return this.markets.assets().flatMap(({ asset, code, decimals }) => {
      let total = 0n;
      for (const balance of this.#balances.of(account)) if (balance.asset === asset) total += balance.free + balance.held;
      return total === 0n ? [] : [{ coin: code, amount: printDecimal(total, decimals) }];
    });
  }

  #positionsOf(account: AccountId): FundHoldings['positions'] {
    return this.#positions.of(account).flatMap(({ market, size }) => {
      const listed = this.#contracts.contract(market);
      if (listed === undefined || size === 0) return [];
      const { contract, mark } = listed;
      const abs = lots(Math.abs(size));
      const settle = this.markets.asset(contract.settle);
      const notional =
        mark === NO_TICKS || settle === undefined ? null : printDecimal(contractNotional(mark, abs, contract), settle.decimals);
      const { symbol, sizePrecision } = contract;
      return [{ symbol, positionSide: size > 0 ? ('LONG' as const) : ('SHORT' as const), size: printLots(abs, sizePrecision), notional }];
    });
  }

  #ordersOf(account: AccountId): FundHoldings['orders'] {
    const open = this.#orders.open(account).filter(({ order, status }) => status === 'open' && order.price !== NO_TICKS);
    return open.slice(0, ORDERS_SHOWN).flatMap(({ order, remaining }) => {
      const terms = this.markets.market(order.market)?.market ?? this.#contracts.contract(order.market)?.contract;
      if (terms === undefined) return [];
      const { symbol, pricePrecision, sizePrecision } = terms;
      const direction = order.side === 'buy' ? ('BUY' as const) : ('SELL' as const);
      return [{ symbol, direction, price: printTicks(order.price, pricePrecision), size: printLots(remaining, sizePrecision) }];
    });
  }

  async #follow(): Promise<void> {
    for await (const batch of this.#view.tail) for (const applied of batch) for (const event of applied.events) this.#apply(event, applied);
  }

  #add(fund: AssetId, account: AccountId): void {
    this.#funds.set(fund, account);
    this.#accounts.add(account);
  }

  #apply(event: Event, moment: Moment): void {
    if (event.type === 'FundOpened') this.#add(event.fund, event.account);
    if (event.type === 'FundEnded') this.#remove(event.fund, event.account);
    if (LISTING.has(event.type)) this.markets.apply(event, moment);
    if (event.type !== 'Trade') this.#contracts.apply(event, moment);
    if (!this.#isOfFund(event)) return;
    this.#balances.apply(event);
    this.#orders.apply(event, moment);
    this.#positions.apply(event);
  }

  #remove(fund: AssetId, account: AccountId): void {
    this.#funds.delete(fund);
    this.#accounts.delete(account);
  }

  #isOfFund(event: Event): boolean {
    if (event.type === 'Trade') return this.#accounts.has(event.takerAccount) || this.#accounts.has(event.makerAccount);
    return 'account' in event && typeof event.account === 'number' && this.#accounts.has(event.account);
  }
}
