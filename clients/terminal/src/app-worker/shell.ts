/**
 * The files with which the terminal opens without the exchange. A page comes from the exchange whenever it answers: what is kept here stands in only where it
 * does not, so no device stays with an old terminal. Files of a build have a hash of their content in their names and never change; no answer of a call is kept.
 */

/** What one build consists of, as its plugin has listed it. */
export interface ShellBuild {
  /** The first script of the page: it names every other, so it stands for the whole. */
  readonly entry: string;
  /** Paths of the files that are kept from the first moment. */
  readonly files: readonly string[];
  /** Addresses of pages; `$` begins the name of a step that may be anything. */
  readonly pages: readonly string[];
}

export interface ShellPorts {
  readonly build: ShellBuild;
  readonly caches: Pick<CacheStorage, 'open' | 'keys' | 'delete' | 'match'>;
  readonly fetch: (request: Request | string, options?: RequestInit) => Promise<Response>;
  readonly sleep: (millis: number) => Promise<void>;
}

const PREFIX = 'orrery-shell ';
/** The page itself, the same for every address. */
const PAGE = '/';
/** A page that takes longer is opened from what is kept. */
const PATIENCE_MS = 4_000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** Out of service: the terminal says so better than a proxy. */
const SERVER_ERROR = 500;
/** Of the exchange's own builds; a name without a hash changes its content. */
const HASHED = /^\/assets\/[^/]+-[\w-]{7,}\.\w+$/;

export class Shell {
  readonly #ports: ShellPorts;
  readonly #name: string;
  readonly #pages: readonly RegExp[];

  constructor(ports: ShellPorts) {
    this.#ports = ports;
    this.#name = PREFIX + ports.build.entry;
    this.#pages = ports.build.pages.map((page) => new RegExp(`^${page.replaceAll(/\$\w+/g, '[^/]+')}/?$`, 'i'));
  }

  /** Whether the path is that of a file which never changes. */
  isFile(path: string): boolean {
    return HASHED.test(path);
  }

  isPage(path: string): boolean {
    return this.#pages.some((page) => page.test(path));
  }

  /** @throws Error when a file does not come, or the exchange has another build by now: then the browser tries again later. */
  async install(): Promise<void> {
    const { build, caches, fetch } = this.#ports;
    const page = whole(await fetch(PAGE, { cache: 'no-cache' }));
    if (!(await page.clone().text()).includes(build.entry)) throw new Error('the exchange has another build by now');
    const cache = await caches.open(this.#name);
    await Promise.all(
      build.files.map(async (path) => {
        const kept = this.isFile(path) ? await caches.match(path) : undefined;
        await cache.put(path, kept ?? whole(await fetch(path, this.isFile(path) ? {} : { cache: 'no-cache' })));
      }),
    );
    // Last: a page is never kept without its files.
    await cache.put(PAGE, page);
  }

  /** What earlier builds kept goes. */
  async activate(): Promise<void> {
    const { caches } = this.#ports;
    const names = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== this.#name);
    await Promise.all(names.map((name) => caches.delete(name)));
  }

  async page(request: Request): Promise<Response> {
    const { fetch, sleep } = this.#ports;
    const fresh = fetch(request);
    const answer = await Promise.race([fresh.catch(() => undefined), sleep(PATIENCE_MS)]);
    if (answer !== undefined && answer.status < SERVER_ERROR) return answer;
    return (await this.#kept(PAGE)) ?? fresh;
  }

  /** Kept once it was needed. While nobody answers it waits: a browser may keep the failure of a script for the life of the page. */
  async file(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    const kept = await this.#kept(pathname);
    if (kept !== undefined) return kept;
    const answer = await this.#fetchPatiently(request);
    if (answer.status === 200) {
      const cache = await this.#ports.caches.open(this.#name);
      // A full disk costs the copy, not the page.
      await cache.put(pathname, answer.clone()).catch(() => undefined);
    }
    return answer;
  }

  /** Files without a hash, such as pictures: from the exchange, else as they were. */
  async changing(request: Request): Promise<Response> {
    try {
      return await this.#ports.fetch(request);
    } catch (error) {
      const kept = await this.#kept(new URL(request.url).pathname);
      if (kept === undefined) throw error;
      return kept;
    }
  }

  /** A picture that is kept, as an address with its content; undefined where none is. */
  async picture(path: string): Promise<string | undefined> {
    const kept = await this.#kept(path);
    if (kept === undefined) return undefined;
    const bytes = new Uint8Array(await kept.arrayBuffer());
    return `data:image/png;base64,${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
  }

  isKeptChanging(path: string): boolean {
    return this.#ports.build.files.includes(path) && !this.isFile(path);
  }

  async #kept(path: string): Promise<Response | undefined> {
    return (await this.#ports.caches.open(this.#name)).match(path, { ignoreVary: true });
  }

  /** Ends with an answer; the browser ends what waits for minutes. */
  async #fetchPatiently(request: Request): Promise<Response> {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        return await this.#ports.fetch(request);
      } catch {
        await this.#ports.sleep(wait);
      }
    }
  }
}

function whole(answer: Response): Response {
  if (answer.status !== 200) throw new Error(`${answer.url} is answered with ${answer.status}`);
  return answer;
}
