/**
 * What has ended while SQL could not be written: on the disk before the caller is answered, and until SQL has it. No kill of the process makes it
 * live again.
 */
import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A session by its id, a session by the hash of its refresh token, an API key by its access key. */
const KINDS = ['session', 'refresh', 'apiKey'] as const;
export type EndedKind = (typeof KINDS)[number];

/** What has ended and is not in SQL yet, or is by now, as lines of the file. */
export interface EndedNews {
  readonly ended?: readonly string[];
  readonly saved?: readonly string[];
}

const LINE = /^(session|refresh|apiKey) ([0-9A-Za-z_-]{1,64})$/;
/** What other processes have ended is kept up to this number of lines of each kind: one that says more than that is broken. */
const HEARD_MOST = 100_000;

export class EndedFile {
  readonly #path: string;
  readonly #lines = new Set<string>();
  #saving: Promise<void> = Promise.resolve();
  /** Waits for its turn. */
  #next: Promise<void> | undefined;
  #announce: (news: EndedNews) => void = () => undefined;

  private constructor(path: string) {
    this.#path = path;
  }

  /** @throws when the file is there and cannot be read, or holds something else. */
  static async open(path: string): Promise<EndedFile> {
    const file = new EndedFile(path);
    const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return '';
      throw error;
    });
    for (const line of text.split('\n')) {
      if (line === '') continue;
      if (!LINE.test(line)) throw new Error(`${path} holds something else than what has ended`);
      file.#lines.add(line);
    }
    return file;
  }

  of(kind: EndedKind): readonly string[] {
    return [...this.#lines].filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
  }

  has(kind: EndedKind, id: string): boolean {
    return this.#lines.has(lineOf(kind, id));
  }

  lines(): readonly string[] {
    return [...this.#lines];
  }

  /** What is added and removed here from now on is passed to `announce`. */
  announceTo(announce: (news: EndedNews) => void): void {
    this.#announce = announce;
  }

  /** Resolves when they are on the disk. */
  async add(kind: EndedKind, ids: readonly string[]): Promise<void> {
    const ended = ids.map((id) => lineOf(kind, id)).filter((line) => !this.#lines.has(line));
    for (const line of ended) this.#lines.add(line);
    if (ended.length > 0) this.#announce({ ended });
    await this.#save();
  }

  /** They are in SQL now. */
  async remove(kind: EndedKind, ids: readonly string[]): Promise<void> {
    const saved = ids.map((id) => lineOf(kind, id)).filter((line) => this.#lines.delete(line));
    if (saved.length === 0) return;
    this.#announce({ saved });
    await this.#save();
  }

  /** What another process says: it is not announced again. @returns the lines that were not known, and when all is on the disk */
  hear({ ended = [], saved = [] }: EndedNews): { readonly fresh: readonly string[]; readonly kept: Promise<void> } {
    const fresh = KINDS.flatMap((kind) => {
      const said = ended.filter((line) => line.startsWith(`${kind} `) && LINE.test(line) && !this.#lines.has(line));
      return said.length === 0 ? [] : said.slice(0, Math.max(0, HEARD_MOST - this.of(kind).length));
    });
    for (const line of fresh) this.#lines.add(line);
    const gone = saved.filter((line) => this.#lines.delete(line));
    return { fresh, kept: fresh.length + gone.length === 0 ? Promise.resolve() : this.#save() };
  }

  /** One after the other, each with what is there when its turn comes: all that is changed until then is written at once. */
  #save(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    const saved = this.#saving.then(() => {
      this.#next = undefined;
      return this.#write();
    });
    this.#next = saved;
    this.#saving = saved.catch(() => undefined);
    return saved;
  }

  async #write(): Promise<void> {
    const draft = `${this.#path}.draft`;
    const file = await open(draft, 'w', 0o600);
    try {
      await file.writeFile([...this.#lines].map((line) => `${line}\n`).join(''));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, this.#path);
    const folder = await open(dirname(this.#path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

const lineOf = (kind: EndedKind, id: string): string => `${kind} ${id}`;
