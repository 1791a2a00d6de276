/**
 * Our own customer. One account quotes both sides of every market around the outside price, another takes small sizes from the book at
 * random moments. Both speak the public API like anyone else; what the exchange does not tell them they do not know.
 */
import type { CoinInfo } from '@orrery/api';
import { ApiKeyCredentials, type Client, contractTerms, createClient, type PairTerms, pairTerms } from '@orrery/sdk';
import { assert, parseAtoms } from '@orrery/units';
import { Attention } from './attention.ts';
import { ContractDesk } from './contract-desk.ts';
import { HALF_SPREAD_PPM } from './contract-ladder.ts';
import { ContractTape } from './contract-tape.ts';
import { Life } from './life.ts';
import { OwnAccount } from './own-account.ts';
import { Pace } from './pace.ts';
import { PriceWatch } from './price-watch.ts';
import { Quoter } from './quoter.ts';
import { QuotingDesk } from './quoting-desk.ts';
import { hash } from './random.ts';
import { Tape } from './tape.ts';
import { TapeDesk } from './tape-desk.ts';

interface Key {
  readonly accessKey: string;
  readonly secret: string;
}

export interface MarketMakerOptions {
  /** Origin of the exchange, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  /** The key of the account that quotes. */
  readonly maker: Key;
  /** The key of the account that keeps the tape alive; without it nothing is taken. */
  readonly taker?: Key;
  /** The keys of the accounts that quote contracts, and that trade with them: their money lies in the wallets of futures. Without it no contract is quoted. */
  readonly contracts?: { readonly maker: Key; readonly taker: Key };
  /** The same seed draws the same quotes and pauses. */
  readonly seed?: number;
  /** Every market that is trading when left out. */
  readonly symbols?: readonly string[];
  /** On each side. */
  readonly levels?: number;
  /** Decimal quote money on the level next to the market. */
  readonly levelNotional?: string;
  /** Mean pause between two orders of the tape in one market. */
  readonly tapePauseMs?: number;
  /** Quotes are canceled when the outside price has not been updated for this long. */
  readonly staleMs?: number;
  /** Orders placed and cancelled in a second at most. */
  readonly operationsPerSecond?: number;
  readonly log?: (line: string) => void;
}

export interface MarketMaker {
  /** Resolves when every market has been quoted once. */
  readonly ready: Promise<void>;
  /** Takes the quotes out and ends. */
  stop(): Promise<void>;
}

const CALL_TIMEOUT_MS = 10_000;
const DEFAULTS = {
  seed: 1,
  levels: 50,
  levelNotional: '2000',
  tapePauseMs: 2_500,
  staleMs: 15_000,
  operationsPerSecond: 400,
  log: () => {},
} satisfies Partial<MarketMakerOptions>;

type Settings = MarketMakerOptions & Required<Pick<MarketMakerOptions, keyof typeof DEFAULTS>>;

export function runMarketMaker(options: MarketMakerOptions): MarketMaker {
  const settings = { ...DEFAULTS, ...options };
  const life = new Life(settings.log);
  const ready = Promise.withResolvers<void>();
  const running = run(settings, life, ready.resolve);
  return {
    ready: ready.promise,
    async stop() {
      life.end();
      await running;
    },
  };
}

async function run(settings: Settings, life: Life, onReady: () => void): Promise<void> {
  const client = clientOf(settings.baseUrl, settings.maker);
  const listing = await life.persist('the listing', async () => ({ symbols: await client.symbols(), coins: await client.coins() }));
  if (listing === undefined) return;
  const { symbols, coins } = listing;
  const wanted = symbols.filter(({ symbol }) => settings.symbols === undefined || settings.symbols.includes(symbol));
  const markets = wanted.map((info) => pairTerms(info, coins));
  const prices = new PriceWatch({ staleMs: settings.staleMs, now: Date.now });
  const attention = new Attention(client, life);
  const desk = quotingDesk({ settings, client, markets, prices, life, attention });
  void desk.ready.then(onReady);
  const tapes = tapeDesk({ settings, coins, markets, prices, life, attention });
  await Promise.all([attention.run(), desk.run(), tapes?.run(), runContracts(settings, life, attention)]);
}

