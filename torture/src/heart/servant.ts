/** The parent's end of a heart in a child process. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Command } from '@orrery/protocol';
import { STOP, type Answer, type Done, type Question, type Reading, type Refused, type Saying, type ServeOptions } from './conversation.ts';

const PROGRAM = fileURLToPath(new URL('serve.ts', import.meta.url));

export interface ServantEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** The process ended before it answered: what came of the question is not known. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

export class Servant {
  readonly end: Promise<ServantEnd>;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: NoAnswer) => void }>();
  #questions = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    const complaints: string[] = [];
    child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk.toString()));
    child.on('message', (said: Saying) => {
      if (said === 'ready') return;
      this.#waiting.get(said.id)?.resolve(said);
      this.#waiting.delete(said.id);
    });
    this.end = (once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>).then(([code, signal]) => {
      const stderr = complaints.join('');
      for (const { reject } of this.#waiting.values()) reject(new NoAnswer(`the heart ended with ${String(code ?? signal)}: ${stderr}`));
      this.#waiting.clear();
      return { code, signal, stderr };
    });
  }

  /** @param under such as strace and its options */
  static async start(options: ServeOptions, under: readonly string[] = []): Promise<Servant> {
    const [command, ...args] = [...under, process.execPath, PROGRAM, JSON.stringify(options)];
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'], serialization: 'advanced' });
    const servant = new Servant(child);
    const isReady = await Promise.race([once(child, 'message').then(() => true), servant.end.then(() => false)]);
    if (!isReady) throw new Error(`the heart did not start: ${(await servant.end).stderr}`);
    return servant;
  }

  /** @throws NoAnswer */
  async submit(command: Command): Promise<Done | Refused> {
    const answer = await this.#ask({ ask: 'submit', command });
    if ('done' in answer) return answer.done;
    if ('refused' in answer) return answer.refused;
    throw new Error('a reading is no answer to a command');
  }

  /** @throws NoAnswer */
  async read(): Promise<Reading> {
    const answer = await this.#ask({ ask: 'read' });
    if ('reading' in answer) return answer.reading;
    throw new Error('only a reading answers a read');
  }

  /** To a stop in peace. */
  async stop(): Promise<ServantEnd> {
    this.#child.send(STOP);
    return this.end;
  }

  async kill(): Promise<ServantEnd> {
    this.#child.kill('SIGKILL');
    return this.end;
  }

  #ask(question: Omit<Extract<Question, { ask: 'submit' }>, 'id'> | Omit<Extract<Question, { ask: 'read' }>, 'id'>): Promise<Answer> {
    this.#questions += 1;
    const id = this.#questions;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.send({ ...question, id }, (error) => {
        if (error !== null && this.#waiting.delete(id)) reject(new NoAnswer(`the heart could not be asked: ${error.message}`));
      });
    });
  }
}
