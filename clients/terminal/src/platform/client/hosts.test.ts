import { describe, expect, test } from 'vitest';
import { hostOf, routed } from './hosts.ts';
import type { Environment, HostTable } from './hosts.ts';

const ORIGIN = 'https://orrery.example';
const TABLE: HostTable = {
  api: { test: 'https://test.example', preview: 'https://preview.example', prod: 'https://api.example' },
  spot: 'https://spot.example',
  perps: 'https://perps.example',
};
const environments: readonly Environment[] = ['test', 'preview', 'prod'];
const hosts = (path: string, table: HostTable): readonly string[] =>
  environments.map((environment) => hostOf(path, { table, environment, origin: ORIGIN }));

describe('[C7] environments', () => {
  test('[C7] test, preview and prod have API hosts of their own', () => {
    expect(hosts('/pro/p/config', TABLE)).toEqual(['https://test.example', 'https://preview.example', 'https://api.example']);
  });

  test('[C7] spot and perps have the same host in all of them', () => {
    expect(new Set(hosts('/spot/v1/p/time', TABLE))).toEqual(new Set(['https://spot.example']));
    expect(new Set(hosts('/futures/fapi/market/v1/public/symbol/list', TABLE))).toEqual(new Set(['https://perps.example']));
  });

  test('[C7] a build that names no hosts calls the one that serves the page', () => {
    for (const path of ['/pro/p/config', '/spot/v1/p/time', '/futures/fapi/q'])
      expect(new Set(hosts(path, { api: {} }))).toEqual(new Set([ORIGIN]));
  });

  test('[C7] a request keeps its method, headers, body and query on the way to its host', async () => {
    const choice = { table: TABLE, environment: 'test', origin: ORIGIN } as const;
    const request = new Request(`${ORIGIN}/pro/p/auth/verify?a=1`, { method: 'POST', headers: { 'x-orrery-request': '1' }, body: '{}' });
    const sent = routed(request, choice);
    expect([sent.url, sent.method, sent.headers.get('x-orrery-request'), await sent.text()]).toEqual([
      'https://test.example/pro/p/auth/verify?a=1',
      'POST',
      '1',
      '{}',
    ]);
    const own = new Request(`${ORIGIN}/pro/p/config`);
    expect(routed(own, { ...choice, table: { api: {} } })).toBe(own);
  });
});
