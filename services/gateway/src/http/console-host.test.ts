import { Agent, request } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract, isOperatorPath, type Route } from '@orrery/api';
import { operatorCookie } from '../testing/people.ts';
import { openVenue, type Venue } from '../testing/venue.ts';

const CONSOLE = 'https://console.orrery.example';
const TRADING = 'https://orrery.example';
const agent = new Agent({ keepAlive: true });

let directory: string;
let apart: Venue;
let together: Venue;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'orrery-terminal-'));
  await writeFile(join(directory, 'index.html'), 'the page');
  await writeFile(join(directory, 'paths.json'), JSON.stringify(['/', '/console', '/console/$area', '/trade/spot/$pair', '/points']));
  const files = { terminalDirectory: directory };
  [apart, together] = [
    await openVenue({ ...files, consoleOrigin: CONSOLE, origins: [TRADING] }),
    await openVenue({ ...files, origins: [TRADING] }),
  ];
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([apart.close(), together.close()]);
  await rm(directory, { recursive: true, force: true });
});

interface Asked {
  readonly host: string;
  readonly venue?: Venue;
  readonly method?: string;
  readonly origin?: string;
}

/** As the first admin, whatever the venue is called by. */
function ask(path: string, { host, venue = apart, method = 'GET', origin }: Asked): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(venue.base);
  const headers = {
    host,
    'x-orrery-request': '1',
    'content-type': 'application/json',
    cookie: operatorCookie('admin'),
    ...(origin !== undefined && { origin }),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end(method === 'GET' ? undefined : '{}');
  });
}

describe('[A10] a host of its own', () => {
  test('every call of operators, and no other, has a path of theirs', () => {
    const ofOperators = Object.values<Route>(contract).filter(({ access }) => access === 'operator');
    expect(ofOperators.filter(({ path, aliases = [] }) => ![path, ...aliases].every(isOperatorPath))).toEqual([]);
    const others = Object.entries<Route>(contract).filter(([, { path, access }]) => isOperatorPath(path) && access !== 'operator');
    expect(others.map(([name]) => name).toSorted()).toEqual([
      'passkeyCreation',
      'passkeyRequest',
      'registerOperator',
      'signInOperator',
      'signOutOperator',
    ]);
  });

  const calls = Object.values<Route>(contract).filter(({ path }) => isOperatorPath(path));
  test.each(calls)('$method $path is there and nowhere else', async ({ method, path }) => {
    expect((await ask(path, { host: 'console.orrery.example', method })).status).not.toBe(404);
    for (const host of ['orrery.example', '127.0.0.1']) expect((await ask(path, { host, method })).status, host).toBe(404);
    expect((await ask(path, { host: 'console.orrery.example.evil.example', method })).status).toBe(421);
    expect((await ask(path, { host: 'x@console.orrery.example:1', method })).status).toBe(400);
    // Nor does a 405 reveal that the path exists.
    expect((await ask(path, { host: 'orrery.example', method: method === 'GET' ? 'POST' : 'GET' })).status).toBe(404);
  });

  test.each(['/console', '/console/', '/console/audit', '/Console', '/%63onsole', '//console'])('the page at %s too', async (path) => {
    expect((await ask(path, { host: 'orrery.example' })).status).toBe(404);
    expect(await ask('/console/audit', { host: 'console.orrery.example' })).toMatchObject({ status: 200, text: 'the page' });
  });

  test('everything else is as before: trading on its host, and the front of the console leads to the console', async () => {
    expect((await ask('/points', { host: 'orrery.example' })).status).toBe(200);
    expect((await ask('/', { host: 'orrery.example' })).status).toBe(200);
    expect((await ask('/', { host: 'console.orrery.example' })).status).toBe(302);
    expect((await ask('/pro/p/config', { host: 'orrery.example' })).status).toBe(200);
  });

  test('the port of the scheme may be written or left out', async () => {
    expect((await ask('/console', { host: 'console.orrery.example:443' })).status).toBe(200);
    expect((await ask('/console', { host: 'console.orrery.example:8443' })).status).toBe(421);
  });

  test('only the page of the console makes them: the trading page is foreign there, and the console to the calls of traders', async () => {
    const post = (origin: string, path: string) => ask(path, { host: 'console.orrery.example', method: 'POST', origin });
    expect((await post(CONSOLE, '/pro/o/auth/login/options')).status).toBe(200);
    expect((await post(TRADING, '/pro/o/auth/login/options')).status).toBe(403);
    expect((await post(CONSOLE, contract.verify.path)).status).toBe(403);
  });

  test('without one, it is where everything is', async () => {
    expect((await ask('/console', { host: 'orrery.example', venue: together })).status).toBe(200);
    expect((await ask('/pro/o/operator/me', { host: 'orrery.example', venue: together })).status).toBe(200);
  });
});
