import { otcReleaseStatement, STATEMENTS, withdrawStatement, type SecondStep, type WithdrawRequest } from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, messageOf, openTown, type Person, person, refusalOf, type Town, WITHDRAWAL_HOLD_MS } from '../testing/town.ts';
import { BACKUP_CODES } from './backup-codes.ts';
import { PENDING_LOGIN_MS } from './pending-logins.ts';
import { TOTP_STEP_MS, WRONG_CODES } from './totp.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0x700;
let alice: Person;
let browser: Browser;
beforeEach(async () => {
  alice = person((key += 1));
  browser = new Browser(town);
  await browser.login(alice);
});

const security = () => town.accounts.handlers.security;
const codeAt = (secret: string, at: number): Promise<string> => generate({ secret, epoch: Math.floor(at / 1_000) });
const nextStep = (steps = 1): void => {
  town.clock.now += steps * TOTP_STEP_MS;
};
/** None of the codes of a few steps around now. */
async function wrongCode(secret: string): Promise<string> {
  const right = await Promise.all([-1, 0, 1].map((step) => codeAt(secret, town.clock.now + step * TOTP_STEP_MS)));
  return ['000000', '111111', '222222', '333333'].find((code) => !right.includes(code)) ?? '';
}

interface Bound {
  readonly secret: string;
  readonly backupCodes: readonly string[];
  readonly withdrawalsHeldUntil: number;
}

async function bind(extra: { current?: string; backup?: string } = {}): Promise<Bound> {
  const { secret } = await browser.call(security().googleSecret);
  const signed = await browser.signStatement(alice, { purpose: 'security', statement: STATEMENTS.security });
  const body = { code: await codeAt(secret, town.clock.now), ...signed, ...extra };
  return { secret, ...(await browser.call(security().bindGoogle, { body })) };
}

/** The first step with the wallet, which must open nothing. */
async function firstStep(of: Browser): Promise<SecondStep> {
  const answer = await of.call(town.accounts.handlers.auth.verify, { body: await of.sign(alice, 'login') });
  if (typeof answer === 'string') throw new Error('the wallet alone opened a session');
  return answer;
}

const second = (of: Browser, loginId: string, codes: object) => of.call(security().loginSecond, { body: { loginId, codes } });

