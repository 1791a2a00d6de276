/** Starting and stopping the program as a person does: what can go wrong is said in one sentence, and nothing is left behind. */
import { once } from 'node:events';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { mkdtemp, rm, truncate } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Status } from '@orrery/api';
import type { Client } from '@orrery/sdk';
import { expect, onTestFinished, test } from 'vitest';
import { historyDirectory } from '../src/start-heart.ts';
import { keyClient, prepareToTrade, signIn, tradeKey } from './person.ts';
import { processesIn } from './processes-in.ts';
import { attemptToStart, startProgram, type Ending, type Program, type ProgramOptions } from './program.ts';
import { until } from './until.ts';

const QUIET = { ORRERY_MARKET_MAKER: 'off' };

async function freshFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orrery-start-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Progress lines begin like this; the reason follows the last of them. */
const STEPS = ['opening the journal', 'starting the database and the chain', 'bringing in the first liquidity'];
/** Where it was not built before, or not from these sources. */
const BUILDING = 'building the terminal';

/** The one sentence in which a start that failed says why. */
function reasonOf({ code, stdout, stderr }: Ending): string {
  expect(code).toBe(1);
  expect(stdout).toBe('');
  const said = stderr.split('\n').filter((line) => line !== '' && ![BUILDING, ...STEPS].some((step) => line === `orrery: ${step}`));
  // Whatever else was said is shown.
  expect(said).toEqual([expect.any(String)]);
  return said[0] ?? '';
}

async function failedStart(options: ProgramOptions): Promise<string> {
  const reason = reasonOf(await attemptToStart(options).end);
  expect(processesIn(options.dataDirectory)).toEqual([]);
  return reason;
}

async function running(options: ProgramOptions): Promise<Program> {
  const program = await startProgram(options);
  onTestFinished(() => program.kill());
  return program;
}

test('a port in use is named, and nothing stays behind', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await until('the other listens', () => Promise.resolve(other.listening));
  onTestFinished(() => void other.close());
  const port = String((other.address() as AddressInfo).port);
  const reason = await failedStart({ dataDirectory: await freshFolder(), env: { ...QUIET, ORRERY_PORT: port } });
  expect(reason).toContain(port);
  expect(reason).toMatch(/in use/);
});

test('a data folder that can not be written is named', async () => {
  const file = join(await freshFolder(), 'file');
  writeFileSync(file, '');
  const dataDirectory = join(file, 'data');
  expect(await failedStart({ dataDirectory })).toBe(
    `orrery: The data folder ${dataDirectory} can not be written: choose another in ORRERY_DATA.`,
  );
});

test.each([
  { ORRERY_PORT: 'eighty' },
  { ORRERY_PORT: '70000' },
  { ORRERY_MARKET_MAKER: 'maybe' },
  { ORRERY_OPERATOR_KEY: '0x12' },
  { ORRERY_DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' },
  { ORRERY_RPC_URL: 'http://127.0.0.1:1', ORRERY_OPERATOR_KEY: `0x${'1'.repeat(64)}` },
])('a setting that can not be used is refused in one sentence that names it: %o', async (env) => {
  const reason = await failedStart({ dataDirectory: await freshFolder(), env: { ...QUIET, ...env } });
  expect(reason).toContain(Object.keys(env)[0]);
});

async function statusOf({ url }: Pick<Program, 'url'>): Promise<Status> {
  const response = await fetch(`${url}/status`);
  return ((await response.json()) as { data: Status }).data;
}

/** A part may be late for a moment on a slow machine, after the line that says it is ready. */
const becomesReady = (program: Pick<Program, 'url'>): Promise<void> =>
  expect
    .poll(async () => (await statusOf(program)).parts.filter(({ ready }) => !ready).map(({ name, detail }) => `${name}: ${detail}`))
    .toEqual([]);

/** The first file of the journal. */
function journalOf(dataDirectory: string): string {
  const folder = join(historyDirectory(dataDirectory), 'journal');
  const [first] = readdirSync(folder).toSorted();
  if (first === undefined) throw new Error(`${folder} is empty`);
  return join(folder, first);
}

function flipByte(file: string, offset: number): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, offset);
  writeSync(descriptor, Buffer.from([(byte[0] ?? 0) ^ 0xff]), 0, 1, offset);
  closeSync(descriptor);
}

test('on one folder: a second program is refused; a journal damaged in the middle is named, and taken when it is whole again; a tail torn by a crash is cut', async () => {
  const dataDirectory = await freshFolder();
  const first = await running({ dataDirectory, env: QUIET });
  expect(reasonOf(await attemptToStart({ dataDirectory, env: QUIET }).end)).toMatch(/in use|another program/);
  await becomesReady(first);
  const { seq } = await statusOf(first);
  expect(await first.stop()).toBe(0);

  const journal = journalOf(dataDirectory);
  const offset = 200;
  flipByte(journal, offset);
  expect(await failedStart({ dataDirectory, env: QUIET })).toMatch(new RegExp(`damaged: ${journal} at offset \\d+`));
  flipByte(journal, offset);
  const whole = await running({ dataDirectory, env: QUIET });
  expect((await statusOf(whole)).seq).toBeGreaterThanOrEqual(seq);

  await whole.kill();
  const torn = journalOf(dataDirectory);
  await truncate(torn, statSync(torn).size - 3);
  const cut = await running({ dataDirectory, env: QUIET });
  await becomesReady(cut);
});

