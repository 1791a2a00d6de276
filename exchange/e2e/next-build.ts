/**
 * A proxy in front of the program that can serve another build: the same terminal, whose first script has another name in the page and in the
 * service worker, as a build has that differs in anything.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

const NEXT = '-NextOne';

export class NextBuild {
  readonly url: string;
  readonly #server: Server;
  #target = '';
  /** Whether the next build is served. */
  #isNext = false;

  private constructor(server: Server) {
    this.#server = server;
    const address = server.address();
    this.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
    server.on('request', (incoming: IncomingMessage, response: ServerResponse) => void this.#pass(incoming, response));
  }

  static async open(): Promise<NextBuild> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new NextBuild(server);
  }

  leadTo(url: string): void {
    this.#target = url;
  }

  install(): void {
    this.#isNext = true;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (incoming.url ?? '/').replace(`${NEXT}.js`, '.js');
    const headers = Object.entries(incoming.headers).filter(
      ([name]) => !/^(connection|host|accept-encoding|if-none-match|content-length)$/.test(name),
    );
    const body = incoming.method === 'GET' || incoming.method === 'HEAD' ? null : await bodyOf(incoming);
    const answer = await fetch(this.#target + path, {
      method: incoming.method ?? 'GET',
      headers: [...headers.map(([name, value]): [string, string] => [name, String(value)]), ['accept-encoding', 'identity']],
      body,
    }).catch(() => undefined);
    if (answer === undefined) return void response.destroy();
    const sent = [...answer.headers].filter(
      ([name]) => !/^(connection|keep-alive|content-length|content-encoding|transfer-encoding|etag)$/.test(name),
    );
    const content = Buffer.from(await answer.arrayBuffer());
    response.writeHead(answer.status, Object.fromEntries(sent)).end(this.#isNext ? renamed(content, answer) : content);
  }
}

async function bodyOf(incoming: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  for await (const part of incoming) parts.push(part as Uint8Array);
  return new Uint8Array(Buffer.concat(parts));
}

/** In what names the first script: the page, and the worker. */
function renamed(content: Buffer, { headers, url }: Response): Buffer {
  const isPage = headers.get('content-type')?.startsWith('text/html') === true;
  if (!isPage && !url.endsWith('/app-worker.js')) return content;
  return Buffer.from(content.toString('utf8').replaceAll(/(\/assets\/index-[\w-]+)\.js/g, `$1${NEXT}.js`));
}
