import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { parseCurrencyRate } from './currency-rate.ts';
import { isRateUrl, parseRate, RatePort } from './rate-port.ts';

const stated = parseCurrencyRate('7.1 2025-11-21 fixed');
const log = { warn: vi.fn() };
const answer = { base: 'USD', date: '2026-03-02', rates: { CNY: 7.085 } };

let body: { readonly status: number; readonly text: string };
let server: Server;
let url: string;
let port: RatePort;

beforeEach(async () => {
  log.warn.mockClear();
  server = createServer((_request, response) => response.writeHead(body.status).end(body.text));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/latest`;
  port = new RatePort({ stated, url, log, everyMs: 5 });
});
afterEach(async () => {
  await port.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

test('[C4] the rate of the day is read from the configured address, with its day and its host as the source', async () => {
  body = { status: 200, text: JSON.stringify(answer) };
  expect(port.now()).toBe(stated);
  port.start();
  await vi.waitFor(() => expect(port.now()).toEqual({ currency: 'cny', perUsd: '7.085', date: '2026-03-02', source: new URL(url).host }));
});

test('a service that fails, or answers nonsense, leaves the rate that was read last, and says so in the log', async () => {
  body = { status: 200, text: JSON.stringify(answer) };
  port.start();
  await vi.waitFor(() => expect(port.now().perUsd).toBe('7.085'));
  body = { status: 503, text: '' };
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalled());
  body = { status: 200, text: JSON.stringify({ ...answer, rates: { CNY: -1 } }) };
  const said = log.warn.mock.calls.length;
  await vi.waitFor(() => expect(log.warn.mock.calls.length).toBeGreaterThan(said + 1));
  expect(port.now().perUsd).toBe('7.085');
});

test('without an address nothing is asked, and the stated rate stands', async () => {
  const ask = vi.fn();
  const fixed = new RatePort({ stated, url: undefined, log, fetch: ask });
  fixed.start();
  await fixed.stop();
  expect([fixed.now(), ask.mock.calls.length]).toEqual([stated, 0]);
});

test.each([
  [{ ...answer, base: 'EUR' }, 'not based on USD'],
  [{ ...answer, date: '2026-13-02' }, 'no date'],
  [{ ...answer, rates: { CNY: 'seven' } }, 'no rate of CNY'],
  [{ ...answer, rates: { CNY: 0.5 } }, 'no rate of CNY'],
  [null, 'not based on USD'],
])('the answer %j is refused', (json, words) => {
  expect(() => parseRate(json, 'x')).toThrow(words);
});

test('the address is one of https, or of this machine', () => {
  const all = ['https://rates.example/latest', 'http://127.0.0.1:9/x', 'http://rates.example/latest', 'ftp://rates.example', 'rates'];
  expect(all.map(isRateUrl)).toEqual([true, true, false, false, false]);
});
