import { accountId, millis, seq, type AccountId } from '@orrery/units';
import type { Applied } from '@orrery/protocol';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { StartError } from '../start-error.ts';
import { Metrics } from './metrics.ts';
import { startMetricsServer, type MetricsServer } from './metrics-server.ts';

const LOOPBACK = { host: '127.0.0.1', port: 0 };

const open: MetricsServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** The values of a metric as Prometheus reads them: by its labels, as they are written. */
async function valuesOf(metrics: Metrics, name: string): Promise<Readonly<Record<string, number>>> {
  const { text } = await metrics.page();
  const lines = text.split('\n').filter((line) => line.startsWith(name) && !/^\w/.test(line.slice(name.length)));
  return Object.fromEntries(
    lines.map((line) => line.slice(name.length).split(/ (?=\S+$)/)).map(([labels = '', value]) => [labels, Number(value)]),
  );
}

const cancelAll = (account: AccountId, events: Applied['events']): Applied => ({
  seq: seq(1),
  at: millis(0),
  command: { type: 'CancelAllOrders', account, market: 0 },
  events,
});

test('commands are counted by type, and what was rejected by its reason', async () => {
  const metrics = new Metrics();
  metrics.onApplied(cancelAll(accountId(1), []));
  metrics.onApplied(cancelAll(accountId(9), [{ type: 'CommandRejected', reason: 'UnknownAccount', field: 'account' }]));
  expect(await valuesOf(metrics, 'orrery_commands_total')).toEqual({ '{type="CancelAllOrders"}': 2 });
  expect(await valuesOf(metrics, 'orrery_commands_rejected_total')).toEqual({ '{type="CancelAllOrders",reason="UnknownAccount"}': 1 });
});

test('a group is counted with its bytes, and each stage of it in seconds', async () => {
  const metrics = new Metrics();
  metrics.onGroup({ commands: 3, bytes: 400, queueMs: 0, applyMs: 2, journalMs: 5, answerMs: 1 });
  metrics.onGroup({ commands: 1, bytes: 100, queueMs: 500, applyMs: 2, journalMs: 5, answerMs: 1 });
  expect(await valuesOf(metrics, 'orrery_journal_bytes_total')).toEqual({ '': 500 });
  expect(await valuesOf(metrics, 'orrery_heart_group_commands_sum')).toEqual({ '': 4 });
  expect(await valuesOf(metrics, 'orrery_heart_stage_seconds_sum')).toEqual({
    '{stage="queue"}': 0.5,
    '{stage="apply"}': 0.004,
    '{stage="journal"}': 0.01,
    '{stage="answer"}': 0.002,
  });
});

test('a gauge is read at each scrape; what was there before and is gone has no value any more', async () => {
  const metrics = new Metrics();
  let withdrawals: readonly { of: { state: string }; value: number }[] = [
    { of: { state: 'held' }, value: 2 },
    { of: { state: 'sent' }, value: 1 },
  ];
  metrics.gauge({ name: 'orrery_pending', help: 'Pending.', labels: ['state'] }, () => withdrawals);
  expect(await valuesOf(metrics, 'orrery_pending')).toEqual({ '{state="held"}': 2, '{state="sent"}': 1 });
  withdrawals = [{ of: { state: 'sent' }, value: 3 }];
  expect(await valuesOf(metrics, 'orrery_pending')).toEqual({ '{state="sent"}': 3 });
});

test('a gauge that cannot be read is counted, and takes no other with it', async () => {
  const metrics = new Metrics();
  metrics.gauge({ name: 'orrery_broken', help: 'Broken.' }, () => Promise.reject(new Error('the database is away')));
  metrics.gauge({ name: 'orrery_whole', help: 'Whole.' }, () => [{ value: 7 }]);
  expect(await valuesOf(metrics, 'orrery_whole')).toEqual({ '': 7 });
  expect(await valuesOf(metrics, 'orrery_broken')).toEqual({});
  // The page that shows a failure is the next one.
  expect(await valuesOf(metrics, 'orrery_measure_failures_total')).toMatchObject({ '{metric="orrery_broken"}': 2 });
});

test('a gauge that gets no answer keeps no scrape waiting: it counts as one that cannot be read', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const metrics = new Metrics();
  metrics.gauge({ name: 'orrery_hanging', help: 'Hanging.' }, () => new Promise(() => undefined));
  metrics.gauge({ name: 'orrery_whole', help: 'Whole.' }, () => Promise.resolve([{ value: 7 }]));
  const whole = valuesOf(metrics, 'orrery_whole');
  // Prometheus waits for five seconds.
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await whole).toEqual({ '': 7 });
  const failures = valuesOf(metrics, 'orrery_measure_failures_total');
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await failures).toMatchObject({ '{metric="orrery_hanging"}': 1 });
});

test('the port serves the metrics and both probes, by their status, and nothing else', async () => {
  const metrics = new Metrics();
  let ready = { status: 503, text: 'the exchange is starting\n' } as { status: 200 | 503; text: string };
  const server = await startMetricsServer(LOOPBACK, { metrics, ready: () => ready });
  open.push(server);
  const read = async (path: string, method = 'GET') => {
    const response = await fetch(`${server.url}${path}`, { method });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  expect(await read('/livez')).toMatchObject({ status: 200, text: 'live\n' });
  expect(await read('/readyz')).toMatchObject({ status: 503, text: 'the exchange is starting\n' });
  ready = { status: 200, text: 'ready\n' };
  expect(await read('/readyz?verbose')).toMatchObject({ status: 200, text: 'ready\n' });
  const page = await read('/metrics');
  expect(page).toMatchObject({ status: 200, type: expect.stringMatching(/^text\/plain; version=0\.0\.4/) });
  expect(page.text).toContain('nodejs_eventloop_lag_seconds');
  expect(await read('/')).toMatchObject({ status: 404 });
  expect(await read('/metrics', 'POST')).toMatchObject({ status: 405 });
});

test('a port that is taken is named with its setting', async () => {
  const parts = { metrics: new Metrics(), ready: () => ({ status: 200, text: '' }) as const };
  const first = await startMetricsServer(LOOPBACK, parts);
  open.push(first);
  const port = Number(new URL(first.url).port);
  const second = startMetricsServer({ ...LOOPBACK, port }, parts);
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use: choose another in ORRERY_METRICS_PORT`);
});