describe('[A3] an authenticator app', () => {
  test('is bound by its code and a signature; every login then takes two steps, of which the first opens no session', async () => {
    expect(await browser.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ googleSecurityStatus: false, securityLevel: 1 });
    const bound = await bind();
    expect(bound.backupCodes).toHaveLength(BACKUP_CODES);
    expect(new Set(bound.backupCodes.map((code) => /^[A-Z2-7]{12}$/.test(code)))).toEqual(new Set([true]));
    expect(await browser.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({
      googleSecurityStatus: true,
      securityLevel: 2,
      withdrawalsHeldUntil: town.clock.now + WITHDRAWAL_HOLD_MS,
    });
    await town.reopen();
    const other = new Browser(town);
    const { loginId, factors } = await firstStep(other);
    expect(factors).toEqual(['google', 'backup']);
    expect(Object.keys(other.cookies).filter((name) => name.includes('refresh'))).toEqual([]);
    nextStep();
    other.bearer = await second(other, loginId, { google: await codeAt(bound.secret, town.clock.now) });
    expect(other.principal().address).toBe(alice.address);
    expect(town.accounts.authenticator.session(other.bearer)).not.toBe('SessionExpired');
  });

  test('its secret lies sealed, and a code of another secret binds nothing and holds nothing', async () => {
    const { secret } = await browser.call(security().googleSecret);
    const rows = await town.db.sql.selectFrom('accounts_totp').selectAll().execute();
    expect(rows.some((row) => row.pending_secret?.includes(Buffer.from(secret)))).toBe(false);
    const signed = await browser.signStatement(alice, { purpose: 'security', statement: STATEMENTS.security });
    const body = { code: await wrongCode(secret), ...signed };
    expect(await refusalOf(browser.call(security().bindGoogle, { body }))).toBe('InvalidCode');
    expect(await browser.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({
      googleSecurityStatus: false,
      withdrawalsHeldUntil: null,
    });
  });

  test('a signature for another purpose binds nothing', async () => {
    const { secret } = await browser.call(security().googleSecret);
    const body = { code: await codeAt(secret, town.clock.now), ...(await browser.sign(alice, 'login')) };
    expect(await refusalOf(browser.call(security().bindGoogle, { body }))).toBe('InvalidNonce');
  });

  test('ends the other sessions when it is bound, and is replaced only by a code of its own or a backup code', async () => {
    const other = new Browser(town);
    await other.login(alice);
    const { secret, backupCodes } = await bind();
    expect(() => other.principal()).toThrow('SessionExpired');
    expect(browser.principal().address).toBe(alice.address);
    expect(await refusalOf(bind())).toBe('MissingField current');
    nextStep();
    expect(await refusalOf(bind({ current: await wrongCode(secret) }))).toBe('InvalidCode');
    const again = await bind({ current: await codeAt(secret, town.clock.now) });
    expect(again.backupCodes).not.toEqual(backupCodes);
    expect(await refusalOf(bind({ backup: backupCodes[0] ?? '' }))).toBe('InvalidCode');
    nextStep();
    await bind({ backup: again.backupCodes[0] ?? '' });
  });

  test('a code is taken once: of 20 that send the same one at once, one gets in', async () => {
    const { secret } = await bind();
    nextStep();
    const code = await codeAt(secret, town.clock.now);
    const browsers = Array.from({ length: 20 }, () => new Browser(town));
    const steps: SecondStep[] = [];
    for (const each of browsers) steps.push(await firstStep(each));
    const answers = await Promise.all(
      browsers.map((each, index) => refusalOf(second(each, steps[index]?.loginId ?? '', { google: code }))),
    );
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
  });

  test('the code that bound it and a code of an earlier step are not taken', async () => {
    const { secret } = await bind();
    const { loginId } = await firstStep(browser);
    expect(await refusalOf(second(browser, loginId, { google: await codeAt(secret, town.clock.now) }))).toBe('InvalidCode');
    nextStep(3);
    const before = await codeAt(secret, town.clock.now - TOTP_STEP_MS);
    expect(await refusalOf(second(browser, loginId, { google: before }))).toBe('InvalidCode');
  });

  test('the code of the step before is taken where no wrong one was sent', async () => {
    const { secret } = await bind();
    nextStep(3);
    const { loginId } = await firstStep(browser);
    expect(await second(browser, loginId, { google: await codeAt(secret, town.clock.now - TOTP_STEP_MS) })).toMatch(/^.{43}$/);
  });

  test('after five wrong codes in 15 minutes the right one waits, over all sessions and browsers, and after 20 in a day for the day', async () => {
    const { secret } = await bind();
    nextStep();
    const guess = async (google: string): Promise<string | undefined> => {
      const of = new Browser(town);
      return refusalOf(second(of, (await firstStep(of)).loginId, { google }));
    };
    const [short, long] = WRONG_CODES;
    for (let wrong = 0; wrong < long.most; wrong += short.most) {
      const code = await wrongCode(secret);
      const answers = await Promise.all(Array.from({ length: short.most + 3 }, () => guess(code)));
      expect(answers.filter((refusal) => refusal === 'InvalidCode')).toHaveLength(short.most);
      expect(await guess(await codeAt(secret, town.clock.now))).toBe('TooManyRequests');
      town.clock.now += short.perMs;
    }
    expect(await guess(await codeAt(secret, town.clock.now))).toBe('TooManyRequests');
    town.clock.now += long.perMs;
    expect(await guess(await codeAt(secret, town.clock.now))).toBeUndefined();
  });

  test('a first step is finished in its own browser, within five minutes, once', async () => {
    const { secret } = await bind();
    nextStep();
    const of = new Browser(town);
    const { loginId } = await firstStep(of);
    const stranger = new Browser(town);
    await stranger.nonce(alice);
    expect(await refusalOf(second(stranger, loginId, { google: await codeAt(secret, town.clock.now) }))).toBe('UnknownThing loginId');
    expect(await refusalOf(second(of, loginId, {}))).toBe('MissingField codes');
    await second(of, loginId, { google: await codeAt(secret, town.clock.now) });
    nextStep();
    expect(await refusalOf(second(of, loginId, { google: await codeAt(secret, town.clock.now) }))).toBe('UnknownThing loginId');
    const late = await firstStep(of);
    town.clock.now += PENDING_LOGIN_MS;
    expect(await refusalOf(second(of, late.loginId, { google: await codeAt(secret, town.clock.now) }))).toBe('UnknownThing loginId');
  });

  test('[A7] a wrong second step stands in the login record', async () => {
    const { secret } = await bind();
    const { loginId } = await firstStep(browser);
    await refusalOf(second(browser, loginId, { google: await wrongCode(secret) }));
    const { items } = await browser.call(town.accounts.handlers.login.loginRecord);
    expect(items.map(({ result }) => result)).toEqual(['FAILED', 'SUCCESS']);
  });
});

describe('[A3] backup codes', () => {
  test('finish a login once each: of 20 that send the same one at once, one gets in', async () => {
    const { backupCodes } = await bind();
    const browsers = Array.from({ length: 20 }, () => new Browser(town));
    const steps: SecondStep[] = [];
    for (const each of browsers) steps.push(await firstStep(each));
    const backup = backupCodes[3] ?? '';
    const answers = await Promise.all(browsers.map((each, index) => refusalOf(second(each, steps[index]?.loginId ?? '', { backup }))));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(1);
  });
});

describe('[A11] the release of an OTC order', () => {
  const terms = { orderId: '1042', amount: '70.5', coin: 'USDC', buyer: '4f1d2c7b9a3e' };

  async function signedOver(what: typeof terms) {
    const nonce = await browser.nonce(alice, 'otc-release');
    const statement = otcReleaseStatement(what);
    const message = messageOf({ address: alice.wallet.address, nonce, statement, issuedAt: new Date(town.clock.now) });
    return { nonce, message, signature: await alice.wallet.signMessage({ message }) };
  }
  const check = (given: object, principal = browser.principal()) =>
    refusalOf(town.accounts.authenticator.checkRelease({ principal, origin: browser.caller().origin, given, terms }));

  test('takes a signature over exactly this where no factor is bound, once, and of no key of a program', async () => {
    expect(await check({})).toBe('MissingField nonce');
    for (const other of [{ amount: '71' }, { coin: 'BTC' }, { orderId: '1043' }, { buyer: '000000000000' }])
      expect(await check(await signedOver({ ...terms, ...other }))).toBe('InvalidMessage statement');
    const proof = await signedOver(terms);
    expect(await check(proof, { ...browser.principal(), via: 'apiKey' })).toBe('PermissionMissing');
    expect(await check(proof)).toBeUndefined();
    expect(await check(proof)).toBe('InvalidNonce');
  });

  test('takes the code of the app where one is bound, and then the wallet alone does not do', async () => {
    const { secret } = await bind();
    nextStep();
    const { loginId } = await firstStep(browser);
    browser.bearer = await second(browser, loginId, { google: await codeAt(secret, town.clock.now) });
    expect(await check(await signedOver(terms))).toBe('MissingField google');
    nextStep();
    const google = await codeAt(secret, town.clock.now);
    expect(await check({ google })).toBeUndefined();
    expect(await check({ google })).toBe('InvalidCode');
    const change = (given: object) =>
      refusalOf(town.accounts.authenticator.checkChange({ principal: browser.principal(), origin: browser.caller().origin, given }));
    expect(await change({})).toBe('MissingField google');
  });
});

describe('[A8] a withdrawal', () => {
  async function withdrawal(google?: string): Promise<string | undefined> {
    const wish = { amount: '1', coin: 'USDC', to: alice.address, withdrawalId: `0x${'ab'.repeat(32)}` };
    const nonce = await browser.nonce(alice, 'withdraw');
    const message = messageOf({
      address: alice.wallet.address,
      nonce,
      statement: withdrawStatement(wish),
      issuedAt: new Date(town.clock.now),
      requestId: wish.withdrawalId,
    });
    const request: WithdrawRequest = {
      ...wish,
      nonce,
      message,
      signature: await alice.wallet.signMessage({ message }),
      ...(google === undefined ? {} : { google }),
    };
    const origin = browser.caller().origin;
    return refusalOf(town.accounts.authenticator.checkWithdrawal({ principal: browser.principal(), origin, request }));
  }

  test('waits for 24 hours after a factor changed, and asks for a code beside the signature from then on', async () => {
    expect(await withdrawal()).toBeUndefined();
    const { secret, withdrawalsHeldUntil } = await bind();
    expect(withdrawalsHeldUntil).toBe(town.clock.now + WITHDRAWAL_HOLD_MS);
    nextStep();
    expect(await withdrawal(await codeAt(secret, town.clock.now))).toBe('WithdrawalsHeld');
    await town.reopen();
    expect(await withdrawal(await codeAt(secret, town.clock.now))).toBe('WithdrawalsHeld');
    town.clock.now = withdrawalsHeldUntil;
    const { loginId } = await firstStep(browser);
    browser.bearer = await second(browser, loginId, { google: await codeAt(secret, town.clock.now) });
    expect(await withdrawal()).toBe('MissingField google');
    expect(await withdrawal(await codeAt(secret, town.clock.now))).toBe('InvalidCode');
    nextStep();
    expect(await withdrawal(await codeAt(secret, town.clock.now))).toBeUndefined();
  });

  test('is held again when the app is replaced: nothing shortens a hold', async () => {
    const first = await bind();
    nextStep();
    const again = await bind({ current: await codeAt(first.secret, town.clock.now) });
    expect(again.withdrawalsHeldUntil).toBe(first.withdrawalsHeldUntil + TOTP_STEP_MS);
  });
});
