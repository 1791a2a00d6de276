import {
  ADD_PASSKEY_STATEMENT,
  PASSKEY_CHALLENGE_MS,
  PASSKEYS_MAX,
  type PasskeyAnswer,
  REMOVE_PASSKEY_STATEMENT,
  type SecondStep,
  STATEMENTS,
  withdrawStatement,
  type WithdrawRequest,
} from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { PasskeyDevice } from '../../../foundation/src/testing/passkey-device.ts';
import { Browser, messageOf, openTown, ORIGIN, type Person, person, refusalOf, type Town, WITHDRAWAL_HOLD_MS } from '../testing/town.ts';
import { BACKUP_CODES } from './backup-codes.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0x9a55;
let alice: Person;
let browser: Browser;
let device: PasskeyDevice;
beforeEach(async () => {
  alice = person((key += 1));
  browser = new Browser(town);
  await browser.login(alice);
  device = new PasskeyDevice();
});

const passkey = () => town.accounts.handlers.passkey;
const security = () => town.accounts.handlers.security;
const info = (of = browser) => of.call(town.accounts.handlers.auth.accountInfo);
const signed = (statement: string, of = browser, who = alice) => of.signStatement(who, { purpose: 'security', statement });

interface Made {
  readonly by?: PasskeyDevice;
  readonly name?: string;
  readonly more?: object;
}
async function add({ by = device, name = 'laptop', more = {} }: Made = {}) {
  const { challenge } = await browser.call(passkey().passkeyOptions);
  const body = { name, ...by.make(challenge, { origin: ORIGIN }), ...(await signed(ADD_PASSKEY_STATEMENT)), ...more };
  return browser.call(passkey().addPasskey, { body });
}
const remove = async (credentialId: string, more: object = {}) =>
  browser.call(passkey().removePasskey, { body: { credentialId, ...(await signed(REMOVE_PASSKEY_STATEMENT)), ...more } });
const list = async () => (await browser.call(passkey().passkeys)).list;

const proven = (
  challenge: string,
  { by = device, ...options }: { by?: PasskeyDevice; origin?: string; unverified?: boolean; site?: string } = {},
) => by.prove(challenge, { origin: ORIGIN, ...options });
/** For a change of the account. */
const answered = async (by = device): Promise<{ passkey: PasskeyAnswer }> => ({
  passkey: proven((await browser.call(passkey().passkeyChallenge)).challenge, { by }),
});

async function firstStep(of: Browser, who = alice): Promise<SecondStep> {
  const answer = await of.call(town.accounts.handlers.auth.verify, { body: await of.sign(who, 'login') });
  if (typeof answer === 'string') throw new Error('the wallet alone opened a session');
  return answer;
}
const challengeOf = async (of: Browser, loginId: string): Promise<string> =>
  (await of.call(passkey().loginPasskey, { body: { loginId } })).challenge;
const second = (of: Browser, loginId: string, answer: PasskeyAnswer) =>
  of.call(security().loginSecond, { body: { loginId, codes: { passkey: answer } } });

/** A login up to its challenge, in a browser of its own. */
async function begun(): Promise<{ of: Browser; loginId: string; challenge: string }> {
  const of = new Browser(town);
  const { loginId } = await firstStep(of);
  return { of, loginId, challenge: await challengeOf(of, loginId) };
}

const WISH = { amount: '1', coin: 'USDC', withdrawalId: `0x${'ab'.repeat(32)}` };
const challengeFor = async (withdrawal: object): Promise<string> =>
  (await browser.call(passkey().passkeyChallenge, { body: { withdrawal } })).challenge;
async function withdraw(more: object, wish = { ...WISH, to: alice.address as string }): Promise<string | undefined> {
  const nonce = await browser.nonce(alice, 'withdraw');
  const text = { address: alice.wallet.address, nonce, statement: withdrawStatement(wish), issuedAt: new Date(town.clock.now) };
  const message = messageOf({ ...text, requestId: wish.withdrawalId });
  const request: WithdrawRequest = { ...wish, nonce, message, signature: await alice.wallet.signMessage({ message }), ...more };
  const { origin } = browser.caller();
  return refusalOf(town.accounts.authenticator.checkWithdrawal({ principal: browser.principal(), origin, request }));
}

/** After the hold, logged in again by the passkey. */
async function afterTheHold(): Promise<void> {
  town.clock.now += WITHDRAWAL_HOLD_MS;
  const { loginId } = await firstStep(browser);
  browser.bearer = await second(browser, loginId, proven(await challengeOf(browser, loginId)));
}

