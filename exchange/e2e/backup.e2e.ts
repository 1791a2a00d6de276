/**
 * A drill: an exchange under load is copied while it runs and restored elsewhere. Everything that was acknowledged before the point of the set is there, people
 * log in, what is encrypted opens, and the restored one is copied again. A set that was not finished, or was changed, is refused.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { SentFile, type Status } from '@orrery/api';
import { CallError, createClient, sessionCredentials, type Client } from '@orrery/sdk';
import { createEngine, decodeState } from '@orrery/engine';
import { verifyFolder } from '@orrery/sequencer/verify';
import { generatePrivateKey } from 'viem/accounts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { solved } from '../../services/accounts/src/testing/solve.ts';
import { Closing } from '../src/closing.ts';
import { readConfig } from '../src/config.ts';
import { restore } from '../src/restore.ts';
import { begin, pointOf, reasonOf, run } from './care-command.ts';
import { browserFetch, claimTokens, keyClient, type KeyOfPerson, prepareToTrade, signIn, tradeKey, withdraw } from './person.ts';
import { BEHIND_A_PROXY, type Program, startProgram } from './program.ts';
import { until } from './until.ts';
import { dataDirectory, program, withProgram } from './with-program.ts';

const SETTINGS = {
  ...BEHIND_A_PROXY,
  ORRERY_MARKET_MAKER: 'off',
  ORRERY_FUND_MANAGER: 'off',
  ORRERY_ADDRESS_WAIT_SECONDS: '0',
  ORRERY_DISPUTE_SECONDS: '1',
};
const BOB = { username: 'bob.backup@example.org', password: 'a long pass phrase of bob' };
const CAROL = generatePrivateKey();
const LABEL = 'the savings of carol';
/** An account has no more open orders of one market. */
const ORDERS_MAX = 190;

withProgram({ env: SETTINGS });

let place = '';
const at = (name: string): string => join(place, name);
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'orrery-backup-'));
});
afterAll(() => rm(place, { recursive: true, force: true }));

const guest = (url: string, from: string): Client =>
  createClient({ baseUrl: url, credentials: sessionCredentials(() => undefined), fetch: browserFetch(url, from) });

async function codeFor(client: Client, send: () => Promise<unknown>): Promise<string> {
  const before = (await client.mailbox({ to: BOB.username })).list.length;
  await send();
  return until('a code has come', async () => {
    const { list } = await client.mailbox({ to: BOB.username });
    return list.length > before && list.flatMap(({ text }) => /Your code is (\d{6})/.exec(text)?.[1] ?? [])[0];
  });
}

async function registerBob(): Promise<void> {
  const client = guest(program.url, '10.21.0.2');
  const captcha = solved(await client.captchaInit({ action: 'code' }));
  const code = await codeFor(client, () => client.sendCode({ purpose: 'register', username: BOB.username, captcha }));
  await client.register({ ...BOB, code });
}

/** Bids far below the market, one after the other: they rest. */
class Load {
  /** In the order of their acknowledgement. */
  readonly orders: string[] = [];
  readonly #client: Client;
  readonly #trouble: unknown[] = [];
  #isStopped = false;
  readonly #done: Promise<void>;

  constructor(key: KeyOfPerson) {
    this.#client = keyClient(program.url, key);
    this.#done = this.#run();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#done;
    expect(this.#trouble).toEqual([]);
  }

  async #run(): Promise<void> {
    while (!this.#isStopped && this.orders.length < ORDERS_MAX) {
      try {
        this.orders.push(await bid(this.#client));
      } catch (error) {
        if (!isTooMany(error)) this.#trouble.push(error);
      }
    }
  }
}

const bid = (client: Client): Promise<string> =>
  client.createOrder({ symbol: 'SOL_USDC', direction: 'BUY', tradeType: 'LIMIT', price: '50', totalAmount: '0.2' });

async function openOrders(client: Client): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let page = 1; ; page += 1) {
    const { items } = await client.openOrders({ page, size: 100 });
    ids.push(...items.map(({ orderId }) => orderId));
    if (items.length < 100) return ids;
  }
}

async function statusOf({ url }: { readonly url: string }): Promise<Status> {
  const response = await fetch(`${url}/status`);
  return ((await response.json()) as { data: Status }).data;
}

/** Elsewhere: in another folder and at another port. */
async function started(folder: string): Promise<Program> {
  const other = await startProgram({ dataDirectory: folder, env: SETTINGS });
  onTestFinished(async () => void (await other.stop()));
  return other;
}

const folderOf = (name: string): string => join(at(name), 'history');
const verified = (name: string): { seq: number; stateHash: string } => verifyFolder(folderOf(name), { createEngine, decodeState });

let key: KeyOfPerson;
let fileId = '';

