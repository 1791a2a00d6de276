/** Through the real gateway and the real accounts: nothing that is signed for another host moves money or signs anybody in here. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { authRoutes, mount, STATEMENTS, withdrawStatement } from '@orrery/api';
import { Browser, messageOf, openTown, person, type Town } from '../../services/accounts/src/testing/town.ts';
import { MemoryHistory } from '../../services/gateway/src/testing/memory-history.ts';
import { openVenue, type Venue } from '../../services/gateway/src/testing/venue.ts';
import { atoms } from '@orrery/units';
import { assetByCode } from './listing.ts';

const HERE = 'http://localhost:8080';
const EVIL = 'http://evil.example';
const alice = person(1);

let town: Town;
let venue: Venue;
let bearer: string;
beforeAll(async () => {
  town = await openTown();
  const { heart, accounts, clock } = town;
  const browser = new Browser(town, HERE);
  await browser.login(alice);
  bearer = browser.bearer ?? '';
  const account = accounts.directory.find(alice.address)?.account;
  if (account === undefined) throw new Error('alice has no account');
  await heart.submit({ type: 'SetAccountFlag', account, flag: 'termsAccepted', value: true });
  await heart.submit({
    type: 'CreditDeposit',
    key: 'first',
    address: alice.address,
    asset: assetByCode('USDC').asset,
    amount: atoms(1_000_000_000n),
  });
  venue = await openVenue({
    heart,
    history: new MemoryHistory(heart),
    authenticator: accounts.authenticator,
    mounts: mount(authRoutes, accounts.handlers.auth),
    now: () => clock.now,
  });
});
afterAll(async () => {
  await venue.close();
  await town.close();
});

interface Answer {
  readonly data: { readonly reason?: string; readonly field?: string } | string;
}

/** As a program that stands between the two: with alice's token, and the host it likes. */
function call(path: string, { host, body }: { host: string; body?: unknown }): Promise<Answer> {
  const { hostname, port } = new URL(venue.base);
  const headers = { host, authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'x-orrery-request': '1' };
  return new Promise((resolve, reject) => {
    const asked = request({ hostname, port, path, method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () => resolve(JSON.parse(text)));
    });
    asked.on('error', reject);
    asked.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const nonceAt = async (origin: string, purpose: 'withdraw' | 'login'): Promise<Answer['data']> =>
  (await call(`/pro/p/auth/nonce?evmAddress=${alice.address}&purpose=${purpose}`, { host: new URL(origin).host })).data;

async function freshNonce(purpose: 'withdraw' | 'login'): Promise<string> {
  const nonce = await nonceAt(HERE, purpose);
  if (typeof nonce !== 'string') throw new Error(`no nonce: ${nonce.reason}`);
  return nonce;
}

/** A withdrawal whose message names `signedFor`, handed in at the host of `sentTo`. */
async function withdraw({ nonce, signedFor, sentTo }: { nonce: string; signedFor: string; sentTo: string }): Promise<Answer['data']> {
  const wanted = { withdrawalId: `0x${'1'.repeat(64)}`, amount: '1.5', coin: 'USDC', to: alice.wallet.address };
  const message = messageOf({
    address: alice.wallet.address,
    nonce,
    statement: withdrawStatement(wanted),
    issuedAt: new Date(town.clock.now),
    origin: signedFor,
    requestId: wanted.withdrawalId,
  });
  const signature = await alice.wallet.signMessage({ message });
  return (await call('/pro/u/asset/withdraw', { host: new URL(sentTo).host, body: { ...wanted, nonce, message, signature } })).data;
}

test('a withdrawal signed for a foreign host is refused like a login: neither its nonce nor its proof is taken there', async () => {
  const unknown = { reason: 'UnknownHost', field: '', requestId: expect.any(String) };
  expect(await nonceAt(EVIL, 'login')).toEqual(unknown);
  expect(await nonceAt(EVIL, 'withdraw')).toEqual(unknown);
  const nonce = await freshNonce('withdraw');
  expect(await withdraw({ nonce, signedFor: EVIL, sentTo: EVIL })).toEqual(unknown);
  // Nor is it taken here: the message names another host than the nonce was given at. That was the nonce's only use.
  expect(await withdraw({ nonce, signedFor: EVIL, sentTo: HERE })).toEqual({
    reason: 'InvalidMessage',
    field: 'domain',
    requestId: expect.any(String),
  });
  expect(await withdraw({ nonce, signedFor: HERE, sentTo: HERE })).toEqual({
    reason: 'InvalidNonce',
    field: '',
    requestId: expect.any(String),
  });
});

test('a login signed for a foreign host is refused', async () => {
  const nonce = await freshNonce('login');
  const message = messageOf({
    address: alice.wallet.address,
    nonce,
    statement: STATEMENTS.login,
    issuedAt: new Date(town.clock.now),
    origin: EVIL,
  });
  const body = { nonce, message, signature: await alice.wallet.signMessage({ message }) };
  expect((await call(authRoutes.verify.path, { host: 'evil.example', body })).data).toEqual({
    reason: 'UnknownHost',
    field: '',
    requestId: expect.any(String),
  });
});

test('what is signed for this host, under which the nonce was given, is taken', async () => {
  const nonce = await freshNonce('withdraw');
  expect(await withdraw({ nonce, signedFor: HERE, sentTo: HERE })).toEqual({ withdrawalId: `0x${'1'.repeat(64)}` });
});
