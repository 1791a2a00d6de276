/** What API keys may do with money, how long they live, and by which key they sign. */
import { generateKeyPairSync } from 'node:crypto';
import { type ApiKeyWish, STATEMENTS, type WithdrawRequest } from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TOTP_STEP_MS } from './factors/totp.ts';
import { KEY_WITHDRAWAL_WAIT_MS } from './key-rules.ts';
import { ADDRESS_WAIT_MS, Browser, openTown, type Person, person, refusalOf, type Town, WITHDRAWAL_HOLD_MS } from './testing/town.ts';

const DAY_MS = 86_400_000;

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0xa11ce;
let alice: Person;
let browser: Browser;
beforeEach(async () => {
  alice = person((key += 1));
  browser = new Browser(town);
  await browser.agree(alice);
  await browser.login(alice);
});

const keys = () => town.accounts.handlers.apiKey;
const create = async (wish: ApiKeyWish, more: object = {}) =>
  browser.call(keys().createApiKey, { body: { ...(await browser.signKey(alice, wish)), ...more } });

const codeOf = (secret: string): Promise<string> => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });

/** @returns the app's secret, once the hold that follows the binding is over. */
async function bindApp(): Promise<string> {
  const { security } = town.accounts.handlers;
  const { secret } = await browser.call(security.googleSecret);
  const signed = await browser.signStatement(alice, { purpose: 'security', statement: STATEMENTS.security });
  await browser.call(security.bindGoogle, { body: { code: await codeOf(secret), ...signed } });
  town.clock.now += WITHDRAWAL_HOLD_MS;
  await loginByApp(secret);
  return secret;
}

async function loginByApp(secret: string): Promise<void> {
  const first = await browser.call(town.accounts.handlers.auth.verify, { body: await browser.sign(alice, 'login') });
  if (typeof first === 'string') throw new Error('no second step');
  const body = { loginId: first.loginId, codes: { google: await codeOf(secret) } };
  browser.bearer = await browser.call(town.accounts.handlers.security.loginSecond, { body });
  town.clock.now += TOTP_STEP_MS;
}

const TO_WITHDRAW = { label: 'payer', moneyRights: ['WITHDRAW'], ipList: ['192.0.2.1'] } as const satisfies ApiKeyWish;

async function withdrawal(accessKey: string, to: string): Promise<string | undefined> {
  const found = town.accounts.authenticator.apiKey(accessKey);
  if (typeof found === 'string') throw new Error(found);
  const request: WithdrawRequest = { withdrawalId: `0x${'cd'.repeat(32)}`, coin: 'USDC', amount: '1', to };
  return refusalOf(town.accounts.authenticator.checkWithdrawal({ principal: found.principal, origin: 'http://elsewhere', request }));
}

describe('[A5] a key that withdraws', () => {
  test('is made with a list of addresses, by a code of the app and the signature over the right', async () => {
    expect(await refusalOf(create({ label: 'payer', moneyRights: ['WITHDRAW'] }))).toBe('MissingField ipList');
    expect(await refusalOf(create(TO_WITHDRAW))).toBe('FactorNeeded');
    const secret = await bindApp();
    expect(await refusalOf(create(TO_WITHDRAW))).toBe('MissingField google');
    expect(
      await refusalOf(create({ label: 'payer', ipList: ['192.0.2.1'] }, { moneyRights: ['WITHDRAW'], google: await codeOf(secret) })),
    ).toBe('InvalidMessage statement');
    expect(await refusalOf(create({ ...TO_WITHDRAW, legacySigning: true }, { google: await codeOf(secret) }))).toBe(
      'MalformedField legacySigning',
    );
    const made = await create(TO_WITHDRAW, { google: await codeOf(secret) });
    expect(made).toMatchObject({ permission: 'READ', moneyRights: ['WITHDRAW'], withdrawsFromTime: town.clock.now + DAY_MS });
    expect(await refusalOf(create(TO_WITHDRAW, { google: await codeOf(secret) }))).toBe('InvalidCode');
  });

  test('waits for a day, withdraws to the own wallet and the address book, and waits again when its addresses are more', async () => {
    const secret = await bindApp();
    const { accessKey } = await create(TO_WITHDRAW, { google: await codeOf(secret) });
    expect(await withdrawal(accessKey, alice.address)).toBe('WithdrawalsHeld');
    town.clock.now += KEY_WITHDRAWAL_WAIT_MS;
    await town.reopen();
    expect(await withdrawal(accessKey, alice.address)).toBeUndefined();
    const bob = person(key + 0x40000).address;
    expect(await withdrawal(accessKey, bob)).toBe('AddressNotInBook to');
    await loginByApp(secret);
    const book = town.accounts.handlers.addressBook;
    await browser.call(book.addWithdrawAddress, { body: { address: bob, label: 'bob', google: await codeOf(secret) } });
    expect(await withdrawal(accessKey, bob)).toBe('AddressWaits to');
    town.clock.now += ADDRESS_WAIT_MS;
    expect(await withdrawal(accessKey, bob)).toBeUndefined();
    await loginByApp(secret);
    const ipList = ['192.0.2.1', '192.0.2.2'];
    const change = async (body: object) => browser.call(keys().updateApiKey, { body: { accessKey, ...body } });
    const signed = () => browser.signKeyChange(alice, { ...TO_WITHDRAW, ipList });
    expect(await refusalOf(change({ ipList: [] }))).toBe('MissingField ipList');
    expect(await refusalOf(change({ ipList, ...(await signed()) }))).toBe('MissingField google');
    await change({ ipList, ...(await signed()), google: await codeOf(secret) });
    expect(await withdrawal(accessKey, alice.address)).toBe('WithdrawalsHeld');
  });

  test('withdraws nothing while withdrawals of its account are held, and another key never', async () => {
    const secret = await bindApp();
    const { accessKey } = await create(TO_WITHDRAW, { google: await codeOf(secret) });
    const { accessKey: other } = await create({ label: 'bot', permission: 'TRADE', moneyRights: ['TRANSFER'], ipList: ['192.0.2.1'] });
    town.clock.now += KEY_WITHDRAWAL_WAIT_MS;
    expect(await withdrawal(other, alice.address)).toBe('PermissionMissing');
    await loginByApp(secret);
    const { security } = town.accounts.handlers;
    const next = await browser.call(security.googleSecret);
    const signed = await browser.signStatement(alice, { purpose: 'security', statement: STATEMENTS.security });
    await browser.call(security.bindGoogle, { body: { code: await codeOf(next.secret), current: await codeOf(secret), ...signed } });
    expect(await withdrawal(accessKey, alice.address)).toBe('WithdrawalsHeld');
  });
});

