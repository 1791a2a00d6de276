/** Accounts by name: registration, login, reset and binding, and what must not be possible on the way. */
import {
  ADD_PASSKEY_STATEMENT,
  bindNameStatement,
  type CaptchaAction,
  type CodePurpose,
  STATEMENTS,
  walletBindText,
  type WalletTicketUse,
} from '@orrery/api';
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CODE_LIFE_MS } from './names/codes.ts';
import { ALARM_MS } from './code-alarm.ts';
import { COUNTRIES } from './names/countries.ts';
import { PasskeyDevice } from '../../foundation/src/testing/passkey-device.ts';
import { Browser, openTown, ORIGIN, person, refusalOf, type Town, WITHDRAWAL_HOLD_MS } from './testing/town.ts';
import { solved } from './testing/solve.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let count = 0;
let alice: string;
let browser: Browser;
const PASSWORD = 'correct horse battery';
const HOUR = 3_600_000;

/** A browser whose network no other test uses. */
function newBrowser(): Browser {
  count += 1;
  const fresh = new Browser(town);
  fresh.ip = `10.7.${count >> 8}.${count & 255}`;
  fresh.neighbourhood = `10.7.${count >> 8}.0/24`;
  return fresh;
}

beforeEach(() => {
  town.clock.now += HOUR;
  browser = newBrowser();
  alice = `alice-${count}@example.org`;
});

const name = () => town.accounts.handlers.name;
const auth = () => town.accounts.handlers.auth;

const captcha = async (of: Browser, action: CaptchaAction = 'code'): Promise<string> =>
  solved(await of.call(town.accounts.handlers.captcha.captchaInit, { query: { action } }));

const send = async (of: Browser, purpose: CodePurpose, username: string, more: object = {}) =>
  of.call(name().sendCode, { body: { purpose, username, captcha: await captcha(of), ...more } });

const lettersTo = (to: string): string[] => town.sent.filter((message) => message.to === to).map(({ text }) => text);
const letterTo = (to: string, words: RegExp | string) => vi.waitFor(() => expect(lettersTo(to).at(-1)).toMatch(words));

async function codeTo(to: string): Promise<string> {
  await letterTo(to, /Your code is \d{6}/);
  return /Your code is (\d{6})/.exec(lettersTo(to).at(-1) ?? '')?.[1] ?? '';
}

async function codeFor(of: Browser, purpose: CodePurpose, username: string): Promise<string> {
  await send(of, purpose, username);
  return codeTo(username);
}

const opened = (of: Browser, answer: unknown): void => {
  if (typeof answer !== 'string') throw new Error('a second step is asked for');
  of.bearer = answer;
};

async function register(of: Browser, username: string, password = PASSWORD): Promise<void> {
  const code = await codeFor(of, 'register', username);
  opened(of, await of.call(name().register, { body: { username, password, code } }));
}

const login = (of: Browser, username: string, password = PASSWORD, more: object = {}) =>
  of.call(name().loginFirst, { body: { username, password, ...more } });

const other = (code: string): string => (code === '123456' ? '654321' : '123456');