test('a set that is taken under load is restored elsewhere with the same state, every acknowledged order, logins, what is encrypted, and is copied again', async () => {
  await registerBob();
  const carol = await signIn(program.url, { privateKey: CAROL, from: '10.21.0.3' });
  await prepareToTrade(program.url, carol);
  key = await tradeKey(carol);
  await carol.client.addWithdrawAddress({ address: `0x${'ab'.repeat(20)}`, label: LABEL });
  const pdf = '%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n';
  ({ fileId } = await carol.client.uploadFile(new SentFile('application/pdf', new TextEncoder().encode(pdf))));
  await carol.client.transfer({ coin: 'USDC', amount: '5', from: 'spot', to: 'funding' });
  const dave = await signIn(program.url, { from: '10.21.0.4' });

  const load = new Load(key);
  const deposits = claimTokens(program.url, dave);
  const withdrawal = withdraw(program.url, carol, { coin: 'USDC', amount: '1' });
  await until('there is load', () => Promise.resolve(load.orders.length > 20));
  const before = [...load.orders];
  const set = at('set');
  const taken = pointOf(await run({ name: 'backup', args: [set], dataDirectory }));
  const during = [...load.orders];
  await load.stop();
  await deposits;
  const withdrawalId = await withdrawal;
  expect(during.length).toBeGreaterThan(before.length);
  expect(modesIn(set)).toEqual(new Set([0o700, 0o600]));

  const restored = pointOf(await run({ name: 'restore', args: [set, at('data')] }));
  expect(restored).toEqual(taken);
  // From the first command, with nothing taken on trust.
  expect(verified('data')).toMatchObject(taken);
  const other = await started(at('data'));
  const client = keyClient(other.url, key);
  const there = await openOrders(client);
  expect(there).toEqual(expect.arrayContaining(before));
  // Of what was placed later there is a beginning: nothing is missing in between.
  const ordered = load.orders.filter((id) => there.includes(id));
  expect(ordered).toEqual(load.orders.slice(0, ordered.length));
  expect(there.length - ordered.length).toBeLessThanOrEqual(1);

  await loginsWork(other);
  const again = await signIn(other.url, { privateKey: CAROL, from: '10.21.0.3' });
  expect((await again.client.withdrawAddresses()).list).toMatchObject([{ label: LABEL }]);
  expect((await again.client.files()).list).toMatchObject([{ fileId }]);
  await until('the withdrawal goes on to its end, or was not there yet', async () => {
    const { list } = await again.client.withdrawals({ page: 1, pageSize: 50 });
    return list.every((one) => one.withdrawalId === withdrawalId && one.state === 'POSTED');
  });
  await until('the claim that was under way is credited, or was not there yet', async () => {
    const { address } = dave;
    const { status } = await again.client.faucetStatus({ address });
    return status === 2 || status === 0;
  });
  await until('nothing is missing or too much', async () => isSolvent(again.client));

  // The source goes on, and its later history holds the same beginning.
  await bid(keyClient(program.url, key));
  const later = at('later');
  expect(pointOf(await run({ name: 'backup', args: [later], dataDirectory })).seq).toBeGreaterThan(taken.seq);
  const cut = await run({ name: 'restore', args: [later, at('history-alone'), '--until', String(taken.seq), '--history-only'] });
  expect(pointOf(cut)).toEqual(taken);

  const second = pointOf(await run({ name: 'backup', args: [at('second')], dataDirectory: at('data') }));
  await other.stop();
  expect(pointOf(await run({ name: 'restore', args: [at('second'), at('data2')] }))).toEqual(second);
  const third = await started(at('data2'));
  expect(await openOrders(keyClient(third.url, key))).toEqual(expect.arrayContaining(before));
  await expect.poll(async () => (await statusOf(third)).ready).toBe(true);
}, 600_000);

async function isSolvent(client: Client): Promise<boolean> {
  const list = await client.solvency();
  return list.length > 0 && list.every(({ difference }) => Number(difference) === 0);
}

async function loginsWork(other: Program): Promise<void> {
  const byPassword = guest(other.url, '10.21.1.1');
  expect(await byPassword.loginFirst(BOB)).toEqual(expect.any(String));
  const byCode = guest(other.url, '10.21.1.2');
  const send = async (): Promise<unknown> => {
    const captcha = solved(await byCode.captchaInit({ action: 'code' }));
    return byCode.emailLoginSend({ email: BOB.username, captcha });
  };
  // How many codes were sent is restored too: the next one has its wait.
  const sendInTime = (): Promise<unknown> =>
    send().catch(async (error: unknown) => {
      if (!isTooMany(error)) throw error;
      await pause(error.retryAfterMs ?? 0);
      return send();
    });
  const code = await codeFor(byCode, sendInTime);
  expect(await byCode.emailLoginVerify({ email: BOB.username, code })).toEqual(expect.any(String));
}

const isTooMany = (error: unknown): error is CallError => error instanceof CallError && error.status === 429;

function modesIn(folder: string): Set<number> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return new Set(['.', ...names].map((name) => statSync(join(folder, name)).mode & 0o777));
}