describe('[A5] a key', () => {
  test('has the rights over money that it was made with, and no others, after a restart too', async () => {
    const plain = await create({ label: 'bot', permission: 'TRADE' });
    const mover = await create({ label: 'mover', moneyRights: ['TRANSFER'] });
    await town.reopen();
    expect(town.accounts.authenticator.apiKey(plain.accessKey)).toMatchObject({ principal: { permission: 'TRADE', moneyRights: [] } });
    expect(town.accounts.authenticator.apiKey(mover.accessKey)).toMatchObject({
      principal: { permission: 'READ', moneyRights: ['TRANSFER'] },
    });
  });

  test('lapses when its owner chose, and no change of its addresses lets it live longer', async () => {
    const { accessKey, endTime } = await create({ label: 'bot', permission: 'TRADE', lifeDays: 90, ipList: ['10.0.0.1'] });
    const until = town.clock.now + 90 * DAY_MS;
    expect(endTime).toBe(until);
    expect((await create({ label: 'short', permission: 'TRADE', lifeDays: 7 })).endTime).toBe(town.clock.now + 7 * DAY_MS);
    const change = (ipList: string[], proof: object = {}) => browser.call(keys().updateApiKey, { body: { accessKey, ipList, ...proof } });
    const anywhere = await browser.signKeyChange(alice, { label: 'bot', permission: 'TRADE' });
    expect((await change([], anywhere)).endTime).toBe(town.clock.now + 30 * DAY_MS);
    expect((await change(['10.0.0.1'])).endTime).toBe(until);
    town.clock.now = until;
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
  });

  test('signs by Ed25519 where its owner gives the public key, as PEM or base64, and then has no secret', async () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const spki = publicKey.export({ format: 'der', type: 'spki' });
    const bytes = spki.subarray(12).toString('base64');
    const forms = [publicKey.export({ format: 'pem', type: 'spki' }).toString(), spki.toString('base64'), bytes];
    for (const form of forms) {
      const made = await create({ label: 'bot', permission: 'TRADE', publicKey: form });
      expect(made).toMatchObject({ publicKey: bytes, secret: '' });
      expect(town.accounts.authenticator.apiKey(made.accessKey)).toMatchObject({ publicKey: bytes, secret: '' });
    }
    const twenty = Array.from({ length: 20 }, (_, n) => `2001:db8:1111:2222:3333:4444:5555:${(0x1000 + n).toString(16)}/128`);
    const longest = { label: 'x'.repeat(64), moneyRights: ['TRANSFER'], ipList: twenty, publicKey: bytes, lifeDays: 365 } as const;
    expect(await refusalOf(create(longest))).toBeUndefined();
    expect(await refusalOf(create({ label: 'bot', publicKey: bytes, legacySigning: true }))).toBe('MalformedField legacySigning');
    const other = generateKeyPairSync('x25519').publicKey.export({ format: 'pem', type: 'spki' }).toString();
    for (const wrong of [other, bytes.slice(1), 'a'.repeat(60)])
      expect(await refusalOf(create({ label: 'bot', publicKey: wrong }))).toBe('MalformedField publicKey');
    const body = { ...(await browser.signKey(alice, { label: 'bot', publicKey: bytes })), publicKey: forms[0]?.replace('MCow', 'MCow ') };
    expect(await refusalOf(browser.call(keys().createApiKey, { body }))).toBeUndefined();
  });

  test('of a stolen session cannot be made with another public key than the one that was signed', async () => {
    const [mine, theirs] = [0, 1].map(() =>
      generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    );
    const body = { ...(await browser.signKey(alice, { label: 'bot', publicKey: mine ?? '' })), publicKey: theirs };
    expect(await refusalOf(browser.call(keys().createApiKey, { body }))).toBe('InvalidMessage statement');
  });
});