describe('registration', () => {
  test('[A1] a code by e-mail and a password open an account, which logs in by them on another browser', async () => {
    expect(await send(browser, 'register', ` ${alice.toUpperCase()}`)).toEqual({ lifeSeconds: 300, againInSeconds: 60, codeLength: 6 });
    const code = await codeTo(alice);
    const body = { username: alice, password: PASSWORD, code };
    expect(await refusalOf(browser.call(name().register, { body: { ...body, code: other(code) } }))).toBe('InvalidCode');
    opened(browser, await browser.call(name().register, { body }));
    expect(await browser.call(auth().accountInfo)).toMatchObject({
      emailLogin: true,
      emailSecurityStatus: true,
      phoneSecurityStatus: false,
      passwordSecurityStatus: true,
      email: 'a***@example.org',
      securityLevel: 1,
    });
    const { account } = browser.principal();
    await town.reopen();
    const second = newBrowser();
    opened(second, await login(second, alice.toUpperCase()));
    expect(second.principal().account).toBe(account);
    expect(await refusalOf(login(newBrowser(), alice, `${PASSWORD}!`))).toBe('InvalidPassword');
  });

  test('[A1] a telephone number has the country code 86 unless another is given, and gets its code by text message', async () => {
    const code = async (to: string): Promise<string> => codeTo(to);
    await send(browser, 'register', `138 0013-8${count}`);
    const number = `+861380013` + `8${count}`;
    const body = { username: `01380013` + `8${count}`, password: PASSWORD, code: await code(number) };
    expect(town.sent.at(-1)?.kind).toBe('text');
    opened(browser, await browser.call(name().register, { body }));
    expect(await browser.call(auth().accountInfo)).toMatchObject({ phoneSecurityStatus: true, telCountryCode: '86', email: null });
    const elsewhere = newBrowser();
    expect(await refusalOf(login(elsewhere, body.username, PASSWORD, { telCountryCode: '44' }))).toBe('InvalidPassword');
    opened(elsewhere, await login(elsewhere, body.username));
    expect(COUNTRIES.find(({ country }) => country === 'CN')).toEqual({ country: 'CN', name: 'China', telCountryCode: '86' });
  });

  test('[A1] a name is registered once: another try gets the same answers, and its owner a letter', async () => {
    await register(browser, alice);
    town.clock.now += 60_000;
    const again = newBrowser();
    expect(await send(again, 'register', alice)).toEqual({ lifeSeconds: 300, againInSeconds: 60, codeLength: 6 });
    await letterTo(alice, /There is an account with a\*\*\*@example.org already/);
    expect(await refusalOf(again.call(name().register, { body: { username: alice, password: PASSWORD, code: '123456' } }))).toBe(
      'InvalidCode',
    );
  });

  test.each(['alice', 'alice@', '@example.org', 'a b@example.org', 'alice@example', 'a@b.c\n', '12', '1'.repeat(16), '+86x138'])(
    '[A1] "%s" is no name',
    async (username) => {
      const body = { purpose: 'register', username, captcha: 'AAAA' };
      expect(await refusalOf(browser.call(name().sendCode, { body }))).toBe('MalformedField username');
    },
  );

  test('[A1] a password that everybody uses is refused before the code is used up', async () => {
    const code = await codeFor(browser, 'register', alice);
    const body = { username: alice, code };
    expect(await refusalOf(browser.call(name().register, { body: { ...body, password: 'Password1' } }))).toBe('MalformedField password');
    opened(browser, await browser.call(name().register, { body: { ...body, password: PASSWORD } }));
  });

  test('[A8] nobody can add the address of an account without a wallet to withdraw to', async () => {
    await register(browser, alice);
    const { address } = browser.principal();
    const bob = newBrowser();
    await bob.login(person(0xfa11));
    const { checkWithdrawAddress, addWithdrawAddress } = town.accounts.handlers.addressBook;
    expect(await refusalOf(bob.call(addWithdrawAddress, { body: { address, label: 'lost' } }))).toBe('AddressRefused address');
    await expect(bob.call(checkWithdrawAddress, { query: { address } })).rejects.toThrow('has no wallet');
  });

  test('[A1] of 20 registrations with one code, one opens an account', async () => {
    const body = { username: alice, password: PASSWORD, code: await codeFor(browser, 'register', alice) };
    const answers = await Promise.all(Array.from({ length: 20 }, () => refusalOf(browser.call(name().register, { body }))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
    expect(new Set(answers.filter((refusal) => refusal !== undefined))).toEqual(new Set(['InvalidCode']));
  });

  test('[A1] a code is of its browser, its purpose and its five minutes', async () => {
    const code = await codeFor(browser, 'register', alice);
    const body = { username: alice, password: PASSWORD, code };
    const thief = newBrowser();
    expect(await refusalOf(thief.call(name().register, { body }))).toBe('InvalidCode');
    expect(await refusalOf(browser.call(name().reset, { body }))).toBe('InvalidCode');
    expect(await refusalOf(browser.call(name().emailLoginVerify, { body: { email: alice, code } }))).toBe('InvalidCode');
    town.clock.now += CODE_LIFE_MS;
    expect(await refusalOf(browser.call(name().register, { body }))).toBe('InvalidCode');
  });
});

describe('logging in by a password', () => {
  test('[A1] after two wrong ones a captcha is asked for, after five there is a wait, whether the name is known or not', async () => {
    await register(browser, alice);
    for (const username of [alice, `nobody-${count}@example.org`]) {
      const each = newBrowser();
      const wrong = async (more: object = {}) => refusalOf(login(each, username, 'wrong password', more));
      expect([await wrong(), await wrong(), await wrong()]).toEqual(['InvalidPassword', 'InvalidPassword', 'CaptchaNeeded captcha']);
      const solvedOnce = await captcha(each, 'login');
      expect(await wrong({ captcha: solvedOnce })).toBe('InvalidPassword');
      expect(await wrong({ captcha: solvedOnce })).toBe('InvalidCaptcha captcha');
      expect(await wrong({ captcha: await captcha(each, 'code') })).toBe('InvalidCaptcha captcha');
      for (const answer of ['InvalidPassword', 'InvalidPassword', 'TooManyRequests'])
        expect(await wrong({ captcha: await captcha(each, 'login') })).toBe(answer);
      const right = await captcha(each, 'login');
      expect(await refusalOf(login(each, username, PASSWORD, { captcha: right }))).toBe('TooManyRequests');
    }
    town.clock.now += 15 * 60_000;
    opened(browser, await login(browser, alice));
  });

  test('[A1] parallel guesses pass no limit', async () => {
    await register(browser, alice);
    const guesses = Array.from({ length: 30 }, () => refusalOf(login(newBrowser(), alice, 'wrong password')));
    const answers = await Promise.all(guesses);
    expect(answers.filter((answer) => answer === 'InvalidPassword').length).toBeLessThanOrEqual(5);
  });

  test('[A7] what was tried is in the record, and a login from another network is notified by e-mail', async () => {
    await register(browser, alice);
    const elsewhere = newBrowser();
    elsewhere.neighbourhood = '203.0.113.0/24';
    await refusalOf(login(elsewhere, alice, 'wrong password'));
    opened(elsewhere, await login(elsewhere, alice));
    await letterTo(alice, /from a device or a network that was not used before[^]*203\.0\.\*\.\*/);
    const { items } = await elsewhere.call(town.accounts.handlers.login.loginRecord);
    expect(items.map(({ way, result }) => `${way} ${result}`)).toEqual(['password SUCCESS', 'password FAILED', 'password SUCCESS']);
  });
});

describe('[L10] while more wrong codes come than people mistype', () => {
  test('every password comes with a captcha, whether the name is known or not, and codes have eight letters', async () => {
    await register(browser, alice);
    town.clock.now += HOUR;
    const begin = town.clock.now;
    for (let at = 0; at <= 300; at += 1) town.accounts.codeAlarm.note();
    expect(town.clock.now).toBe(begin);
    for (const username of [alice, `nobody-${count}@example.org`])
      expect(await refusalOf(login(newBrowser(), username))).toBe('CaptchaNeeded captcha');
    const each = newBrowser();
    opened(each, await login(each, alice, PASSWORD, { captcha: await captcha(each, 'login') }));
    for (const username of [alice, `nobody-${count}@example.org`])
      expect(await send(newBrowser(), 'reset', username)).toEqual({ lifeSeconds: 300, againInSeconds: 60, codeLength: 8 });
    await letterTo(alice, /Your code is [A-Z2-9]{8}\./);
  });
});

describe('[L10] while the alarm of codes is on', () => {
  const raise = (): void => {
    for (let at = 0; at <= 300; at += 1) town.accounts.codeAlarm.note();
  };
  const NEEDED = 'CaptchaNeeded captcha';

  test('whatever tries a code or a password comes with a captcha; without one nothing is tried, and the same code is taken with one', async () => {
    const bound = newBrowser();
    await register(bound, `bound-${count}@example.org`);
    const code = await codeFor(browser, 'register', alice);
    raise();
    const body = { username: alice, password: PASSWORD, code };
    const captchaOf = (of: Browser) => captcha(of, 'login');
    for (let tried = 0; tried < 7; tried += 1)
      expect(await refusalOf(browser.call(name().register, { body: { ...body, code: other(code) } }))).toBe(NEEDED);
    opened(browser, await browser.call(name().register, { body: { ...body, captcha: await captchaOf(browser) } }));

    const codes = { google: '123456' };
    const { wallet, security, addressBook, erasure, apiKey, passkey } = town.accounts.handlers;
    const loginId = 'a'.repeat(43);
    const proof = { currentPassword: 'wrong password' };
    const tries = [
      browser.call(name().reset, { body: { ...body, password: 'another good one' } }),
      browser.call(name().emailLoginVerify, { body: { email: alice, code } }),
      browser.call(name().updatePassword, { body: { password: 'another good one', ...proof } }),
      browser.call(name().bindEmail, { body: { email: 'else@example.org', code, ...proof } }),
      browser.call(name().bindPhone, { body: { tel: '13900138000', code, ...proof } }),
      browser.call(security.loginSecond, { body: { loginId, codes } }),
      browser.call(security.loginSecond, { body: { loginId, codes: { backup: 'A'.repeat(12) } } }),
      browser.call(security.bindGoogle, { body: { code: '123456', ...proof } }),
      browser.call(erasure.eraseAccount, { body: { abandon: true, ...proof } }),
      browser.call(apiKey.createApiKey, { body: { label: 'bot', ...proof } }),
      browser.call(passkey.addPasskey, { body: { name: 'key', credentialId: 'x', clientData: 'x', attestation: 'x', ...proof } }),
      browser.call(wallet.walletTicket, { body: { use: 'create', google: '123456' } }),
      browser.call(addressBook.addWithdrawAddress, { body: { address: `0x${'a'.repeat(40)}`, label: 'cold', google: '123456' } }),
    ];
    expect(await Promise.all(tries.map(refusalOf))).toEqual(tries.map(() => NEEDED));
    const tried = { body: { loginId, codes, captcha: await captchaOf(browser) } };
    expect(await refusalOf(browser.call(security.loginSecond, tried))).toBe('UnknownThing loginId');
    expect(await refusalOf(browser.call(security.loginSecond, tried))).toBe('InvalidCaptcha captcha');
    town.clock.now += ALARM_MS;
    expect(await refusalOf(login(newBrowser(), alice, 'wrong password'))).toBe('InvalidPassword');
  });

  test('it is on after a restart, and after a kill', async () => {
    await register(browser, alice);
    raise();
    const attempt = () => refusalOf(login(newBrowser(), alice, 'wrong password'));
    await town.reopen();
    expect(await attempt()).toBe(NEEDED);
    town.clock.now += ALARM_MS;
    expect(await attempt()).toBe('InvalidPassword');
    raise();
    await vi.waitFor(async () => {
      await town.kill();
      expect(await attempt()).toBe(NEEDED);
    });
    town.clock.now += ALARM_MS;
  });
});

describe('[A10] the countries', () => {
  test('are listed with their dialling codes, by name', async () => {
    const { list, total } = await browser.call(name().countries);
    expect(total).toBe(list.length);
    expect(list).toContainEqual({ country: 'CN', name: 'China', telCountryCode: '86' });
    expect(list.map((each) => each.name)).toEqual(list.map((each) => each.name).sort());
  });
});

describe('a reset', () => {
  test('[A1] sets the password, opens no session, ends those that are open, holds withdrawals and is notified', async () => {
    await register(browser, alice);
    town.clock.now += 60_000;
    const elsewhere = newBrowser();
    const code = await codeFor(elsewhere, 'reset', alice);
    const answer = await elsewhere.call(name().reset, { body: { username: alice, password: 'another good one', code } });
    expect(answer).toEqual({ withdrawalsHeldUntil: town.clock.now + WITHDRAWAL_HOLD_MS });
    expect(Object.keys(elsewhere.cookies).filter((cookie) => cookie.includes('refresh'))).toEqual([]);
    expect(() => browser.principal()).toThrow('SessionExpired');
    await letterTo(alice, /The password of your account was reset/);
    expect(await refusalOf(login(elsewhere, alice))).toBe('InvalidPassword');
    opened(elsewhere, await login(elsewhere, alice, 'another good one'));
    expect(await elsewhere.call(auth().accountInfo)).toMatchObject({ withdrawalsHeldUntil: answer.withdrawalsHeldUntil });
  });

  test('[A1] for a name that nobody has, answers the same, and a letter says so', async () => {
    expect(await send(browser, 'reset', alice)).toEqual({ lifeSeconds: 300, againInSeconds: 60, codeLength: 6 });
    await letterTo(alice, /There is no account with a\*\*\*@example.org/);
    expect(await refusalOf(browser.call(name().reset, { body: { username: alice, password: PASSWORD, code: '123456' } }))).toBe(
      'InvalidCode',
    );
  });
});

describe('[L10] a login by e-mail', () => {
  const sendLogin = async (of: Browser, email: string) => of.call(name().emailLoginSend, { body: { email, captcha: await captcha(of) } });
  const verify = async (of: Browser, email: string) => {
    await sendLogin(of, email);
    return of.call(name().emailLoginVerify, { body: { email, code: await codeTo(email) } });
  };

  test('opens an account without a wallet the first time, and the same one afterwards', async () => {
    opened(browser, await verify(browser, alice));
    const { account } = browser.principal();
    expect(await browser.call(auth().accountInfo)).toMatchObject({
      emailLogin: true,
      email: 'a***@example.org',
      passwordSecurityStatus: false,
    });
    town.clock.now += 60_000;
    const again = newBrowser();
    opened(again, await verify(again, alice));
    expect(again.principal().account).toBe(account);
    expect(await refusalOf(sendLogin(browser, '13800138000'))).toBe('MalformedField email');
  });
});

describe('a change of security', () => {
  test('[A3] an account without a wallet shows its password to set another: other sessions end, withdrawals are held, its owner is notified', async () => {
    await register(browser, alice);
    const elsewhere = newBrowser();
    opened(elsewhere, await login(elsewhere, alice));
    const update = (body: object) => browser.call(name().updatePassword, { body: { password: 'another good one', ...body } });
    expect(await refusalOf(update({}))).toBe('MissingField currentPassword');
    expect(await refusalOf(update({ currentPassword: 'wrong password' }))).toBe('InvalidPassword');
    expect(await update({ currentPassword: PASSWORD })).toEqual({ withdrawalsHeldUntil: town.clock.now + WITHDRAWAL_HOLD_MS });
    expect(() => elsewhere.principal()).toThrow('SessionExpired');
    expect(browser.principal().via).toBe('session');
    await letterTo(alice, /The password of your account was set/);
    opened(elsewhere, await login(elsewhere, alice, 'another good one'));
  });

  test('[A3] a wallet binds an e-mail address and a password by its signature over that very address, and then logs in by them too', async () => {
    const bob = person(0xb0b00 + count);
    await browser.login(bob);
    const code = await codeFor(browser, 'bind', alice);
    const bind = async (signedFor: string, used = code) =>
      browser.call(name().bindEmail, {
        body: {
          email: alice,
          code: used,
          ...(await browser.signStatement(bob, { purpose: 'name', statement: bindNameStatement(signedFor) })),
        },
      });
    expect(await refusalOf(browser.call(name().bindEmail, { body: { email: alice, code } }))).toBe('MissingField nonce');
    expect(await refusalOf(bind('mallory@example.org'))).toBe('InvalidMessage statement');
    expect(await refusalOf(bind(alice, other(code)))).toBe('InvalidCode');
    expect(await bind(alice)).toEqual({ withdrawalsHeldUntil: town.clock.now + WITHDRAWAL_HOLD_MS });
    await letterTo(alice, /An e-mail address was bound/);
    const setPassword = async () =>
      browser.call(name().updatePassword, {
        body: { password: PASSWORD, ...(await browser.signStatement(bob, { purpose: 'password', statement: STATEMENTS.password })) },
      });
    await setPassword();
    const elsewhere = newBrowser();
    opened(elsewhere, await login(elsewhere, alice));
    expect(elsewhere.principal().address).toBe(bob.address);
    expect(await elsewhere.call(auth().accountInfo)).toMatchObject({ emailLogin: false });
  });

  test("[A3] another's name is bound to nobody else, and a telephone number is bound like an e-mail address", async () => {
    await register(browser, alice);
    const mallory = newBrowser();
    await register(mallory, `mallory-${count}@example.org`);
    town.clock.now += 60_000;
    await send(mallory, 'bind', alice);
    await letterTo(alice, /There is an account with/);
    const body = { email: alice, code: '123456', currentPassword: PASSWORD };
    expect(await refusalOf(mallory.call(name().bindEmail, { body }))).toBe('InvalidCode');
    const tel = `1390013${1_000 + count}`;
    await send(browser, 'bind', tel);
    await browser.call(name().bindPhone, { body: { tel, code: await codeTo(`+86${tel}`), currentPassword: PASSWORD } });
    expect(await browser.call(auth().accountInfo)).toMatchObject({ phoneSecurityStatus: true, emailSecurityStatus: true });
    await letterTo(alice, /A telephone number was bound/);
    opened(mallory, await login(mallory, tel));
    expect(mallory.principal().account).toBe(browser.principal().account);
  });

  test('[A3] nothing of a name lies open in a table', async () => {
    await register(browser, alice);
    const tables = ['accounts_name', 'accounts_code_sent', 'accounts_code', 'accounts_password', 'accounts_password_try'] as const;
    for (const table of tables) {
      const rows = await town.db.sql.selectFrom(table).selectAll().execute();
      const text = JSON.stringify(rows, (_, value: unknown) =>
        typeof value === 'object' && value instanceof Buffer ? value.toString('latin1') : value,
      );
      expect(text).not.toMatch(/alice|example\.org/);
    }
  });
});

interface Guard {
  readonly offered: readonly string[];
  /** The field that a change without a factor lacks. */
  readonly missing: 'google' | 'passkey';
  /** A factor for a change of the account in the browser of the test. */
  readonly forChange: () => Promise<object>;
  /** What finishes a login. */
  readonly codesFor: (of: Browser, loginId: string) => Promise<object>;
}

/** An app is bound in the browser of the test. */
async function guardByApp(factor: 'google' | 'backup', proof: object): Promise<Guard> {
  const { security } = town.accounts.handlers;
  const { secret } = await browser.call(security.googleSecret);
  const google = async () => ({ google: await generate({ secret, epoch: Math.floor(town.clock.now / 1_000) }) });
  const { backupCodes } = await browser.call(security.bindGoogle, { body: { code: (await google()).google, ...proof } });
  const codesFor = factor === 'google' ? google : async () => ({ backup: backupCodes[0] });
  return { offered: ['google', 'backup'], missing: 'google', forChange: google, codesFor };
}

/** A passkey is bound in the browser of the test. */
async function guardByPasskey(proof: object): Promise<Guard> {
  const { passkey } = town.accounts.handlers;
  const device = new PasskeyDevice();
  const { challenge } = await browser.call(passkey.passkeyOptions);
  await browser.call(passkey.addPasskey, { body: { name: 'laptop', ...device.make(challenge, { origin: ORIGIN }), ...proof } });
  const prove = (asked: { challenge: string }) => ({ passkey: device.prove(asked.challenge, { origin: ORIGIN }) });
  return {
    offered: ['passkey', 'backup'],
    missing: 'passkey',
    forChange: async () => prove(await browser.call(passkey.passkeyChallenge)),
    codesFor: async (of, loginId) => prove(await of.call(passkey.loginPasskey, { body: { loginId } })),
  };
}

describe('[L10, A1, A3] every way in, with every factor bound', () => {
  const WAYS = ['wallet', 'password', 'email', 'register', 'reset'] as const;
  const FACTORS = ['google', 'backup', 'passkey'] as const;
  const TABLE = WAYS.flatMap((way) => FACTORS.map((factor) => ({ way, factor })));

  test.each(TABLE)('$way × $factor: the first step opens no session, the second one does', async ({ way, factor }) => {
    // A wallet with an e-mail address, a password and an app: all that an account can have.
    const bob = person(0xb0c00 + count);
    await browser.login(bob);
    const code = await codeFor(browser, 'bind', alice);
    const signed = (purpose: 'name' | 'password' | 'security', statement: string) => browser.signStatement(bob, { purpose, statement });
    await browser.call(name().bindEmail, { body: { email: alice, code, ...(await signed('name', bindNameStatement(alice))) } });
    await browser.call(name().updatePassword, { body: { password: PASSWORD, ...(await signed('password', STATEMENTS.password)) } });
    const guard =
      factor === 'passkey'
        ? await guardByPasskey(await signed('security', ADD_PASSKEY_STATEMENT))
        : await guardByApp(factor, await signed('security', STATEMENTS.security));
    town.clock.now += 60_000;

    const elsewhere = newBrowser();
    const firstStep = async (): Promise<unknown> => {
      switch (way) {
        case 'wallet':
          return elsewhere.call(auth().verify, { body: await elsewhere.sign(bob, 'login') });
        case 'password':
          return login(elsewhere, alice);
        case 'email':
          await elsewhere.call(name().emailLoginSend, { body: { email: alice, captcha: await captcha(elsewhere) } });
          return elsewhere.call(name().emailLoginVerify, { body: { email: alice, code: await codeTo(alice) } });
        case 'register':
          await send(elsewhere, 'register', alice);
          await letterTo(alice, /There is an account/);
          expect(await refusalOf(elsewhere.call(name().register, { body: { username: alice, password: PASSWORD, code: '123456' } }))).toBe(
            'InvalidCode',
          );
          return login(elsewhere, alice);
        case 'reset':
          await elsewhere.call(name().reset, {
            body: { username: alice, password: 'another good one', code: await codeFor(elsewhere, 'reset', alice) },
          });
          return login(elsewhere, alice, 'another good one');
      }
    };
    const sessionsBefore = town.accounts.directory.find(bob.address)?.account;
    const answer = await firstStep();
    expect(answer).toMatchObject({ factors: guard.offered });
    expect(Object.keys(elsewhere.cookies).filter((cookie) => cookie.includes('refresh'))).toEqual([]);
    expect(sessionsBefore).toBeDefined();
    const { loginId } = answer as { loginId: string };
    const second = (codes: object) => elsewhere.call(town.accounts.handlers.security.loginSecond, { body: { loginId, codes } });
    expect(await refusalOf(second({}))).toBe('MissingField codes');
    elsewhere.bearer = await second(await guard.codesFor(elsewhere, loginId));
    expect(elsewhere.principal().address).toBe(bob.address);
    // A change asks for it besides.
    const again = { body: { password: PASSWORD, ...(await signed('password', STATEMENTS.password).catch(() => ({}))) } };
    expect(await refusalOf(elsewhere.call(name().updatePassword, again))).toBe(`MissingField ${guard.missing}`);
  });

  const REFRESH_COOKIE = '__Host-orrery-refresh';
  const refreshCookieOf = (of: Browser): string | undefined => of.cookies[REFRESH_COOKIE];
  const codeOf = (secret: string): Promise<string> => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });

  /** A wallet, with an app bound in the browser of the test. @returns the app's secret. */
  async function withApp(bob: ReturnType<typeof person>): Promise<string> {
    await browser.agree(bob);
    await browser.login(bob);
    const { secret } = await browser.call(town.accounts.handlers.security.googleSecret);
    const signed = await browser.signStatement(bob, { purpose: 'security', statement: STATEMENTS.security });
    await browser.call(town.accounts.handlers.security.bindGoogle, { body: { code: await codeOf(secret), ...signed } });
    town.clock.now += 60_000;
    return secret;
  }

  test('refresh: a browser whose second step is open refreshes nothing, and neither does one from before the app', async () => {
    const bob = person(0xb0d00 + count);
    const early = newBrowser();
    await early.login(bob);
    const secret = await withApp(bob);
    expect(await refusalOf(early.refresh())).toBe('SessionExpired');
    const elsewhere = newBrowser();
    const { loginId } = (await elsewhere.call(auth().verify, { body: await elsewhere.sign(bob, 'login') })) as { loginId: string };
    expect(await refusalOf(elsewhere.refresh())).toBe('NotSignedIn');
    // What the browser holds of the open login is no refresh token and no access token.
    const held = [loginId, ...Object.values(elsewhere.cookies)].filter((value) => value !== undefined);
    expect(held.length).toBeGreaterThan(1);
    for (const value of held) {
      const thief = newBrowser();
      thief.cookies[REFRESH_COOKIE] = value;
      thief.bearer = value;
      expect(await refusalOf(thief.refresh())).toBe('SessionExpired');
      expect(() => thief.principal()).toThrow('SessionExpired');
      expect(refreshCookieOf(thief)).toBeUndefined();
    }
    elsewhere.bearer = await elsewhere.call(town.accounts.handlers.security.loginSecond, {
      body: { loginId, codes: { google: await codeOf(secret) } },
    });
    await elsewhere.refresh();
    expect(elsewhere.principal().address).toBe(bob.address);
  });

  test('API key: it acts for itself and opens no session, as a bearer, as a refresh cookie or at the second step', async () => {
    const bob = person(0xb0e00 + count);
    const secret = await withApp(bob);
    const body = await browser.signKey(bob, { label: 'bot' });
    const made = await browser.call(town.accounts.handlers.apiKey.createApiKey, { body });
    const sessions = async () => (await browser.call(town.accounts.handlers.session.sessions)).total;
    const before = await sessions();
    for (const value of [made.accessKey, made.secret]) {
      const bot = newBrowser();
      bot.bearer = value;
      expect(() => bot.principal()).toThrow('SessionExpired');
      expect(await refusalOf(bot.refresh())).toBe('NotSignedIn');
      bot.cookies[REFRESH_COOKIE] = value;
      expect(await refusalOf(bot.refresh())).toBe('SessionExpired');
      const codes = { google: await codeOf(secret) };
      const second = bot.call(town.accounts.handlers.security.loginSecond, { body: { loginId: value, codes } });
      expect(await refusalOf(second)).toBe('UnknownThing loginId');
      expect(refreshCookieOf(bot)).toBeUndefined();
    }
    expect(town.accounts.authenticator.apiKey(made.accessKey)).toMatchObject({ principal: { via: 'apiKey' } });
    expect(await sessions()).toBe(before);
  });

  test('[A5] an account without a wallet makes keys that read, by its password and the code of its app', async () => {
    const keys = town.accounts.handlers.apiKey;
    const made = (more: object) => browser.call(keys.createApiKey, { body: { label: 'bot', ipList: ['192.0.2.1'], ...more } });
    await register(browser, alice);
    expect(await refusalOf(made({}))).toBe('MissingField currentPassword');
    expect(await refusalOf(made({ currentPassword: `${PASSWORD}!` }))).toBe('InvalidPassword');
    for (const more of [{ permission: 'TRADE' }, { moneyRights: ['TRANSFER'] }, { moneyRights: ['WITHDRAW'] }])
      expect(await refusalOf(made({ ...more, currentPassword: PASSWORD }))).toBe('TermsNotAccepted account');
    expect((await browser.call(keys.apiKeys)).total).toBe(0);
    expect((await made({ currentPassword: PASSWORD })).permission).toBe('READ');

    const { secret } = await browser.call(town.accounts.handlers.security.googleSecret);
    const body = { code: await codeOf(secret), currentPassword: PASSWORD };
    await browser.call(town.accounts.handlers.security.bindGoogle, { body });
    town.clock.now += 60_000;
    expect(await refusalOf(made({ currentPassword: PASSWORD }))).toBe('MissingField google');
    expect(await refusalOf(made({ currentPassword: PASSWORD, google: await codeOf('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP') }))).toBe(
      'InvalidCode',
    );
    const google = await codeOf(secret);
    const { accessKey } = await made({ currentPassword: PASSWORD, google });
    expect(await refusalOf(made({ currentPassword: PASSWORD, google }))).toBe('InvalidCode');
    expect(town.accounts.authenticator.apiKey(accessKey)).toMatchObject({ principal: { via: 'apiKey', permission: 'READ' } });

    // From more addresses than before: the same proof.
    const widened = (more: object) => browser.call(keys.updateApiKey, { body: { accessKey, ipList: [], ...more } });
    town.clock.now += 60_000;
    expect(await refusalOf(widened({}))).toBe('MissingField google');
    expect(await refusalOf(widened({ google: await codeOf(secret) }))).toBe('MissingField currentPassword');
    expect((await widened({ google: await codeOf(secret), currentPassword: PASSWORD })).ipList).toEqual([]);
  });

  test.each(FACTORS)('e-mail wallet × %s: entering it is a first step too, and no ticket opens a session', async (factor) => {
    const { wallet, security } = town.accounts.handlers;
    const key = person(0xb0f00 + count);
    const device = 'd'.repeat(43);
    await register(browser, alice);
    const proof = { currentPassword: PASSWORD };
    const guard = factor === 'passkey' ? await guardByPasskey(proof) : await guardByApp(factor, proof);
    const ticketFor = async (use: WalletTicketUse): Promise<string> => {
      town.clock.now += 60_000;
      return (await browser.call(wallet.walletTicket, { body: { use, ...(use !== 'sign' && (await guard.forChange())) } })).ticket;
    };
    const shares = async (ticket: string) => ({
      ticket,
      walletAddress: key.address,
      device,
      serverShare: 's'.repeat(44),
      recovery: `v2.${'r'.repeat(22)}.${'r'.repeat(16)}.${'r'.repeat(66)}`,
      signature: await key.wallet.signMessage({ message: walletBindText({ address: key.address, ticket }) }),
    });
    /** As the signing page, which has neither a cookie nor a token. */
    const page = newBrowser();
    const opensNothing = (ticket: string): void => {
      expect(page.cookies).toEqual({});
      page.bearer = ticket;
      expect(() => page.principal()).toThrow('SessionExpired');
      page.bearer = undefined;
    };
    expect(await refusalOf(browser.call(wallet.walletTicket, { body: { use: 'create' } }))).toBe(`MissingField ${guard.missing}`);
    const create = await ticketFor('create');
    await page.call(wallet.walletCreate, { body: await shares(create) });
    opensNothing(create);

    const refreshBefore = refreshCookieOf(browser);
    const answer = await browser.call(wallet.walletEnter);
    expect(answer).toMatchObject({ factors: guard.offered });
    expect(refreshCookieOf(browser)).toBe(refreshBefore);
    expect(() => browser.principal()).toThrow('SessionExpired');
    expect(await refusalOf(browser.refresh())).toBe('SessionExpired');
    const { loginId } = answer as { loginId: string };
    town.clock.now += 60_000;
    const codes = await guard.codesFor(browser, loginId);
    browser.bearer = await browser.call(security.loginSecond, { body: { loginId, codes } });
    expect(browser.principal().address).toBe(key.address);

    const sign = await ticketFor('sign');
    await page.call(wallet.walletShare, { body: { ticket: sign, walletAddress: key.address, device } });
    opensNothing(sign);
    const recover = await ticketFor('recover');
    const blinded = Buffer.from(suite.oprf.blind(Buffer.from('a horse in the attic')).blinded).toString('base64url');
    await page.call(wallet.walletRecover, { body: { ticket: recover, walletAddress: key.address, blinded } });
    opensNothing(recover);
    await page.call(wallet.walletRenew, { body: await shares(recover) });
    opensNothing(recover);
    const exported = await ticketFor('export');
    await page.call(wallet.walletShare, { body: { ticket: exported, walletAddress: key.address, device } });
    opensNothing(exported);
  });
});