test('a set goes back to an earlier command where no service has acted since, and says which command stands in the way where one has', async () => {
  const client = keyClient(program.url, key);
  await client.cancelAllOrders({});
  const kept = await bid(client);
  const { seq, at: time } = await historyEnd();
  const lost = await bid(client);
  const set = at('cut');
  pointOf(await run({ name: 'backup', args: [set], dataDirectory }));
  const refused = reasonOf(await run({ name: 'restore', args: [set, at('too-early'), '--until', '100'] }));
  expect(refused).toMatch(/can not go back to command \d+: command \d+ \(\w+\) left in it what no journal takes back/);
  expect(() => statSync(at('too-early'))).toThrow('ENOENT');
  const back = pointOf(await run({ name: 'restore', args: [set, at('back'), '--until', new Date(time).toISOString()] }));
  expect(back.seq).toBeGreaterThanOrEqual(seq);
  const other = await started(at('back'));
  const orders = await openOrders(keyClient(other.url, key));
  expect(orders).toContain(kept);
  expect(orders).not.toContain(lost);
  await until('history in SQL is written again', async () => (await statusOf(other)).ready);
});

/** As the exchange itself says it. */
async function historyEnd(): Promise<{ seq: number; at: number }> {
  const { seq } = await statusOf(program);
  return { seq, at: Date.now() };
}

test('a set that kill -9 or a full disk has cut short is refused', async () => {
  const killed = at('killed');
  const running = begin({ name: 'backup', args: [killed], dataDirectory });
  await running.said('copying files');
  await until('something was copied', () => Promise.resolve(existsSync(killed) && readdirSync(killed).length > 0), { everyMs: 2 });
  running.process.kill('SIGKILL');
  await running.end;
  const missing = `orrery: There is no ${join(killed, 'manifest.json')}: this is no set of a backup, or one that was not finished.`;
  expect(reasonOf(await run({ name: 'restore', args: [killed, at('never')] }))).toBe(missing);
  expect(reasonOf(await run({ name: 'backup', args: [killed], dataDirectory }))).toBe(
    `orrery: The folder ${killed} is not empty: name a new one for each set.`,
  );
  if (process.getuid?.() !== 0) return;
  const full = at('full');
  mkdirSync(full);
  expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', full]).status).toBe(0);
  onTestFinished(() => void spawnSync('umount', [full]));
  expect(reasonOf(await run({ name: 'backup', args: [join(full, 'set')], dataDirectory }))).toBe(
    'orrery: the backup could not be made: the disk is full.',
  );
  expect(reasonOf(await run({ name: 'restore', args: [join(full, 'set'), at('never')] }))).toContain('not finished');
});

/** Changes a copy of a good set. @returns how the restore refuses it. */
async function refusalOf(change: (set: string) => void): Promise<string | undefined> {
  const set = at('changed');
  cpSync(at('cut'), set, { recursive: true });
  try {
    change(set);
    const closing = new Closing((part, error) => expect.fail(`${part}: ${String(error)}`));
    const attempt = restore({ config: readConfig({}), set, target: at('never'), say: () => undefined, closing });
    return await attempt.then(
      () => undefined,
      (error: unknown) => String(error).replaceAll(set, 'SET'),
    );
  } finally {
    rmSync(set, { recursive: true });
  }
}

function flip(path: string): void {
  const bytes = readFileSync(path);
  const middle = Math.floor(bytes.length / 2);
  bytes[middle] = (bytes[middle] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

test('a set in which a byte was changed, a file is missing or too many is refused by its name, and so is a folder that is not empty', async () => {
  const changed = (path: string): string => `StartError: The set can not be used: SET/${path} does not have the bytes that were stored.`;
  for (const path of ['data/api-keys.key', 'data/chain/mnemonic', 'sql/accounts_name.copy.zst'])
    expect(await refusalOf((set) => flip(join(set, path)))).toBe(changed(path));
  expect(await refusalOf((set) => rmSync(join(set, 'data/api-keys.key')))).toBe(
    'StartError: The set is not whole: SET/data/api-keys.key is missing.',
  );
  expect(await refusalOf((set) => truncateSync(join(set, 'data/price-anchor.json'), 0))).toMatch(
    /^StartError: The set can not be used: SET\/data\/price-anchor\.json has 0 bytes/,
  );
  expect(await refusalOf((set) => writeFileSync(join(set, 'data/more'), 'more'))).toBe(
    'StartError: The set can not be used: SET/data/more does not belong to it.',
  );
  expect(await refusalOf((set) => flip(join(set, 'manifest.json')))).toMatch(/manifest\.json is not what the backup has written/);
  expect(reasonOf(await run({ name: 'restore', args: [at('cut'), dataDirectory] }))).toBe(
    `orrery: The folder ${dataDirectory} is not empty: name a new one, or move away what is in it.`,
  );
  expect(() => statSync(at('never'))).toThrow('ENOENT');
});
