/** Questions that take the processor too long for the thread that trades: another thread answers them. */
import { parentPort, Worker } from 'node:worker_threads';
import { assert } from '@orrery/units';
import { SMALL_YOUNG } from './thread-memory.ts';

interface Asked<Question> {
  readonly id: number;
  readonly question: Question;
}

interface Answered<Answer> {
  readonly id: number;
  readonly answer: Answer;
}

export interface WorkerThreadOptions {
  /** The module of the thread, which calls `answerQuestions`. */
  readonly module: URL;
  readonly name: string;
}

/** Started by its first question, and again after a failure. Keeps the program alive while it works, not while it waits. */
export class WorkerThread<Question, Answer> {
  readonly #options: WorkerThreadOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #worker: Worker | undefined;
  #lastId = 0;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** Questions without an answer yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /**
   * Rejects when the thread fails or is closed: then the next question starts another one.
   * @param given buffers of the question that go to the thread, and are empty here afterwards
   */
  ask(question: Question, given: readonly ArrayBuffer[] = []): Promise<Answer> {
    this.#lastId += 1;
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(this.#lastId, waiting);
    this.#worker ??= this.#start();
    this.#worker.ref();
    this.#worker.postMessage({ id: this.#lastId, question } satisfies Asked<Question>, given);
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const { module, name } = this.#options;
    const worker = new Worker(module, { name, resourceLimits: SMALL_YOUNG });
    worker.on('message', ({ id, answer }: Answered<Answer>) => {
      this.#waiting.get(id)?.resolve(answer);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) worker.unref();
    });
    let failure = new Error(`the thread ${name} has ended`);
    worker.once('error', (cause) => (failure = new Error(`the thread ${name} has failed`, { cause })));
    worker.once('exit', () => {
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(failure);
      this.#waiting.clear();
    });
    return worker;
  }
}

/** In the thread: answers every question. An answer that rejects ends the thread. */
export function answerQuestions(answerTo: (question: never) => Promise<unknown>): void {
  const port = parentPort;
  assert(port !== null, 'questions are answered in a thread of their own');
  port.on('message', ({ id, question }: Asked<never>) => {
    void answerTo(question).then((answer) => port.postMessage({ id, answer } satisfies Answered<unknown>));
  });
}