describe('[A3] passkeys', () => {
  test('one is added by a signature, is the second factor of every login from then on, holds withdrawals and ends other sessions', async () => {
    const other = new Browser(town);
    await other.login(alice);
    expect(await info()).toMatchObject({ passkeySecurityStatus: false, securityLevel: 1 });
    const made = await add();
    expect(made.passkey).toEqual({
      credentialId: device.credentialId,
      name: 'laptop',
      site: 'localhost',
      createdTime: town.clock.now,
      lastUsedTime: null,
    });
    expect(made.backupCodes).toHaveLength(BACKUP_CODES);
    expect(made.withdrawalsHeldUntil).toBe(town.clock.now + WITHDRAWAL_HOLD_MS);
    expect(() => other.principal()).toThrow('SessionExpired');
    expect(await info()).toMatchObject({ passkeySecurityStatus: true, googleSecurityStatus: false, securityLevel: 3 });

    await town.reopen();
    const { loginId, factors } = await firstStep(other);
    expect(factors).toEqual(['passkey', 'backup']);
    const asked = await other.call(passkey().loginPasskey, { body: { loginId } });
    expect(asked).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [{ id: device.credentialId }] });
    other.bearer = await second(other, loginId, proven(asked.challenge));
    expect(other.principal().address).toBe(alice.address);
    expect((await list())[0]?.lastUsedTime).toBe(town.clock.now);
  });

  test('a backup code finishes a login where the passkey is lost', async () => {
    const { backupCodes } = await add();
    const other = new Browser(town);
    const { loginId } = await firstStep(other);
    other.bearer = await other.call(security().loginSecond, { body: { loginId, codes: { backup: backupCodes[0] } } });
    expect(other.principal().address).toBe(alice.address);
  });

  test('their names are not readable in the database, and are changed without a hold', async () => {
    await add({ name: 'key on the shelf' });
    const row = await town.db.sql.selectFrom('accounts_passkey').selectAll().where('credential_id', '=', device.credentialId).execute();
    expect(row[0]?.sealed_name.toString('latin1')).not.toContain('shelf');
    await browser.call(passkey().renamePasskey, { body: { credentialId: device.credentialId, name: 'key in the drawer' } });
    expect((await list()).map(({ name }) => name)).toEqual(['key in the drawer']);
    const bob = new Browser(town);
    await bob.login(person(key + 0x40000));
    const theirs = { body: { credentialId: device.credentialId, name: 'mine' } };
    expect(await refusalOf(bob.call(passkey().renamePasskey, theirs))).toBe('UnknownThing credentialId');
    expect((await list()).map(({ name }) => name)).toEqual(['key in the drawer']);
  });

  test('another one, and its removal, ask for a factor beside the signature; with the last one its backup codes go', async () => {
    const { backupCodes } = await add();
    const spare = new PasskeyDevice();
    expect(await refusalOf(add({ by: spare }))).toBe('MissingField passkey');
    expect((await add({ by: spare, name: 'spare', more: await answered() })).backupCodes).toEqual([]);
    expect(await refusalOf(remove(device.credentialId))).toBe('MissingField passkey');
    expect(await refusalOf(remove(device.credentialId, { ...(await answered()), ...(await signed(ADD_PASSKEY_STATEMENT)) }))).toBe(
      'InvalidMessage statement',
    );
    await remove(device.credentialId, await answered(spare));
    expect((await list()).map(({ name }) => name)).toEqual(['spare']);
    expect(await refusalOf(remove(device.credentialId, await answered(spare)))).toBe('UnknownThing credentialId');
    await remove(spare.credentialId, { backup: backupCodes[1] });
    expect(await info()).toMatchObject({ passkeySecurityStatus: false, securityLevel: 1, withdrawalsHeldUntil: expect.any(Number) });
    const { account } = browser.principal();
    expect(await town.db.sql.selectFrom('accounts_backup_code').selectAll().where('account', '=', account).execute()).toEqual([]);
    const other = new Browser(town);
    await other.login(alice);
  });

  test('an account has ten at most', async () => {
    await add();
    for (let count = 1; count < PASSKEYS_MAX; count += 1) await add({ by: new PasskeyDevice(), more: await answered() });
    expect(await refusalOf(add({ by: new PasskeyDevice(), more: await answered() }))).toBe('TooMany passkeys');
    expect(await list()).toHaveLength(PASSKEYS_MAX);
  });

  test('an app is bound beside a passkey only by the passkey or a backup code', async () => {
    await add();
    const { secret } = await browser.call(security().googleSecret);
    const bind = async (more: object) => {
      const code = await generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
      return browser.call(security().bindGoogle, { body: { code, ...(await signed(STATEMENTS.security)), ...more } });
    };
    expect(await refusalOf(bind({}))).toBe('MissingField passkey');
    await bind(await answered());
    expect((await firstStep(new Browser(town))).factors).toEqual(['google', 'passkey', 'backup']);
    // A code is enough for a change, and never for money.
    town.clock.now += 30_000;
    const google = await generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
    await remove(device.credentialId, { google });
    expect(await info()).toMatchObject({ passkeySecurityStatus: false, googleSecurityStatus: true, securityLevel: 2 });
  });
});

