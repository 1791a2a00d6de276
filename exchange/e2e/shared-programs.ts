/**
 * Programs of the same settings that files of tests use one after another. A file takes one for itself by a connection, says its name, and
 * is answered with the program's address; with the connection's end, whatever ended it, the program is free for the next file.
 */
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

export interface SharedProgram {
  readonly url: string;
  /** Whether it lives and answers. */
  isWell(): Promise<boolean>;
  stop(): Promise<unknown>;
}

interface Kept {
  readonly starting: Promise<SharedProgram>;
  readonly program: SharedProgram;
  lastFile: string;
  /** Ends it when no file has asked for it in time. */
  idle?: NodeJS.Timeout;
}

interface Options {
  readonly start: () => Promise<SharedProgram>;
  /** Hears which file a program did not survive. */
  readonly say: (sentence: string) => void;
  /** A program that nobody asks for so long is stopped: its market-maker takes a third of a processor from all other tests. */
  readonly idleMs: number;
}

/** What a file is answered, as one line. */
export type Answer = { readonly url: string } | { readonly error: string };

export class SharedPrograms {
  readonly #options: Options;
  readonly #server: Server = createServer((socket) => this.#serve(socket));
  readonly #sockets = new Set<Socket>();
  readonly #free: Kept[] = [];
  /** Of each that is not stopped yet. */
  readonly #starts = new Set<Promise<SharedProgram>>();

  constructor(options: Options) {
    this.#options = options;
  }

  /** @returns the port of this machine at which files ask. */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  async close(): Promise<void> {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([...this.#starts].map((starting) => this.#end(starting)));
  }

  #serve(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    // A file that was killed resets its connection: an end like every other.
    socket.on('error', () => socket.destroy());
    createInterface({ input: socket }).once('line', (file) => {
      void this.#lend(socket, file).catch((error: unknown) => socket.end(line({ error: String(error) })));
    });
  }

  async #lend(socket: Socket, file: string): Promise<void> {
    const kept = await this.#take();
    kept.lastFile = file;
    let isLent = true;
    const takeBack = (): void => {
      if (isLent) this.#keep(kept);
      isLent = false;
    };
    if (socket.destroyed) return takeBack();
    // At the end already: it is free before the file hears that its connection is closed.
    socket.once('end', takeBack).once('close', takeBack);
    socket.write(line({ url: kept.program.url }));
  }

  #keep(kept: Kept): void {
    this.#free.push(kept);
    kept.idle = setTimeout(() => {
      this.#free.splice(this.#free.indexOf(kept), 1);
      void this.#end(kept.starting);
    }, this.#options.idleMs).unref();
  }

  /** One that is free and well, else a fresh one. */
  async #take(): Promise<Kept> {
    for (let kept = this.#free.pop(); kept !== undefined; kept = this.#free.pop()) {
      clearTimeout(kept.idle);
      if (await kept.program.isWell()) return kept;
      this.#options.say(`the shared program did not survive ${kept.lastFile}: the next file gets a fresh one`);
      await this.#end(kept.starting);
    }
    const starting = this.#options.start();
    this.#starts.add(starting);
    return { starting, program: await starting, lastFile: '' };
  }

  async #end(starting: Promise<SharedProgram>): Promise<void> {
    if (!this.#starts.delete(starting)) return;
    const program = await starting.catch(() => undefined);
    await program?.stop();
  }
}

const line = (answer: Answer): string => `${JSON.stringify(answer)}\n`;
