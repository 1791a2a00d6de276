/** What Prometheus reads of a running exchange, and the page of the documentation that names it. */
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { watchedMetrics } from '../src/testing/alert-rules.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from './person.ts';
import { startProgram } from './program.ts';
import { until } from './until.ts';
import { freePort } from '../src/testing/free-port.ts';

/** The rows of the tables: a name of ours, and its labels. */
const DOCUMENTED = readFileSync(new URL('../../docs/metrics.md', import.meta.url), 'utf8')
  .split('\n')
  .flatMap((line) => /^\| `(orrery_\w+)` \| (\w+) \|/.exec(line)?.slice(1, 3).join(' ') ?? []);

const linesOf = (page: string, beginning: string): readonly string[] => page.split('\n').filter((line) => line.startsWith(beginning));

test('an exchange is ready by its own port, and every number of the documentation is there and no other', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-metrics-'));
  onTestFinished(() => rm(dataDirectory, { recursive: true, force: true }));
  const port = await freePort();
  const program = await startProgram({ dataDirectory, env: { ORRERY_MARKET_MAKER: 'off', ORRERY_METRICS_PORT: String(port) } });
  onTestFinished(() => program.kill());
  const read = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
  expect((await fetch(`${program.url}/readyz`)).status).toBe(200);

  const page = await read('/metrics');
  const exported = linesOf(page, '# TYPE orrery_').map((line) => line.slice('# TYPE '.length));
  expect(exported.toSorted()).toEqual(DOCUMENTED.toSorted());
  for (const name of watchedMetrics) expect(page, name).toContain(`# TYPE ${name} `);
  expect(linesOf(page, 'orrery_measure_failures_total')).toEqual([]);
  expect(linesOf(page, 'orrery_part_ready')).toContain('orrery_part_ready{part="journal"} 1');
  expect(linesOf(page, 'orrery_solvency_difference_atoms{coin="USDC"}')).toEqual(['orrery_solvency_difference_atoms{coin="USDC"} 0']);

  // An order that is refused is seen with its reason.
  const person = await signIn(program.url);
  await prepareToTrade(program.url, person);
  const client = keyClient(program.url, await tradeKey(person));
  await client.createOrder({ symbol: 'BTC_USDC', direction: 'BUY', tradeType: 'MARKET', totalAmount: '1' }).catch(() => undefined);
  await until(
    'the refused order is counted',
    async () => linesOf(await read('/metrics'), 'orrery_commands_rejected_total{type="PlaceOrder"').length > 0,
  );
});