describe('[A3] what is no answer of a passkey at a login', () => {
  beforeEach(() => add());
  const refused = 'InvalidPasskey';

  test('an answer is taken once: not again, and of 20 at once one', async () => {
    const { of, loginId, challenge } = await begun();
    const answer = proven(challenge);
    const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(second(of, loginId, answer))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    const again = new Browser(town);
    const step = await firstStep(again);
    expect(await refusalOf(second(again, step.loginId, answer))).toBe(refused);
  });

  test.each([
    ['of another origin', { origin: 'http://localhost.evil.example:8080', site: 'localhost' }],
    ['of another port', { origin: 'http://localhost:9999' }],
    ['of another site', { site: 'evil.example' }],
    ['of a device that did not ask who holds it', { unverified: true }],
  ])('one %s', async (_, options) => {
    const { of, loginId, challenge } = await begun();
    expect(await refusalOf(second(of, loginId, proven(challenge, options)))).toBe(refused);
    expect(() => of.principal()).toThrow('SessionExpired');
    const { items } = await browser.call(town.accounts.handlers.login.loginRecord);
    expect(items[0]?.result).toBe('FAILED');
  });

  test('one whose counter goes back, or stands still, as that of a copied device does', async () => {
    const good = await begun();
    await second(good.of, good.loginId, proven(good.challenge));
    for (const back of [1, 2]) {
      const { of, loginId, challenge } = await begun();
      device.counter -= back;
      expect(await refusalOf(second(of, loginId, proven(challenge)))).toBe(refused);
    }
  });

  test('one of a device that is not bound, and one of another person', async () => {
    const { of, loginId, challenge } = await begun();
    expect(await refusalOf(second(of, loginId, proven(challenge, { by: new PasskeyDevice() })))).toBe(refused);
    const bob = person(key + 0x50000);
    const theirs = new Browser(town);
    await theirs.login(bob);
    const bobs = new PasskeyDevice();
    const options = await theirs.call(passkey().passkeyOptions);
    const proof = await signed(ADD_PASSKEY_STATEMENT, theirs, bob);
    await theirs.call(passkey().addPasskey, { body: { name: 'bob', ...bobs.make(options.challenge, { origin: ORIGIN }), ...proof } });
    const next = await begun();
    expect(await refusalOf(second(next.of, next.loginId, proven(next.challenge, { by: bobs })))).toBe(refused);
    // The name of alice's passkey over bob's signature.
    const forged = { ...proven((await begun()).challenge, { by: bobs }), credentialId: device.credentialId };
    const last = await begun();
    expect(await refusalOf(second(last.of, last.loginId, forged))).toBe(refused);
  });

  test('one to a challenge that is too old, was replaced, or was made for another login, a change or a withdrawal', async () => {
    const late = await begun();
    const answer = proven(late.challenge);
    const newer = await challengeOf(late.of, late.loginId);
    expect(await refusalOf(second(late.of, late.loginId, answer))).toBe(refused);
    expect(newer).not.toBe(late.challenge);
    const [one, other] = [await begun(), await begun()];
    expect(await refusalOf(second(one.of, one.loginId, proven(other.challenge)))).toBe(refused);
    const { challenge } = await browser.call(passkey().passkeyChallenge);
    expect(await refusalOf(second(one.of, one.loginId, proven(challenge)))).toBe(refused);
    expect(await refusalOf(second(one.of, one.loginId, proven(await challengeFor({ ...WISH, to: alice.address }))))).toBe(refused);
    town.clock.now += PASSKEY_CHALLENGE_MS - 1;
    const slow = await begun();
    town.clock.now += PASSKEY_CHALLENGE_MS;
    expect(await refusalOf(second(slow.of, slow.loginId, proven(slow.challenge)))).toBe('UnknownThing loginId');
  });

  test('one in a browser that did not make the first step; nor is it asked for there', async () => {
    const { loginId, challenge } = await begun();
    const stranger = new Browser(town);
    await stranger.nonce(alice);
    expect(await refusalOf(challengeOf(stranger, loginId))).toBe('UnknownThing loginId');
    expect(await refusalOf(second(stranger, loginId, proven(challenge)))).toBe('UnknownThing loginId');
  });
});

