/** Recovers signers on separate threads, so that no order waits while a login is checked. */
import { Worker } from 'node:worker_threads';
import { ApiError } from '@orrery/api';
import type { Hex } from 'viem';

export interface SignedText {
  readonly text: string;
  readonly signature: Hex;
}

/** What goes to the thread, and what comes back. */
export type SignerQuestion = SignedText & { readonly id: number };

export interface SignerAnswer {
  readonly id: number;
  readonly signer: string | undefined;
}

/** One recovers some ten thousand a second: far more than are asked for. */
const THREADS = 1;
/** With this many calls waiting for a thread, the next is refused and may retry. */
const WAITING_MAX = 1_000;
const RETRY_SECONDS = 1;

type Waiting = PromiseWithResolvers<string | undefined>;

export class Signers {
  readonly #threads: SignerThread[];
  #isClosed = false;

  constructor(options: { threads?: number } = {}) {
    this.#threads = Array.from({ length: options.threads ?? THREADS }, () => new SignerThread());
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

/** Started by its first question, and again after a failure. Keeps the program alive while it works, not while it waits. */
class SignerThread {
  #worker: Worker | undefined;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  get waiting(): number {
    return this.#waiting.size;
  }

  ask({ text, signature }: SignedText): Promise<string | undefined> {
    this.#lastId += 1;
    const waiting: Waiting = Promise.withResolvers();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage({ id: this.#lastId, text, signature } satisfies SignerQuestion);
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL('./signer-worker.ts', import.meta.url), { name: 'signers' });
    worker.on('message', ({ id, signer }: SignerAnswer) => {
      this.#waiting.get(id)?.resolve(signer);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    });
    let failure = new Error('the thread that recovers signers has ended');
    worker.once('error', (cause) => (failure = new Error('the thread that recovers signers has failed', { cause })));
    worker.once('exit', () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(failure);
      this.#waiting.clear();
    });
    return worker;
  }
}
