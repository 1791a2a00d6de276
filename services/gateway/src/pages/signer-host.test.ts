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
  await writeFile(join(directory, 'paths.json'), '["/"]');
  await writeFile(join(directory, 'signer/index.html'), 'the signing page, for %APP_ORIGINS%');
  await writeFile(join(directory, 'signer/assets/signer-12345678.js'), 'the script');
  venue = await openVenue({ terminalDirectory: directory, signingPage: { origin: SIGNER }, origins: [TRADING] });
});
afterAll(async () => {
  agent.destroy();
  await venue.close();
  await rm(directory, { recursive: true, force: true });
});

interface Asked {
  readonly host: string;
  /** Where the request goes, when it is not the venue of the signing host. */
  readonly to?: string;
  readonly method?: string;
  readonly origin?: string;
  readonly body?: unknown;
}

function ask(
  path: string,
  { host, to = venue.base, method = 'GET', origin, body }: Asked,
): Promise<{ status: number; text: string; headers: IncomingHttpHeaders }> {
  const { hostname, port } = new URL(to);
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

describe('[L10] on one machine the signing page has a port of its own', () => {
  let local: Venue;
  let signer: string;
  const page = (base: string) => ask('/', { to: base, host: new URL(base).host });
  /** As the page says where it may embed the signing page. */
  async function framesOf({ base }: Venue): Promise<readonly string[]> {
    const { headers } = await page(base);
    return /frame-src ([^;]*);/.exec(String(headers['content-security-policy']))?.[1]?.split(' ') ?? [];
  }
  beforeAll(async () => {
    local = await openVenue({ terminalDirectory: directory, signingPage: { port: 0 } });
    signer = (await framesOf(local))[0] ?? '';
  });
  afterAll(() => local.close());

  test('of the same hosts as the page, which alone embeds it', async () => {
    const [ours, theirs] = [new URL(local.base).port, new URL(signer).port];
    expect(await framesOf(local)).toEqual([`http://127.0.0.1:${theirs}`, `http://localhost:${theirs}`]);
    const { text, headers } = await page(signer);
    expect(text).toBe(`the signing page, for http://127.0.0.1:${ours} http://localhost:${ours}`);
    expect(headers['content-security-policy']).toContain(`frame-ancestors http://127.0.0.1:${ours} http://localhost:${ours};`);
  });

  test('by the port of the socket, whatever host a request names', async () => {
    const named = { host: new URL(signer).host };
    expect((await ask('/', { ...named, to: local.base })).text).toBe('the terminal');
    for (const path of ['/trade/spot/BTC_USDC', '/pro/p/time', '/signer/index.html'])
      expect((await ask(path, { ...named, to: signer })).status, path).toBe(404);
  });

  test.each(calls)('$path is made there, by that page', async ({ path, body }) => {
    const made = { method: 'POST', body: body === undefined ? {} : sampleOf(body), host: new URL(signer).host };
    expect((await ask(path, { ...made, to: local.base, origin: signer })).status).toBe(404);
    expect((await ask(path, { ...made, to: signer, origin: local.base })).text).toContain('ForeignOrigin');
    expect((await ask(path, { ...made, to: signer, origin: signer })).text).not.toContain('ForeignOrigin');
  });

  test('another one where it is in use, and the same one where it is free', async () => {
    const port = Number(new URL(signer).port);
    const second = await openVenue({ terminalDirectory: directory, signingPage: { port } });
    const [elsewhere = ''] = await framesOf(second);
    expect(new URL(elsewhere).port).not.toBe(String(port));
    expect((await page(elsewhere)).text).toContain('the signing page');
    await second.close();
    const third = await openVenue({ terminalDirectory: directory, signingPage: { port: Number(new URL(elsewhere).port) } });
    expect(await framesOf(third)).toContain(elsewhere);
    await third.close();
  });
});