/** On each side of a contract, in whole dollars on the nearest level, and at most. */
const CONTRACT_LADDER = { levels: 20, levelDollars: 2_000, positionDollars: 1_000_000 } as const;

/** Enough that orders of testers fill. */
const PRACTICE_LADDER = { levels: 8, levelDollars: 2_000, positionDollars: 200_000 } as const;

async function runContracts(
  { contracts: keys, baseUrl, seed, staleMs, tapePauseMs, log }: Settings,
  life: Life,
  attention: Attention,
): Promise<void> {
  if (keys === undefined) return;
  const client = clientOf(baseUrl, keys.maker);
  const listed = await life.persist('the contracts', () => client.futuresSymbols());
  if (listed === undefined || listed.length === 0) return;
  const rules = listed.map(contractTerms);
  const pace = new Pace({ perSecond: CONTRACT_OPERATIONS_PER_SECOND, now: Date.now, wait: (ms) => life.pause(ms) });
  const ladders = rules.map((each, index) => {
    const ladder = { ...(each.underlyingType === 'PRACTICE' ? PRACTICE_LADDER : CONTRACT_LADDER), seed: hash(seed, 1_000 + index) };
    return { rules: each, ladder: () => ({ ...ladder, halfSpreadPpm: HALF_SPREAD_PPM + attention.movePpm }) };
  });
  const desk = new ContractDesk({ client, contracts: ladders, pace, life, attention, staleMs, log });
  const taker = clientOf(baseUrl, keys.taker);
  const tapes = rules.map(
    (each, index) =>
      new ContractTape({ client: taker, rules: each, life, attention, seed: hash(seed, -1_000 - index), meanPauseMs: 2 * tapePauseMs }),
  );
  await Promise.all([desk.run(), ...tapes.map((tape) => tape.run())]);
}

const CONTRACT_OPERATIONS_PER_SECOND = 100;

interface Parts {
  readonly settings: Settings;
  readonly markets: readonly PairTerms[];
  readonly prices: PriceWatch;
  readonly life: Life;
  readonly attention: Attention;
}

function quotingDesk({ settings, client, markets, prices, life, attention }: Parts & { readonly client: Client }): QuotingDesk {
  const { baseUrl, seed, levels, operationsPerSecond, log } = settings;
  const account = new OwnAccount(markets);
  const pace = new Pace({ perSecond: operationsPerSecond, now: Date.now, wait: (ms) => life.pause(ms) });
  const quoters = markets.map((rules, index) => {
    const levelNotional = parseAtoms(settings.levelNotional, rules.quoteDecimals);
    assert(levelNotional !== undefined, `levelNotional is an amount of ${rules.quote}`);
    return new Quoter({
      client,
      account,
      pace,
      rules,
      sharers: markets.length,
      ladder: { seed: hash(seed, index), levels, levelNotional },
    });
  });
  return new QuotingDesk({ baseUrl, client, account, prices, quoters, life, attention, log });
}

function tapeDesk({
  settings,
  coins,
  markets,
  prices,
  life,
  attention,
}: Parts & { readonly coins: readonly CoinInfo[] }): TapeDesk | undefined {
  const { baseUrl, taker, seed, tapePauseMs } = settings;
  if (taker === undefined) return undefined;
  const client = clientOf(baseUrl, taker);
  const tapes = markets.map(
    (rules, index) => new Tape({ client, rules, seed: hash(seed, -1 - index), meanPauseMs: tapePauseMs, sharers: markets.length }),
  );
  return new TapeDesk({ client, prices, tapes, life, attention, decimals: new Map(coins.map(({ coin, precision }) => [coin, precision])) });
}

function clientOf(baseUrl: string, key: Key): Client {
  return createClient({ baseUrl, credentials: new ApiKeyCredentials(key), timeoutMs: CALL_TIMEOUT_MS });
}
