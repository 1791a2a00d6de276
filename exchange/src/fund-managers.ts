/** The managers of the house's funds: a thread with API keys of the funds' accounts, begun again whenever it ends before the program does. */
import { Worker } from 'node:worker_threads';
import type { Accounts } from '@orrery/accounts';
import { type Lease, SMALL_YOUNG } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import type { AccountId } from '@orrery/units';
import type { FundManagerOrders } from './fund-manager-worker.ts';
import { HOUSE_FUNDS } from './fund-plans.ts';
import { admit, keyFor } from './house-keys.ts';
import { fundAddress } from './house-addresses.ts';
import type { Surroundings } from './surroundings.ts';

const LABEL = 'manager of the fund';
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A run of this length was no failure at the start. */
const GOOD_RUN_MS = 600_000;

interface ManagedParts {
  readonly heart: Heart;
  readonly accounts: Pick<Accounts, 'directory' | 'apiKeys'>;
  readonly baseUrl: string;
  readonly lease: Lease;
  /** Gets the accounts for which only the holder of the lease may act. */
  readonly guarded: Map<AccountId, Lease>;
}

/** Manages the funds that are open now; resolves when the signal is given and the thread has ended, or at once where no fund is open. */
export async function manageFunds(
  { log }: Pick<Surroundings, 'log'>,
  { heart, accounts, baseUrl, lease, guarded }: ManagedParts,
  signal: AbortSignal,
): Promise<void> {
  const view = heart.open();
  view.close();
  const open = new Set(view.facts.flatMap((fact) => (fact.type === 'FundOpened' ? [fact.fund] : [])));
  const funds: FundManagerOrders['funds'][number][] = [];
  for (const { share, strategy, ...fund } of HOUSE_FUNDS) {
    if (!open.has(share.asset)) continue;
    const owner = await admit(accounts, fundAddress(fund));
    guarded.set(owner.account, lease);
    funds.push({ strategy, ...(await keyFor(accounts, owner, LABEL, ['TRANSFER'])) });
  }
  if (funds.length === 0) return;
  const say = (line: string): void => log.info({ part: 'fund-manager' }, line);
  await keepRunning(() => runThread({ baseUrl, funds }, say, signal), say, signal);
}

/** Begins a part again after each end, later each time that it ends soon. Resolves when the signal is given and the part has ended. */
export async function keepRunning(run: () => Promise<void>, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    const begunAt = performance.now();
    await run();
    if (signal.aborted) return;
    if (performance.now() - begunAt >= GOOD_RUN_MS) pauseMs = FIRST_PAUSE_MS;
    say(`the managers of funds have ended: begun again in ${pauseMs / 1_000} s`);
    await pause(pauseMs, signal);
    pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
  }
}

/** Resolves when the thread has ended, for whatever reason. */
function runThread(orders: FundManagerOrders, say: (line: string) => void, signal: AbortSignal): Promise<void> {
  const worker = new Worker(new URL('./fund-manager-worker.ts', import.meta.url), { workerData: orders, resourceLimits: SMALL_YOUNG });
  const stop = (): void => worker.postMessage('stop');
  signal.addEventListener('abort', stop, { once: true });
  worker.on('message', say);
  worker.on('error', (error) => say(`a manager failed: ${error.message}`));
  return new Promise((resolve) => worker.once('exit', () => (signal.removeEventListener('abort', stop), resolve())));
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
