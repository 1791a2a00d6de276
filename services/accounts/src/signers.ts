/** Recovers signers on separate threads, so that no order waits while a login is checked. */
import { ApiError } from '@orrery/api';
import { WorkerThread } from '@orrery/foundation';
import type { Hex } from 'viem';

export interface SignedText {
  readonly text: string;
  readonly signature: Hex;
}

/** One recovers some ten thousand a second: far more than are asked for. */
const THREADS = 1;
/** With this many calls waiting for a thread, the next is refused and may retry. */
const WAITING_MAX = 1_000;
const RETRY_SECONDS = 1;

type SignerThread = WorkerThread<SignedText, string | undefined>;

const startedWhenAsked = (): SignerThread => new WorkerThread({ module: new URL('./signer-worker.ts', import.meta.url), name: 'signers' });

export class Signers {
  readonly #threads: SignerThread[];
  #isClosed = false;

  constructor(options: { threads?: number } = {}) {
    this.#threads = Array.from({ length: options.threads ?? THREADS }, startedWhenAsked);
  }

  /**
   * The address, lower case, whose key signed the text by `personal_sign`; undefined when none did, or not in the one form that is taken.
   * Rejects when too many wait, and when the thread fails; the next question then starts another one.
   */
  async of(signed: SignedText): Promise<string | undefined> {
    const [first, ...others] = this.#threads;
    const idlest = others.reduce((least, thread) => (least === undefined || thread.waiting < least.waiting ? thread : least), first);
    if (idlest === undefined || this.#isClosed || idlest.waiting >= WAITING_MAX) {
      throw new ApiError('Overloaded', { retryAfterSeconds: RETRY_SECONDS });
    }
    return idlest.ask(signed);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.close()));
  }
}
