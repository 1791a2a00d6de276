/** The account that quotes: follows its own orders and the outside prices, and keeps every market's quotes where they belong. */
import { type Client, type PairTerms, Stream } from '@orrery/sdk';
import type { Ticks } from '@orrery/units';
import { type Attention, followed } from './attention.ts';
import type { Life } from './life.ts';
import type { OwnAccount } from './own-account.ts';
import type { PriceWatch } from './price-watch.ts';
import type { Quoter } from './quoter.ts';

export interface QuotingDeskOptions {
  readonly baseUrl: string;
  readonly client: Client;
  readonly account: OwnAccount;
  readonly prices: PriceWatch;
  readonly quoters: readonly Quoter[];
  readonly life: Life;
  readonly attention: Pick<Attention, 'movePpm'>;
  readonly log: (line: string) => void;
}

const CYCLE_MS = 250;
/** A price that was not heard for so long is asked for. */
const ASK_AFTER_MS = 5_000;
/** Every market is planned again after this long, even without an update. */
const REVIEW_MS = 10_000;
/** A stream lost for longer than this takes the quotes out: orders may fill without our knowing. */
const BLIND_MS = 5_000;
const STATES_MS = 30_000;

/** What the desk remembers of a market. */
interface Watch {
  readonly quoter: Quoter;
  needsQuotes: boolean;
  isQuoted: boolean;
  quotedAt: number;
  askedAt: number;
  /** What its quotes were planned for last. */
  plannedFor: Ticks | undefined;
  movePpm: number;
}

export class QuotingDesk {
  readonly #options: QuotingDeskOptions;
  readonly #watches: ReadonlyMap<string, Watch>;
  readonly #ready = Promise.withResolvers<void>();
  #closedMarkets: ReadonlySet<string> = new Set();
  #seenAt = 0;
  #statesAt = 0;

  constructor(options: QuotingDeskOptions) {
    this.#options = options;
    this.#watches = new Map(
      options.quoters.map((quoter) => [
        quoter.rules.symbol,
        { quoter, needsQuotes: true, isQuoted: false, quotedAt: 0, askedAt: 0, plannedFor: undefined, movePpm: 0 },
      ]),
    );
  }

  /** Resolves when every market that is open has been quoted once. */
  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  /** Runs until life is over, then takes the quotes out. */
  async run(): Promise<void> {
    const { client, life } = this.#options;
    await life.persist('cancel what an earlier run left', () => client.cancelAllOrders());
    const stream = this.#listen();
    while (!life.isOver) {
      await this.#round(stream).catch((error: unknown) => life.failed('quotes', error));
      await life.pause(CYCLE_MS);
    }
    stream.close();
    await client.cancelAllOrders().catch((error: unknown) => this.#options.log(`the quotes could not be taken out: ${String(error)}`));
  }

  #listen(): Stream {
    const { baseUrl, client, account, prices, log } = this.#options;
    const stream = new Stream({ baseUrl, ticket: () => client.streamTicket(), onFault: (error) => log(`stream: ${error.message}`) });
    stream.account({
      onReset: () => account.reset(),
      onBalance: (balance) => account.hearBalance(balance),
      onOrder: (order) => {
        const rules = account.hearOrder(order);
        if (rules !== undefined) this.#mark(rules);
      },
      onReady: () => {
        account.ready();
        for (const watch of this.#watches.values()) watch.needsQuotes = true;
      },
    });
    for (const { quoter } of this.#watches.values()) {
      stream.indexPrice(quoter.rules.symbol, (price) => {
        if (prices.hear(price, quoter.rules)) this.#mark(quoter.rules);
      });
    }
    return stream;
  }

  #mark({ symbol }: PairTerms): void {
    const watch = this.#watches.get(symbol);
    if (watch !== undefined) watch.needsQuotes = true;
  }

  /** What fails for one market keeps no other from it. @throws the first failure */
  async #round(stream: Stream): Promise<void> {
    const failures: unknown[] = [];
    const attempt = (step: () => Promise<void>): Promise<void> => step().catch((error: unknown) => void failures.push(error));
    if (Date.now() - this.#statesAt > STATES_MS) await attempt(() => this.#readStates());
    for (const watch of this.#watches.values()) {
      if (this.#options.life.isOver) return;
      if (this.#closedMarkets.has(watch.quoter.rules.symbol)) continue;
      await attempt(() => this.#askPrice(watch));
      // At this moment: the calls of the market before may have taken long.
      await attempt(() => this.#tend(watch, this.#look(stream)));
    }
    if (failures.length > 0) throw failures[0];
    if ([...this.#watches.values()].every(({ quoter, isQuoted }) => isQuoted || this.#closedMarkets.has(quoter.rules.symbol)))
      this.#ready.resolve();
  }

  #look(stream: Stream): number {
    const now = Date.now();
    if (stream.state === 'open' && this.#options.account.isKnown) this.#seenAt = now;
    return now;
  }

  async #tend(watch: Watch, now: number): Promise<void> {
    const {
      prices,
      log,
      attention: { movePpm },
    } = this.#options;
    const { quoter } = watch;
    const price = prices.price(quoter.rules.symbol);
    const isBlind = now - this.#seenAt > BLIND_MS;
    if (price === undefined || isBlind) {
      // A first round that failed in the middle has left orders, too.
      if (!watch.isQuoted && !this.#options.account.hasOrders(quoter.rules)) return;
      log(`${quoter.rules.symbol}: quotes taken out, ${isBlind ? 'the own orders are not known' : 'the outside price is stale'}`);
      await quoter.withdraw();
      watch.isQuoted = false;
      watch.plannedFor = undefined;
      return;
    }
    const isDue = watch.needsQuotes || movePpm !== watch.movePpm || now - watch.quotedAt > REVIEW_MS;
    if (this.#seenAt !== now || !isDue) return;
    watch.needsQuotes = false;
    watch.quotedAt = now;
    const reference = movePpm === watch.movePpm ? followed(price, watch.plannedFor, movePpm) : price;
    // A plan that fails in the middle is made again in the next round, at the price of then.
    watch.plannedFor = undefined;
    watch.movePpm = movePpm;
    const { refusal } = await quoter.quote(reference, movePpm);
    watch.plannedFor = reference;
    watch.isQuoted = true;
    if (refusal !== undefined) log(`${quoter.rules.symbol}: ${refusal}`);
  }

  async #askPrice(watch: Watch): Promise<void> {
    const { client, prices } = this.#options;
    const { rules } = watch.quoter;
    if (prices.silence(rules.symbol) < ASK_AFTER_MS || Date.now() - watch.askedAt < ASK_AFTER_MS) return;
    try {
      if (prices.hear(await client.indexPrice({ symbol: rules.symbol }), rules)) watch.needsQuotes = true;
    } finally {
      watch.askedAt = Date.now();
    }
  }

  async #readStates(): Promise<void> {
    this.#statesAt = Date.now();
    const symbols = await this.#options.client.symbols();
    this.#closedMarkets = new Set(symbols.filter(({ state }) => state !== 'TRADING').map(({ symbol }) => symbol));
  }
}