test.each(STEPS)('Ctrl-C while it is %s ends it cleanly, and the next start is whole', async (step) => {
  const dataDirectory = await freshFolder();
  const attempt = attemptToStart({ dataDirectory });
  await attempt.said(step);
  attempt.interrupt();
  const { code, stdout, stderr } = await attempt.end;
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/orrery: stopping\n$/) });
  await until('nothing is left in the data folder', () => Promise.resolve(processesIn(dataDirectory).length === 0));
  const next = await running({ dataDirectory, env: QUIET });
  await becomesReady(next);
});

test('started to be looked at nothing changes; started for cancels traders take out their orders; then everybody trades again', async () => {
  const dataDirectory = await freshFolder();
  const start = (accepts: string): Promise<Program> => running({ dataDirectory, env: { ...QUIET, ORRERY_ACCEPTS: accepts } });
  expect(await failedStart({ dataDirectory, env: { ...QUIET, ORRERY_ACCEPTS: 'nothing' } })).toContain('ORRERY_ACCEPTS=everything');
  const before = await start('everything');
  const person = await signIn(before.url);
  await prepareToTrade(before.url, person);
  const key = await tradeKey(person);
  const wish = { symbol: 'SOL_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50', totalAmount: '1' } as const;
  const orderId = await keyClient(before.url, key).createOrder(wish);
  expect(await before.stop()).toBe(0);

  const readable = await start('nothing');
  const { seq } = await statusOf(readable);
  const reader = keyClient(readable.url, key);
  expect((await reader.openOrders({ page: 1, size: 10 })).items.map((order) => order.orderId)).toEqual([orderId]);
  const cancel = { orderId };
  await expect(reader.cancelOrder(cancel)).rejects.toMatchObject({ status: 503, msg: expect.stringContaining('read only') });
  await expect(reader.createOrder(wish)).rejects.toMatchObject({ status: 503, msg: expect.stringContaining('read only') });
  const { parts } = await statusOf(readable);
  expect(parts.find(({ name }) => name === 'journal')).toMatchObject({ ready: false, detail: expect.stringContaining('read only') });
  expect((await statusOf(readable)).seq).toBe(seq);
  expect(await readable.stop()).toBe(0);

  const careful = await start('cancels');
  const trader = keyClient(careful.url, key);
  await expect(trader.createOrder(wish)).rejects.toMatchObject({ reason: 'DiskFull' });
  await trader.cancelOrder(cancel);
  expect((await trader.openOrders({ page: 1, size: 10 })).items).toEqual([]);
  expect(await careful.stop()).toBe(0);

  const after = await start('everything');
  await becomesReady(after);
  await keyClient(after.url, key).createOrder(wish);
});

test('a fatal stop leaves no database and no chain behind', async () => {
  const dataDirectory = await freshFolder();
  const program = await running({ dataDirectory, env: QUIET });
  const exited = once(program.process, 'exit');
  const chain = join(dataDirectory, 'chain');
  // The node comes back from its log, which is no longer what it was: the chain can not go on.
  flipByte(join(chain, 'after-000000000000.log'), 20);
  for (const pid of processesIn(chain)) if (isNode(pid)) process.kill(pid, 'SIGKILL');
  expect(await exited).toEqual([1, null]);
  await until('nothing is left in the data folder', () => Promise.resolve(processesIn(dataDirectory).length === 0));
});

const isNode = (pid: number): boolean => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'anvil';

/** Without their worth, which moves with the prices. */
async function spotBalances(client: Client): Promise<readonly unknown[]> {
  const balances = await client.balances({ account: 'spot' });
  return balances.map(({ coin, balance, freeze, availableBalance }) => ({ coin, balance, freeze, availableBalance }));
}

/** An order rests, and what there is then. */
async function tradeOnce(url: string) {
  const person = await signIn(url);
  await prepareToTrade(url, person);
  const key = await tradeKey(person);
  const wish = { symbol: 'SOL_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50', totalAmount: '1' } as const;
  const orderId = await keyClient(url, key).createOrder(wish);
  const balances = await spotBalances(keyClient(url, key));
  return { key, orderId, balances, seq: (await statusOf({ url })).seq };
}

test('Ctrl-C when it is ready ends it cleanly; orders, balances and the state are there at the next start', async () => {
  const dataDirectory = await freshFolder();
  const attempt = attemptToStart({ dataDirectory, env: QUIET });
  const [, url = ''] = await attempt.said(/Orrery is ready: (\S+)\n/);
  const { key, orderId, balances, seq } = await tradeOnce(url).finally(() => attempt.interrupt());
  const { code, stdout, stderr } = await attempt.end;
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Orrery is ready: http:\/\/127\.0\.0\.1:\d+\n$/),
    stderr: expect.stringMatching(/orrery: stopping\n$/),
  });
  expect(processesIn(dataDirectory)).toEqual([]);

  const startedAt = performance.now();
  const second = await running({ dataDirectory, env: QUIET });
  process.stderr.write(`started again in ${Math.round(performance.now() - startedAt)} ms\n`);
  expect((await statusOf(second)).seq).toBeGreaterThanOrEqual(seq);
  const client = keyClient(second.url, key);
  expect((await client.openOrders({ page: 1, size: 10 })).items.map((order) => order.orderId)).toEqual([orderId]);
  expect(await spotBalances(client)).toEqual(balances);
  expect(await second.stop()).toBe(0);
});
