/**
 * Reads raw transactions on a thread of their own. One of 40 KiB takes ten milliseconds and more of hashing and of the curve, in which no order would be
 * answered: many worthless ones would take up the thread that trades.
 */
import { RpcError } from '@orrery/contracts/anvil';
import { WorkerThread } from '@orrery/foundation';
import type { SignedTransaction } from './signed-transaction.ts';

export interface RawTransaction {
  readonly raw: unknown;
  readonly chainId: number;
}

export type Reading =
  | { readonly transaction: SignedTransaction }
  | { readonly refusal: { readonly code: number; readonly message: string } };

/** With this many waiting, the next is refused and may be sent again. */
const WAITING_MAX = 256;
const LIMIT_EXCEEDED = -32005;

export class TransactionReader {
  readonly #thread: WorkerThread<RawTransaction, Reading> = new WorkerThread({
    module: new URL('./transaction-worker.ts', import.meta.url),
    name: 'transactions',
  });

  /** @throws RpcError as `readTransaction` does, and when too many wait */
  async read(raw: unknown, chainId: number): Promise<SignedTransaction> {
    if (this.#thread.waiting >= WAITING_MAX)
      throw new RpcError({ code: LIMIT_EXCEEDED, message: 'too many transactions wait: send it again' });
    const reading = await this.#thread.ask({ raw, chainId });
    if ('refusal' in reading) throw new RpcError(reading.refusal);
    return reading.transaction;
  }

  close(): Promise<void> {
    return this.#thread.close();
  }
}
