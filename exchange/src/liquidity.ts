/**
 * First liquidity: the market-maker's two accounts are stocked by deposits on the chain like anyone's, their money is moved to spot,
 * and the market-maker runs in a separate thread with its own API keys.
 */
import { Worker } from 'node:worker_threads';
import type { Accounts } from '@orrery/accounts';
import type { Event, Heart, Wallet } from '@orrery/protocol';
import { type AccountId, addressOf, type AssetId, type Atoms, NO_ATOMS } from '@orrery/units';
import { moveToFutures } from './contract-house.ts';
import { admit, keyFor, type HouseKey } from './house-keys.ts';
import { ASSETS } from './listing.ts';
import type { MarketMakerOrders } from './market-maker-worker.ts';
import type { LiquidityAddresses } from './start-chain.ts';
import type { Surroundings } from './surroundings.ts';

const STOCKED = ASSETS.filter(({ kind }) => kind === 'chain').map(({ asset }) => asset);

/** What `/status` says of the market-maker: an exchange without its first quotes is not ready for people. */
export class MarketMakerPart {
  readonly name = 'market-maker';
  #unready: string | undefined = 'the first quotes do not stand in the books yet';

  quoted(): void {
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
  readonly heart: Heart;
  readonly accounts: Accounts;
  readonly addresses: LiquidityAddresses;
  readonly baseUrl: string;
  readonly part: MarketMakerPart;
}

export interface Liquidity {
  /** Resolves when every market has been quoted once, or when none will be any more. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

export async function startLiquidity(
  { closing, config, log }: Surroundings,
  { heart, accounts, addresses, baseUrl, part }: LiquidityOptions,
): Promise<Liquidity> {
  const keyOf = async (address: string, label: string): Promise<HouseKey> => {
    const owner = await admit(accounts, addressOf(address));
    await moveToSpot(heart, owner.account);
    return keyFor(accounts, owner, label);
  };
  const contractKeyOf = async (address: string, label: string): Promise<HouseKey> => {
    const owner = await admit(accounts, addressOf(address));
    await moveToFutures(heart, owner.account);
    return keyFor(accounts, owner, label);
  };
  const maker = await keyOf(addresses.quoter, 'market-maker');
  const taker = await keyOf(addresses.taker, 'tape');
  const { listing } = config.installation;
  const contracts = listing.contracts.length + listing.practice.length > 0 && {
    contracts: {
      maker: await contractKeyOf(addresses.contractQuoter, 'market-maker of contracts'),
      taker: await contractKeyOf(addresses.contractTaker, 'tape of contracts'),
    },
  };
  const liquidity = runThread({ baseUrl, maker, taker, ...contracts }, part, (line) => log.info({ part: 'market-maker' }, line));
  closing.add({ name: 'the market-maker', stop: () => liquidity.stop() });
  return liquidity;
}

/** Waits until the stock is credited, then moves all of it that still lies in funding. */
async function moveToSpot(heart: Heart, account: AccountId): Promise<void> {
  const funding = new Map<AssetId, Atoms>();
  const seen = new Set<AssetId>();
  const note = (event: Event): void => {
    if (event.type !== 'BalanceChanged' || event.account !== account) return;
    seen.add(event.asset);
    if (event.wallet === 'funding') funding.set(event.asset, event.free);
  };
  const view = heart.open();
  for (const fact of view.facts) note(fact);
  const isStocked = (): boolean => STOCKED.every((asset) => seen.has(asset));
  if (!isStocked()) {
    for await (const batch of view.tail) {
      for (const { events } of batch) for (const event of events) note(event);
      if (isStocked()) break;
    }
  }
  view.close();
  const [from, to]: readonly [Wallet, Wallet] = ['funding', 'spot'];
  for (const [asset, amount] of funding) {
    if (amount === NO_ATOMS) continue;
    await heart.submit({ type: 'Transfer', account, transferId: crypto.randomUUID(), asset, amount, from, to });
  }
}

function runThread(orders: MarketMakerOrders, part: MarketMakerPart, log: (line: string) => void): Liquidity {
  const worker = new Worker(new URL('./market-maker-worker.ts', import.meta.url), { workerData: orders });
  const ready = Promise.withResolvers<void>();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  void ended.then(() => {
    part.ended();
    ready.resolve();
  });
  worker.on('message', (message: { ready?: true; line?: string }) => {
    if (message.ready === true) {
      part.quoted();
      ready.resolve();
    }
    if (message.line !== undefined) log(message.line);
  });
  worker.on('error', (error) => log(`the market-maker failed: ${error.message}`));
  return {
    ready: ready.promise,
    async stop() {
      worker.postMessage('stop');
      await ended;
    },
  };
}
