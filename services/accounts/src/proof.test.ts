import { STATEMENTS, withdrawStatement } from '@orrery/api';
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Browser, CHAIN_ID, messageOf, openTown, ORIGIN, person, refusalOf, type Town } from './testing/town.ts';

const alice = person(0xa11ce);
const bob = person(0xb0b);

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const verify = (browser: Browser, body: { nonce: string; message: string; signature: string }) =>
  browser.call(town.accounts.handlers.auth.verify, { body });

/** A message with one line changed, signed all the same. */
async function signedChange(browser: Browser, change: (message: string) => string) {
  const nonce = await browser.nonce(alice);
  const message = change(
    messageOf({ address: alice.wallet.address, nonce, statement: STATEMENTS.login, issuedAt: new Date(town.clock.now) }),
  );
  return { nonce, message, signature: await alice.wallet.signMessage({ message }) };
}

const at = (offsetMs: number): string => new Date(town.clock.now + offsetMs).toISOString();

describe('a signed message', () => {
  test('[L9] nonce and verify: the address that signed gets a session', async () => {
    const browser = new Browser(town);
    const principal = await browser.login(alice);
    expect(principal).toMatchObject({ address: alice.address, via: 'session', permission: 'TRADE' });
    expect(town.accounts.directory.find(alice.address)?.account).toBe(principal.account);
  });

  test('[L9] A1: the same body a second time is refused', async () => {
    const browser = new Browser(town);
    const body = await browser.sign(alice, 'login');
    expect(await refusalOf(verify(browser, body))).toBeUndefined();
    expect(await refusalOf(verify(browser, body))).toBe('InvalidNonce');
  });

  test('A1: the first verify uses the nonce up although it fails', async () => {
    const browser = new Browser(town);
    const body = await browser.sign(alice, 'login');
    const forged = await bob.wallet.signMessage({ message: body.message });
    expect(await refusalOf(verify(browser, { ...body, signature: forged }))).toBe('InvalidSignature');
    expect(await refusalOf(verify(browser, body))).toBe('InvalidNonce');
  });

  test('A1: of 50 verifies at once one succeeds', async () => {
    const browser = new Browser(town);
    const body = await browser.sign(alice, 'login');
    const answers = await Promise.all(Array.from({ length: 50 }, () => refusalOf(verify(browser, body))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(answers.filter((refusal) => refusal === 'InvalidNonce')).toHaveLength(49);
  });

  const replace = (from: RegExp, to: string) => (message: string) => message.replace(from, to);
  const line = (text: () => string) => (message: string) => `${message}\n${text()}`;
  test.each<[string, (message: string) => string, string]>([
    ['another domain', replace(/^localhost:8080/, 'localhost:8081'), 'domain'],
    ['a domain that only begins like ours', replace(/^localhost:8080/, 'localhost:8080.evil.example'), 'domain'],
    ['another scheme', replace(/^/, 'https://'), 'scheme'],
    ['another address', replace(/0x[0-9a-fA-F]{40}/, bob.wallet.address), 'address'],
    ['an address without its checksum', replace(/0x[0-9a-fA-F]{40}/, alice.address), 'address'],
    ['another statement', replace(/Sign in to Orrery\./, STATEMENTS.connection), 'statement'],
    ['no statement', replace(/\nSign in to Orrery\.\n/, ''), 'message'],
    ['another uri', replace(/URI: .*/, 'URI: http://localhost:8081'), 'uri'],
    ['a uri with a path', replace(/URI: .*/, `URI: ${ORIGIN}/login`), 'uri'],
    ['another version', replace(/Version: 1/, 'Version: 2'), 'version'],
    ['another chain', replace(/Chain ID: \d+/, 'Chain ID: 1'), 'chainId'],
    ['another nonce', replace(/Nonce: .*/, `Nonce: ${'0'.repeat(32)}`), 'nonce'],
    ['an issue time too long ago', (message) => message.replace(/Issued At: .*/, `Issued At: ${at(-60_001)}`), 'issuedAt'],
    ['an issue time too far ahead', (message) => message.replace(/Issued At: .*/, `Issued At: ${at(60_001)}`), 'issuedAt'],
    ['an issue time that does not exist', replace(/Issued At: .*/, 'Issued At: 2026-02-31T00:00:00.000Z'), 'message'],
    ['an expiration in the past', line(() => `Expiration Time: ${at(-1)}`), 'expirationTime'],
    ['an expiration too far ahead', line(() => `Expiration Time: ${at(660_001)}`), 'expirationTime'],
    ['a request id nobody asked for', line(() => 'Request ID: 1'), 'requestId'],
    ['a not-before time', line(() => `Not Before: ${at(-1000)}`), 'message'],
    ['resources', line(() => 'Resources:\n- https://evil.example'), 'message'],
    ['a line of its own', line(() => 'Amount: 1'), 'message'],
    ['a line end at the end', line(() => ''), 'message'],
    ['carriage returns', replace(/\n/g, '\r\n'), 'message'],
    ['nothing', () => '', 'message'],
  ])('[L9] %s is refused', async (_name, change, field) => {
    const browser = new Browser(town);
    const body = await signedChange(browser, change);
    expect(await refusalOf(verify(browser, body))).toBe(`InvalidMessage ${field}`);
    // Whatever it was, the nonce is gone.
    expect(await refusalOf(verify(browser, body))).toBe('InvalidNonce');
  });

  test("[L9] an expiration within ten minutes and the page's own scheme are taken", async () => {
    const browser = new Browser(town);
    const body = await signedChange(browser, (message) => `http://${message}\nExpiration Time: ${at(600_000)}`);
    expect(await refusalOf(verify(browser, body))).toBeUndefined();
  });

  test('[L9] a nonce is too old after five minutes', async () => {
    const browser = new Browser(town);
    const body = await browser.sign(alice, 'login');
    town.clock.now += 300_000;
    expect(await refusalOf(verify(browser, body))).toBe('InvalidNonce');
  });

  test('[L9] at most five nonces of a browser live, the oldest gives way', async () => {
    const browser = new Browser(town);
    const bodies = [];
    for (let n = 0; n < 6; n++) bodies.push(await browser.sign(bob, 'login'));
    const refusals = [];
    for (const body of bodies) refusals.push(await refusalOf(verify(browser, body)));
    expect(refusals).toEqual(['InvalidNonce', undefined, undefined, undefined, undefined, undefined]);
  });

  test("[L9] nonces that others ask for in somebody's name do not lock that person out", async () => {
    const browser = new Browser(town);
    const body = await browser.sign(bob, 'login');
    for (let n = 0; n < 10; n++) await new Browser(town).nonce(bob);
    expect(await refusalOf(verify(browser, body))).toBeUndefined();
  });

  test('[L9] a browser cookie that is none of ours is replaced, so that no two browsers share one', async () => {
    const browser = new Browser(town);
    browser.cookies['__Host-orrery-browser'] = 'x';
    expect(await refusalOf(verify(browser, await browser.sign(bob, 'login')))).toBeUndefined();
    expect(browser.cookies['__Host-orrery-browser']).toMatch(/^[0-9A-Za-z_-]{43}$/);
  });

  test('[L9] nonces are 128 bits of chance, each its own', async () => {
    const browser = new Browser(town);
    const nonces = await Promise.all(Array.from({ length: 20 }, () => browser.nonce(alice)));
    expect(new Set(nonces).size).toBe(20);
    for (const nonce of nonces) expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  });

  test('[L9] another browser or another site can not use a nonce it did not ask for', async () => {
    const browser = new Browser(town);
    expect(await refusalOf(verify(new Browser(town), await browser.sign(alice, 'login')))).toBe('OtherBrowser');
    const other = new Browser(town);
    await other.nonce(alice);
    expect(await refusalOf(verify(other, await browser.sign(alice, 'login')))).toBe('OtherBrowser');
    const site = new Browser(town, 'http://localhost:9999');
    Object.assign(site.cookies, browser.cookies);
    expect(await refusalOf(verify(site, await browser.sign(alice, 'login')))).toBe('ForeignOrigin');
  });

  test('[L9, L13] a signature for one purpose works for no other', async () => {
    const browser = new Browser(town);
    await browser.login(alice);
    const { auth, agreement } = town.accounts.handlers;
    const uses = {
      login: (signed: { nonce: string; message: string; signature: Hex }) => verify(browser, signed),
      terms: ({ message, signature }: { message: string; signature: Hex }) =>
        browser.call(agreement.agree, {
          body: { walletAddress: alice.wallet.address, termsCode: 'TERMS', message, signature },
        }),
      connection: (signed: { nonce: string; message: string; signature: Hex }) => browser.call(auth.connection, { body: signed }),
    };
    const purposes = ['login', 'terms', 'connection'] as const;
    for (const signedFor of purposes) {
      for (const usedFor of purposes) {
        const refusal = await refusalOf(uses[usedFor](await browser.sign(alice, signedFor)));
        expect([signedFor, usedFor, refusal]).toEqual([signedFor, usedFor, signedFor === usedFor ? undefined : 'InvalidNonce']);
      }
    }
  });

  test('a withdrawal is signed for exactly one amount, coin, receiver and id', async () => {
    const browser = new Browser(town);
    const principal = await browser.login(alice);
    const wanted = { withdrawalId: `0x${'1'.repeat(64)}`, amount: '1.5', coin: 'USDC', to: alice.wallet.address };
    const check = async (change: Partial<typeof wanted>) => {
      const nonce = await browser.nonce(alice, 'withdraw');
      const message = messageOf({
        address: alice.wallet.address,
        nonce,
        statement: withdrawStatement(wanted),
        issuedAt: new Date(town.clock.now),
        requestId: wanted.withdrawalId,
      });
      const request = { ...wanted, ...change, nonce, message, signature: await alice.wallet.signMessage({ message }) };
      return town.accounts.authenticator.checkWithdrawal({ principal, origin: ORIGIN, request });
    };
    const prove = (change: Partial<typeof wanted>) => refusalOf(check(change));
    expect(await prove({})).toBeUndefined();
    expect(await prove({ amount: '15' })).toBe('InvalidMessage statement');
    // The right one is named: who writes a program reads what it signs.
    await expect(check({ amount: '15' })).rejects.toThrow(withdrawStatement({ ...wanted, amount: '15' }));
    expect(await prove({ coin: 'BTC' })).toBe('InvalidMessage statement');
    expect(await prove({ to: bob.wallet.address })).toBe('InvalidMessage statement');
    expect(await prove({ withdrawalId: `0x${'2'.repeat(64)}` })).toBe('InvalidMessage requestId');
  });

  test('a withdrawal signed by another person is refused', async () => {
    const browser = new Browser(town);
    const principal = await browser.login(alice);
    const wanted = { withdrawalId: `0x${'1'.repeat(64)}`, amount: '1.5', coin: 'USDC', to: bob.wallet.address };
    const nonce = await browser.nonce(bob, 'withdraw');
    const message = messageOf({
      address: bob.wallet.address,
      nonce,
      statement: withdrawStatement(wanted),
      issuedAt: new Date(town.clock.now),
      requestId: wanted.withdrawalId,
    });
    const request = { ...wanted, nonce, message, signature: await bob.wallet.signMessage({ message }) };
    expect(await refusalOf(town.accounts.authenticator.checkWithdrawal({ principal, origin: ORIGIN, request }))).toBe('NotYours nonce');
    expect(CHAIN_ID).toBe(138_565);
  });
});
