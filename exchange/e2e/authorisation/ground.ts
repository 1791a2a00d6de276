/**
 * For the matrix of calls and callers: what serves them, who there is, and how each of them makes a call. Where several processes serve, each call, grant
 * and end is made at one of them by chance.
 */
import { Agent } from 'node:http';
import { ITEMS_REFUSED, STATEMENTS, SUCCESS } from '@orrery/api';
import { atoms, parseAddress, type AccountId, type Address } from '@orrery/units';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { expect } from 'vitest';
import { signedHeaders, type Key } from '../../../services/gateway/src/testing/people.ts';
import { send } from '../../../services/gateway/src/testing/wire.ts';
import { Chance } from '../../../core/engine/src/testing/chance.ts';
import { ASSETS } from '../../src/listing.ts';
import type { RunningProgram } from '../../src/start.ts';
import { until } from '../until.ts';
import { oneProcess, SITE, type Installation } from './installation.ts';

const CHAIN_ID = 138_565;
/** An address that no client of the test uses. */
const ELSEWHERE = '192.0.2.7';

/** What the choice of processes follows from. */
export const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));

export interface Person {
  readonly wallet: PrivateKeyAccount;
  readonly address: Address;
  readonly account: AccountId;
  readonly token: string;
}

interface Call {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Without it any of them. */
  readonly at?: RunningProgram;
}

export type KeyName = 'readKey' | 'tradeKey' | 'transferKey' | 'offKey' | 'strayKey';

/** The first of the processes, while the tests run. */
export let program: RunningProgram;
export let alice: Person;
export let bob: Person;
export let carol: Person;
export let dave: Person;
export let carolsKey: Key;
export let keys: Record<KeyName, Key>;
/** A limit at which a buy order rests. */
export let price: string;
let installation: Installation;
let chance: Chance;
const agent = new Agent({ keepAlive: true });

export const anyProcess = (): RunningProgram => chance.pick(installation.processes);

/** When all of them have followed history as far as the first of them. What one has answered is in history, and another may be reading it. */
async function anyThatFollowed(): Promise<RunningProgram> {
  const seqs = (): number[] => installation.processes.map(({ heart }) => heart.status().seq);
  const last = Math.max(...seqs());
  if (seqs().some((seq) => seq < last))
    await until('every process has followed history', async () => seqs().every((seq) => seq >= last), { everyMs: 5 });
  return anyProcess();
}

/** alice owns what is called for, bob is another trader, carol and dave are blocked and signed out by `endCarolAndDave`. */
export async function openGround(open: () => Promise<Installation> = oneProcess): Promise<void> {
  installation = await open();
  chance = new Chance(SEED);
  [program] = installation.processes;
  [alice, bob, carol, dave] = [await newcomer(), await newcomer(), await newcomer(), await newcomer()];
  keys = {
    readKey: await keyOf(alice, 'READ'),
    tradeKey: await keyOf(alice, 'TRADE'),
    transferKey: await (
      await anyThatFollowed()
    ).accounts.apiKeys.create(alice, { label: 'test', moneyRights: ['TRANSFER'], legacySigning: true }),
    offKey: await keyOf(alice, 'TRADE'),
    strayKey: await keyOf(alice, 'TRADE', [ELSEWHERE]),
  };
  await anyProcess().accounts.apiKeys.setEnabled(alice, { accessKey: keys.offKey.accessKey, enabled: false });
  carolsKey = await keyOf(carol, 'TRADE');
  const index = await call({ method: 'GET', url: '/pro/p/quotation/index?symbol=BTC_USDC' });
  price = String(Math.floor(Number(Reflect.get(index.data as object, 'p')) * 0.95));
}

export async function endCarolAndDave(): Promise<void> {
  await anyProcess().heart.submit({ type: 'SetAccountFlag', account: carol.account, flag: 'blocked', value: true });
  expect((await call({ method: 'POST', url: '/pro/u/auth/logout', body: {}, headers: bearer(dave) })).reason).toBe('ok');
  for (const person of [carol, dave])
    for (const at of installation.processes)
      await until('the end is known everywhere', async () => {
        const { reason } = await call({ method: 'GET', url: '/pro/u/account/info', headers: bearer(person), at });
        return reason === 'SessionExpired';
      });
}