describe('[A3] what makes no passkey', () => {
  test('an answer to another challenge, of another site, without who holds the device, a second time, or for another account', async () => {
    const attempt = async (made: object, of = browser, who = alice) =>
      refusalOf(of.call(passkey().addPasskey, { body: { name: 'x', ...made, ...(await signed(ADD_PASSKEY_STATEMENT, of, who)) } }));
    const options = async (of = browser) => (await of.call(passkey().passkeyOptions)).challenge;
    expect(await attempt(device.make('A'.repeat(43), { origin: ORIGIN }))).toBe('InvalidPasskey');
    expect(await attempt(device.make(await options(), { origin: 'https://evil.example' }))).toBe('InvalidPasskey');
    expect(await attempt(device.make(await options(), { origin: ORIGIN, site: 'evil.example' }))).toBe('InvalidPasskey');
    expect(await attempt(device.make(await options(), { origin: ORIGIN, unverified: true }))).toBe('InvalidPasskey');
    const stale = device.make(await options(), { origin: ORIGIN });
    town.clock.now += PASSKEY_CHALLENGE_MS;
    expect(await attempt(stale)).toBe('InvalidPasskey');
    const bob = person(key + 0x60000);
    const theirs = new Browser(town);
    await theirs.login(bob);
    expect(await attempt(device.make(await options(), { origin: ORIGIN }), theirs, bob)).toBe('InvalidPasskey');
    expect(await info()).toMatchObject({ passkeySecurityStatus: false, withdrawalsHeldUntil: null });
    await add();
    // What is bound is nobody else's.
    expect(await attempt(device.make(await options(theirs), { origin: ORIGIN }), theirs, bob)).toBe('AlreadyThere credentialId');
    expect(await info(theirs)).toMatchObject({ passkeySecurityStatus: false });
  });
});

describe('[A3] a withdrawal of an account with a passkey', () => {
  beforeEach(async () => {
    await add();
    await afterTheHold();
  });

  test('asks for its answer to the challenge of exactly this withdrawal, once', async () => {
    const wish = { ...WISH, to: alice.address as string };
    expect(await withdraw({})).toBe('MissingField passkey');
    expect(await withdraw({ google: '123456' })).toBe('MissingField passkey');
    for (const change of [{ amount: '2' }, { coin: 'BTC' }, { to: `0x${'1'.repeat(40)}` }, { withdrawalId: `0x${'cd'.repeat(32)}` }])
      expect(await withdraw({ passkey: proven(await challengeFor({ ...wish, ...change })) })).toBe('InvalidPasskey');
    expect(await withdraw(await answered())).toBe('InvalidPasskey');
    const passkeyAnswer = proven(await challengeFor(wish));
    expect(await withdraw({ passkey: passkeyAnswer })).toBeUndefined();
    expect(await withdraw({ passkey: passkeyAnswer })).toBe('InvalidPasskey');
  });

  test('asks for it once of a device that counts nothing too: of 20 at once one is taken', async () => {
    const synced = new PasskeyDevice('countsNothing');
    await add({ by: synced, more: await answered() });
    await afterTheHold();
    const wish = { ...WISH, to: alice.address as string };
    const answer = proven(await challengeFor(wish), { by: synced });
    const answers = await Promise.all(Array.from({ length: 20 }, () => withdraw({ passkey: answer })));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(await withdraw({ passkey: answer })).toBe('InvalidPasskey');
    expect(await withdraw({ passkey: proven(await challengeFor(wish), { by: synced }) })).toBeUndefined();
  });

  test('is not moved by a code of an app that is bound beside it', async () => {
    const { secret } = await browser.call(security().googleSecret);
    const code = () => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
    await browser.call(security().bindGoogle, {
      body: { code: await code(), ...(await signed(STATEMENTS.security)), ...(await answered()) },
    });
    await afterTheHold();
    expect(await withdraw({ google: await code() })).toBe('MissingField passkey');
    expect(await withdraw({ passkey: proven(await challengeFor({ ...WISH, to: alice.address })) })).toBeUndefined();
  });
});
