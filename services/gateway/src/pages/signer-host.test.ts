/** The host of the signing page: it is there and nowhere else, only our pages embed it, and only it makes its calls. */
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, isSignerPath, type Route } from '@orrery/api';
import { sampleOf } from '../testing/arbitrary.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const SIGNER = 'https://signer.orrery.example';
const TRADING = 'https://orrery.example';
const agent = new Agent({ keepAlive: true });

let directory: string;
let venue: Venue;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-terminal-'));
  await mkdir(join(directory, 'signer/assets'), { recursive: true });
  await writeFile(join(directory, 'index.html'), 'the terminal');
  await writeFile(join(directory, 'signer/index.html'), 'the signing page, for %APP_ORIGINS%');
  await writeFile(join(directory, 'signer/assets/signer-12345678.js'), 'the script');
  venue = await openVenue({ terminalDirectory: directory, signerOrigin: SIGNER, origins: [TRADING] });
});
afterAll(async () => {
  agent.destroy();
  await venue.close();
  await rm(directory, { recursive: true, force: true });
});

interface Asked {
  readonly host: string;
  readonly method?: string;
  readonly origin?: string;
  readonly body?: unknown;
}

function ask(
  path: string,
  { host, method = 'GET', origin, body }: Asked,
): Promise<{ status: number; text: string; headers: IncomingHttpHeaders }> {
  const { hostname, port } = new URL(venue.base);
  const headers = { host, 'content-type': 'application/json', ...(origin !== undefined && { origin }) };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const host = (origin: string): string => new URL(origin).host;
const calls = Object.values<Route>(contract).filter(({ path }) => isSignerPath(path));

describe('[L10] the host of the signing page', () => {
  test('serves it with the list of our origins, to be embedded by them alone, and to talk to itself alone', async () => {
    const { status, text, headers } = await ask('/', { host: host(SIGNER) });
    expect({ status, text }).toEqual({ status: 200, text: `the signing page, for ${TRADING}` });
    const policy = String(headers['content-security-policy']);
    for (const rule of [`frame-ancestors ${TRADING};`, "connect-src 'self';", "default-src 'none';"]) expect(policy).toContain(rule);
    expect((await ask('/assets/signer-12345678.js', { host: host(SIGNER) })).text).toBe('the script');
  });

  test('serves no other page and takes no other call', async () => {
    for (const path of ['/index.html2', '/trade/spot/BTC_USDC', '/signer/index.html', '/pro/p/time', '/pro/u/account/info', '/docs'])
      expect((await ask(path, { host: host(SIGNER) })).status, path).toBe(404);
    expect((await ask('/pro/u/wallet/ticket', { host: host(SIGNER), method: 'POST', body: { use: 'sign' } })).status).toBe(404);
  });

  test('is no part of the other hosts, whose pages may embed it', async () => {
    for (const path of ['/signer/index.html', '/signer/assets/signer-12345678.js'])
      expect((await ask(path, { host: host(TRADING) })).status, path).toBe(404);
    const { text, headers } = await ask('/', { host: host(TRADING) });
    expect(text).toBe('the terminal');
    expect(headers['content-security-policy']).toContain(`frame-src ${SIGNER};`);
  });

  test.each(calls)('$path is made there, by that page', async ({ path, body }) => {
    const made = { method: 'POST', body: body === undefined ? {} : sampleOf(body) };
    expect((await ask(path, { ...made, host: host(TRADING), origin: TRADING })).status).toBe(404);
    expect((await ask(path, { ...made, host: host(SIGNER), origin: TRADING })).text).toContain('ForeignOrigin');
    expect((await ask(path, { ...made, host: host(SIGNER), origin: SIGNER })).text).not.toContain('ForeignOrigin');
  });
});
