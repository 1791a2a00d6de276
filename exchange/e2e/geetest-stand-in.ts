/**
 * For one test: a server in the place of GeeTest, which says on its button that it is none. It speaks version 4 as the exchange and the page do:
 * a script that sets `initGeetest4`, and `/validate`, which takes a lot that it gave out, signed with the key of the site.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export const SITE = { id: 'stand-in-site', key: 'stand-in-key' } as const;
const PATH = '/v4/gt4.js';

export interface StandIn {
  readonly script: string;
  readonly api: string;
  /** Whether the script is there. */
  isServed: boolean;
  /** Lots that were taken. */
  readonly taken: string[];
  close(): Promise<void>;
}

export async function openStandIn(): Promise<StandIn> {
  const given = new Set<string>();
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    if (pathname === PATH && standIn.isServed) {
      const lot = randomBytes(16).toString('hex');
      given.add(lot);
      response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(scriptOf(lot));
      return;
    }
    if (pathname !== '/validate') return void response.writeHead(404).end();
    void bodyOf(request).then((fields) => {
      const lot = fields.get('lot_number') ?? '';
      const sign = createHmac('sha256', SITE.key).update(lot).digest('hex');
      const isGood = searchParams.get('captcha_id') === SITE.id && fields.get('sign_token') === sign && given.delete(lot);
      if (isGood) standIn.taken.push(lot);
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ result: isGood ? 'success' : 'fail' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const standIn: StandIn = {
    script: `${api}${PATH}`,
    api,
    isServed: true,
    taken: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return standIn;
}

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return new URLSearchParams(body);
}

/** Adds a script of its own and writes markup, both as text, as GeeTest does: the policy of the page must let it. */
const scriptOf = (lot: string): string => `
globalThis.initGeetest4 = (options, made) => {
  const button = document.createElement('div');
  const listeners = {};
  let isSolved = false;
  button.innerHTML = '<button type="button">Stand-in for GeeTest, site ' + options.captchaId + ': solve</button>';
  button.firstChild.addEventListener('click', () => { isSolved = true; listeners.success(); });
  made({
    appendTo: (place) => { place.append(button); listeners.ready(); },
    onReady: (done) => { listeners.ready = done; },
    onSuccess: (done) => { listeners.success = done; },
    onError: (done) => { listeners.error = done; },
    getValidate: () => isSolved ? { lot_number: '${lot}', captcha_output: 'output', pass_token: 'token', gen_time: '1' } : undefined,
    destroy: () => button.remove(),
  });
};
`;
