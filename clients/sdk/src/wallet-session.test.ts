import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { CallError } from './call-error.ts';
import { signInWithWallet } from './wallet-session.ts';

const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(undefined) : server.close(resolve)));
});

interface Reply {
  readonly data?: unknown;
  readonly cookies?: readonly string[];
  readonly refused?: string;
}

const cookiesOf = ({ headers }: IncomingMessage): string => headers.cookie ?? '';

/** Sends the cookies that the real one sends, and takes nothing without them. */
function answer(request: IncomingMessage, made: { tokens: number }): Reply {
  switch ((request.url ?? '').split('?')[0]) {
    case '/pro/p/config':
      return { data: { defaultChainId: 138_565 } };
    case '/pro/p/auth/nonce':
      return { data: 'abcdef0123456789', cookies: ['__Host-orrery-browser=b1; Path=/; HttpOnly; Secure; Max-Age=600'] };
    case '/pro/p/auth/verify':
      if (!cookiesOf(request).includes('__Host-orrery-browser=b1')) return { refused: 'OtherBrowser' };
      made.tokens += 1;
      return { data: `token-${made.tokens}`, cookies: ['__Host-orrery-refresh=r1; Path=/; HttpOnly; Secure; Max-Age=2592000'] };
    case '/pro/p/auth/refresh':
      if (request.headers['x-orrery-request'] === undefined || !cookiesOf(request).includes('__Host-orrery-refresh=r'))
        return { refused: 'NotSignedIn' };
      made.tokens += 1;
      return {
        data: { token: `token-${made.tokens}`, expiresAt: 0, sessionEndsAt: 0 },
        cookies: [`__Host-orrery-refresh=r${made.tokens}; Path=/`],
      };
    case '/pro/u/auth/logout':
      return { data: null, cookies: ['__Host-orrery-refresh=; Path=/; Max-Age=0'] };
    default:
      return { data: { accountId: request.headers.authorization ?? '', cookies: cookiesOf(request) } };
  }
}

async function exchange() {
  const bodies: Record<string, unknown>[] = [];
  const made = { tokens: 0 };
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      if (text !== '') bodies.push(JSON.parse(text) as Record<string, unknown>);
      const { data = null, cookies = [], refused } = answer(request, made);
      response.setHeader('content-type', 'application/json');
      for (const cookie of cookies) response.appendHeader('set-cookie', cookie);
      response.statusCode = refused === undefined ? 200 : 403;
      response.end(JSON.stringify(refused === undefined ? { code: 0, data } : { code: 1, msg: '', data: { reason: refused, field: '' } }));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

const wallet = { address: ADDRESS, signMessage: (text: string) => Promise.resolve(`0x${text.length.toString(16).padStart(4, '0')}`) };

test('a program that holds a wallet logs in: it signs the message, and sends back the cookie that came with the nonce', async () => {
  const { baseUrl, bodies } = await exchange();
  const session = await signInWithWallet({ baseUrl, wallet, now: () => Date.UTC(2026, 0, 1) });
  expect(bodies[0]?.['message']).toBe(
    [
      `${new URL(baseUrl).host} wants you to sign in with your Ethereum account:`,
      ADDRESS,
      '',
      'Sign in to Orrery.',
      '',
      `URI: ${baseUrl}`,
      'Version: 1',
      'Chain ID: 138565',
      'Nonce: abcdef0123456789',
      'Issued At: 2026-01-01T00:00:00.000Z',
    ].join('\n'),
  );
  expect((await session.client.accountInfo()).accountId).toBe('Bearer token-1');
});

test('its token is renewed in time by the refresh cookie, once for all calls that wait', async () => {
  const { baseUrl } = await exchange();
  let now = Date.UTC(2026, 0, 1);
  const session = await signInWithWallet({ baseUrl, wallet, now: () => now });
  now += 15 * 60_000;
  const [one, two] = await Promise.all([session.client.accountInfo(), session.client.accountInfo()]);
  expect([one.accountId, two.accountId]).toEqual(['Bearer token-2', 'Bearer token-2']);
  now += 15 * 60_000;
  expect((await session.client.accountInfo()).accountId).toBe('Bearer token-3');
});

test('after it has signed out, it has neither token nor refresh cookie', async () => {
  const { baseUrl } = await exchange();
  const session = await signInWithWallet({ baseUrl, wallet });
  await session.signOut();
  expect(await session.client.accountInfo()).toEqual({ accountId: '', cookies: '__Host-orrery-browser=b1' });
});

test('a refusal is reported with its reason', async () => {
  const { baseUrl } = await exchange();
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    request.headers.delete('cookie');
    return fetch(request);
  };
  const refusal = await signInWithWallet({ baseUrl, wallet, fetch: send }).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CallError);
  expect((refusal as CallError).reason).toBe('OtherBrowser');
});
