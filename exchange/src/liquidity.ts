/**
 * First liquidity: the market-maker's two accounts are stocked by deposits on the chain like anyone's, their money is moved to spot,
 * and the market-maker runs in a separate thread with its own API keys. Of several processes the holder of its lease quotes.
 */
import { Worker } from 'node:worker_threads';
import type { Accounts } from '@orrery/accounts';
import { type Lease, SMALL_YOUNG } from '@orrery/foundation';
import type { Event, Heart, Wallet } from '@orrery/protocol';
import { type AccountId, addressOf, type AssetId, type Atoms, NO_ATOMS } from '@orrery/units';
import { moveToFutures } from './contract-house.ts';
import { admit, keyFor, type HouseKey } from './house-keys.ts';
import { startLeasedPart } from './leased-part.ts';
import { ASSETS } from './listing.ts';
import type { MarketMakerOrders } from './market-maker-worker.ts';
import type { LiquidityAddresses } from './start-chain.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';

const STOCKED = ASSETS.filter(({ kind }) => kind === 'chain').map(({ asset }) => asset);

/** What `/status` says of the market-maker: an exchange without its first quotes is not ready for people. */
export class MarketMakerPart {
  readonly name = 'market-maker';
  #unready: string | undefined = 'the first quotes do not stand in the books yet';

  quoted(): void {
    this.#unready = undefined;
  }

  /** Another process quotes: this one is as ready as that one. */
  standsBy(): void {
    this.#unready = undefined;
  }

  ended(): void {
    this.#unready = 'the market-maker has ended: its quotes are not looked after';
  }

  unready(): string | undefined {
    return this.#unready;
  }
}

export interface LiquidityOptions {
  /** Whose commands stand under the lease. */
  readonly heart: Heart;
  readonly accounts: Accounts;
  readonly addresses: LiquidityAddresses;
  readonly baseUrl: string;
  readonly part: MarketMakerPart;
  readonly lease: Lease;
  /** Gets the accounts for which only the holder of the lease may act. */
  readonly guarded: Map<AccountId, Lease>;
}

export interface Liquidity {
  /** Resolves when the money of its accounts lies where they trade with it; or as `ready`. */
  readonly stocked: Promise<void>;
  /** Resolves when every market has been quoted once, when none will be any more, or when another process quotes. */
  readonly ready: Promise<void>;
}

export function startLiquidity(surroundings: Surroundings, options: LiquidityOptions): Liquidity {
  const { closing, log } = surroundings;
  const { lease, part, baseUrl } = options;
  const [stocked, ready] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const standBy = (): void => {
    part.standsBy();
    ready.resolve();
  };
  void ready.promise.then(stocked.resolve);
  if (lease.hold() === undefined) standBy();
  const running = startLeasedPart({
    lease,
    async run(signal) {
      const orders = await ordersOf(surroundings, options, signal);
      stocked.resolve();
      const say = (line: string): void => log.info({ part: 'market-maker' }, line);
      if (!signal.aborted) await runThread({ baseUrl, ...orders }, { part, ready: ready.resolve, signal, log: say });
      if (lease.hold() === undefined) standBy();
    },
    onTrouble(error) {
      part.ended();
      ready.resolve();
      troubleOf(surroundings, 'market-maker')(error);
    },
  });
  closing.add({ name: 'the market-maker', stop: () => running.stop() });
  return { stocked: stocked.promise, ready: ready.promise };
}

/** With their money where they trade with it. */
async function ordersOf(
  { config }: Surroundings,
  { heart, accounts, addresses, lease, guarded }: LiquidityOptions,
  signal: AbortSignal,
): Promise<Omit<MarketMakerOrders, 'baseUrl'>> {
  const keyOf = async (address: string, label: string, move: typeof moveToSpot): Promise<HouseKey> => {
    const owner = await admit(accounts, addressOf(address));
    guarded.set(owner.account, lease);
    await move(heart, owner.account, signal);
    return keyFor(accounts, owner, label);
  };
  const maker = await keyOf(addresses.quoter, 'market-maker', moveToSpot);
  const taker = await keyOf(addresses.taker, 'tape', moveToSpot);
  const { listing } = config.installation;
  if (listing.contracts.length + listing.practice.length === 0) return { maker, taker };
  return {
    maker,
    taker,
    contracts: {
      maker: await keyOf(addresses.contractQuoter, 'market-maker of contracts', moveToFutures),
      taker: await keyOf(addresses.contractTaker, 'tape of contracts', moveToFutures),
    },
  };
}

/** Waits until the stock is credited, or the signal is given, then moves all of it that still lies in funding. */
async function moveToSpot(heart: Heart, account: AccountId, signal: AbortSignal): Promise<void> {
  const funding = new Map<AssetId, Atoms>();
  const seen = new Set<AssetId>();
  const note = (event: Event): void => {
    if (event.type !== 'BalanceChanged' || event.account !== account) return;
    seen.add(event.asset);
    if (event.wallet === 'funding') funding.set(event.asset, event.free);
  };
  const view = heart.open();
  signal.addEventListener('abort', () => view.close(), { once: true });
  for (const fact of view.facts) note(fact);
  const isStocked = (): boolean => STOCKED.every((asset) => seen.has(asset));
  if (!isStocked() && !signal.aborted) {
    for await (const batch of view.tail) {
      for (const { events } of batch) for (const event of events) note(event);
      if (isStocked()) break;
    }
  }
  view.close();
  if (signal.aborted) return;
  const [from, to]: readonly [Wallet, Wallet] = ['funding', 'spot'];
  for (const [asset, amount] of funding) {
    if (amount === NO_ATOMS) continue;
    await heart.submit({ type: 'Transfer', account, transferId: crypto.randomUUID(), asset, amount, from, to });
  }
}

interface Stage {
  readonly part: MarketMakerPart;
  readonly ready: () => void;
  readonly log: (line: string) => void;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** Resolves when the thread has ended, for whatever reason. */
async function runThread(orders: MarketMakerOrders, { part, ready, log, signal }: Stage): Promise<void> {
  const worker = new Worker(new URL('./market-maker-worker.ts', import.meta.url), { workerData: orders, resourceLimits: SMALL_YOUNG });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.on('message', (message: { ready?: true; line?: string }) => {
    if (message.ready === true) {
      part.quoted();
      ready();
    }
    if (message.line !== undefined) log(message.line);
  });
  worker.on('error', (error) => log(`the market-maker failed: ${error.message}`));
  signal.addEventListener('abort', () => worker.postMessage('stop'), { once: true });
  if (signal.aborted) worker.postMessage('stop');
  await ended;
  part.ended();
  ready();
}