export async function closeGround(): Promise<void> {
  agent.destroy();
  await installation?.close();
}

let calls = 0;

/** Each call comes from another address, as the one trusted proxy reports. @returns `ok`, or the reason of the refusal. */
export async function call({ method, url, body, headers = {}, at }: Call): Promise<{ reason: string; data: unknown; text: string }> {
  calls += 1;
  const { url: base } = at ?? (await anyThatFollowed());
  const { text } = await send(base, agent, {
    method,
    url,
    headers: Object.entries({
      'content-type': 'application/json',
      'x-orrery-request': '1',
      'x-forwarded-for': `10.0.${calls >> 8}.${calls & 255}`,
      ...headers,
    }),
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  });
  const { code, data } = JSON.parse(text) as { code: number; data: unknown };
  return { reason: isTaken(code) ? 'ok' : String(Reflect.get(data as object, 'reason')), data, text };
}

/** Of a batch the items are refused, each by itself: who sent it came through the door. */
export const isTaken = (code: number): boolean => code === SUCCESS || code === ITEMS_REFUSED;

export const bearer = ({ token }: { token: string }): Record<string, string> => ({ authorization: `Bearer ${token}` });

let lastTimestamp = 0;
/** The same signature twice would be a replay. */
export function signed(key: Key, parameters: readonly (readonly [string, string])[]): Record<string, string> {
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  return signedHeaders(key, parameters, lastTimestamp);
}

/** Signs in with a wallet, as a page does; the nonce may be that of another process. @returns the access token. */
export async function signIn(wallet: PrivateKeyAccount): Promise<string> {
  calls += 1;
  const from = { 'x-forwarded-for': `10.1.${calls >> 8}.${calls & 255}`, 'content-type': 'application/json' };
  const [{ url: first }, { url }] = [anyProcess(), anyProcess()];
  const asked = await fetch(`${first}/pro/p/auth/nonce?evmAddress=${wallet.address}`, { headers: { ...from, origin: SITE } });
  const cookie = asked.headers.getSetCookie().map((each) => each.split(';', 1)[0]);
  const { data: nonce } = (await asked.json()) as { data: string };
  const message = createSiweMessage({
    address: wallet.address,
    chainId: CHAIN_ID,
    domain: new URL(SITE).host,
    uri: SITE,
    version: '1',
    nonce,
    statement: STATEMENTS.login,
    issuedAt: new Date(),
  });
  const answer = await fetch(`${url}/pro/p/auth/verify`, {
    method: 'POST',
    headers: { ...from, origin: SITE, cookie: cookie.join('; ') },
    body: JSON.stringify({ nonce, message, signature: await wallet.signMessage({ message }) }),
  });
  const { code, data: token } = (await answer.json()) as { code: number; data: string };
  expect(code).toBe(0);
  return token;
}

/** An account that may trade and has money in funding and spot. */
async function newcomer(): Promise<Person> {
  const wallet = privateKeyToAccount(generatePrivateKey());
  const address = parseAddress(wallet.address);
  if (address === undefined) throw new Error('not an address');
  const token = await signIn(wallet);
  const { accounts, heart } = await anyThatFollowed();
  const { account } = await accounts.directory.open(address);
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const) await accounts.directory.setFlag(account, flag);
  for (const { asset, code, decimals, kind } of ASSETS) {
    if (kind !== 'chain') continue;
    const amount = atoms(1_000_000n * 10n ** BigInt(decimals));
    await heart.submit({ type: 'CreditDeposit', key: `test:${account}:${code}`, address, asset, amount });
    const half = atoms(amount / 2n);
    await heart.submit({ type: 'Transfer', account, transferId: `test-${code}`, asset, amount: half, from: 'funding', to: 'spot' });
  }
  return { wallet, address, account, token };
}

export const keyOf = async (owner: Person, permission: 'READ' | 'TRADE', ipList: string[] = []): Promise<Key> =>
  (await anyThatFollowed()).accounts.apiKeys.create(owner, { label: 'test', permission, ipList, legacySigning: true });

export const ticketOf = async (person: Person): Promise<string> =>
  String((await call({ method: 'GET', url: '/spot/v1/u/ws/token', headers: bearer(person) })).data);
