/** E-mail wallets at the exchange: who is given a ticket, what a ticket gives out, and what moves to the account at the wallet's address. */
import { ristretto255_oprf as suite } from '@noble/curves/ed25519.js';
import { ERASURE_STATEMENT, walletBindText, type WalletTicketUse } from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { FRESH_LOGIN_MS, PASSPHRASE_TRIES } from './embedded-wallets.ts';
import { solved } from './testing/solve.ts';
import { Browser, openTown, ERASURE_WAIT_MS, person, type Person, refusalOf, type Town, WITHDRAWAL_HOLD_MS } from './testing/town.ts';
import { TICKET_LIFE_MS, TICKETS } from './wallet-tickets.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

const PASSWORD = 'correct horse battery';
const SHARES = { serverShare: 's'.repeat(44), recovery: `v2.${'r'.repeat(22)}.${'r'.repeat(16)}.${'r'.repeat(66)}` };
const DEVICE = 'd'.repeat(43);
const PASSPHRASE = 'a horse in the attic';
const bytesOf = (passphrase: string): Uint8Array => new TextEncoder().encode(passphrase);
const blinding = (passphrase: string) => suite.oprf.blind(bytesOf(passphrase));
const toElement = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

let count = 0;
let browser: Browser;
let key: Person;
let email: string;

beforeEach(async () => {
  count += 1;
  town.clock.now += 3_600_000;
  email = `alice-${count}@example.org`;
  key = person(7_000 + count);
  browser = newBrowser(0);
  await register(browser);
});

function newBrowser(place: number): Browser {
  const fresh = new Browser(town);
  fresh.ip = `10.8.${place}.${count}`;
  fresh.neighbourhood = `10.8.${place}.0/24`;
  return fresh;
}

const wallet = () => town.accounts.handlers.wallet;
const name = () => town.accounts.handlers.name;
const lettersTo = (to: string): string[] => town.sent.filter((message) => message.to === to).map(({ text }) => text);

async function codeFrom(of: Browser, send: (captcha: string) => Promise<unknown>): Promise<string> {
  const before = lettersTo(email).length;
  await send(solved(await of.call(town.accounts.handlers.captcha.captchaInit, { query: { action: 'code' } })));
  await vi.waitFor(() => expect(lettersTo(email).length).toBeGreaterThan(before));
  return /Your code is (\d{6})/.exec(lettersTo(email).at(-1) ?? '')?.[1] ?? '';
}

async function register(of: Browser): Promise<void> {
  const purpose = 'register' as const;
  const code = await codeFrom(of, (captcha) => of.call(name().sendCode, { body: { purpose, username: email, captcha } }));
  of.bearer = (await of.call(name().register, { body: { username: email, password: PASSWORD, code } })) as string;
}

async function logInByCode(of: Browser): Promise<unknown> {
  town.clock.now += 120_000;
  const code = await codeFrom(of, (captcha) => of.call(name().emailLoginSend, { body: { email, captcha } }));
  return of.call(name().emailLoginVerify, { body: { email, code } });
}

const ticketFor = async (of: Browser, use: WalletTicketUse, google?: string): Promise<string> =>
  (await of.call(wallet().walletTicket, { body: { use, ...(google !== undefined && { google }) } })).ticket;

async function sharesBy(who: Person, ticket: string, more: object = {}) {
  const signature = await who.wallet.signMessage({ message: walletBindText({ address: who.address, ticket }) });
  return { ticket, walletAddress: who.address, signature, ...SHARES, device: DEVICE, ...more };
}

/** As the signing page does, and then the page that embeds it. */
async function createWallet(): Promise<void> {
  await newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, await ticketFor(browser, 'create')) });
  browser.bearer = (await browser.call(wallet().walletEnter)) as string;
}

const share = (ticket: string, device = DEVICE) =>
  newBrowser(1).call(wallet().walletShare, { body: { ticket, walletAddress: key.address, device } });

describe('[L10] an account that an e-mail address opened gets a wallet', () => {
  test('its address is that of the key that signed, it is marked e-mail login, and the address and password stay', async () => {
    const before = browser.principal();
    await createWallet();
    const after = browser.principal();
    expect(after.address).toBe(key.address);
    expect(after.account).not.toBe(before.account);
    expect(await browser.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({
      emailLogin: true,
      authType: 'WALLET',
      email: 'a***@example.org',
      passwordSecurityStatus: true,
      address: key.address,
    });
    const elsewhere = newBrowser(2);
    elsewhere.bearer = (await elsewhere.call(name().loginFirst, { body: { username: email, password: PASSWORD } })) as string;
    expect(elsewhere.principal().address).toBe(key.address);
    await town.reopen();
    expect(await elsewhere.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ emailLogin: true, authType: 'WALLET' });
    await vi.waitFor(() => expect(lettersTo(email).some((text) => text.includes('An e-mail wallet was created'))).toBe(true));
  });

  test('what it signs is taken as of any wallet: the terms', async () => {
    await createWallet();
    await browser.agree(key);
    expect(await browser.call(town.accounts.handlers.auth.accountInfo)).toMatchObject({ termsAccepted: true });
  });

  test('no address is bound without its key, and no ticket is taken twice, late, or for something else', async () => {
    const ticket = await ticketFor(browser, 'create');
    const stolen = await sharesBy(key, ticket, { walletAddress: person(9).address });
    expect(await refusalOf(newBrowser(1).call(wallet().walletCreate, { body: stolen }))).toBe('InvalidSignature');
    expect(await refusalOf(newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, ticket) }))).toBe('InvalidNonce');
    const late = await ticketFor(browser, 'create');
    town.clock.now += TICKET_LIFE_MS;
    expect(await refusalOf(newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, late) }))).toBe('InvalidNonce');
    expect(await refusalOf(share(await ticketFor(browser, 'create')))).toBe('InvalidNonce');
    expect(await refusalOf(browser.call(wallet().walletEnter))).toBe('UnknownThing wallet');
  });

  test('there is one wallet of an account, and none for an account that a wallet opened', async () => {
    const [first, second] = [await ticketFor(browser, 'create'), await ticketFor(browser, 'create')];
    await newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, first) });
    const other = await sharesBy(person(8_000 + count), second);
    expect(await refusalOf(newBrowser(1).call(wallet().walletCreate, { body: other }))).toBe('AlreadyThere wallet');
    const bob = newBrowser(3);
    await bob.login(person(8_500 + count));
    expect(await refusalOf(ticketFor(bob, 'create'))).toBe('UnknownThing wallet');
    expect(await refusalOf(ticketFor(bob, 'sign'))).toBe('UnknownThing wallet');
  });

  test('the second factor and a hold move with the name', async () => {
    const secret = (await browser.call(town.accounts.handlers.security.googleSecret)).secret;
    const code = (): Promise<string> => generate({ secret, epoch: town.clock.now / 1_000 });
    await browser.call(town.accounts.handlers.security.bindGoogle, { body: { code: await code(), currentPassword: PASSWORD } });
    town.clock.now += 60_000;
    expect(await refusalOf(ticketFor(browser, 'create'))).toBe('MissingField google');
    const ticket = await ticketFor(browser, 'create', await code());
    await newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, ticket) });
    const { loginId } = (await browser.call(wallet().walletEnter)) as { loginId: string };
    town.clock.now += 60_000;
    browser.bearer = await browser.call(town.accounts.handlers.security.loginSecond, {
      body: { loginId, codes: { google: await code() } },
    });
    const info = await browser.call(town.accounts.handlers.auth.accountInfo);
    expect(info).toMatchObject({ googleSecurityStatus: true, address: key.address });
    expect(info.withdrawalsHeldUntil).toBeGreaterThan(town.clock.now);
    // Its key is exported by a code of the app, and its owner reads of it.
    expect(await refusalOf(ticketFor(browser, 'export'))).toBe('MissingField google');
    town.clock.now += 60_000;
    expect(await share(await ticketFor(browser, 'export', await code()))).toEqual({ share: SHARES.serverShare, use: 'export' });
    await vi.waitFor(() => expect(lettersTo(email).at(-1)).toContain('was shown on the signing page'));
  });
});

describe('K1: an account with an e-mail wallet that is deleted', () => {
  test('is gone with its shares and with the account from which it was made; its name opens a new account', async () => {
    const { account: from } = browser.principal();
    await createWallet();
    const { account } = browser.principal();
    const keysOf = async () => {
      const keys = town.db.sql.selectFrom('accounts_wrapped_person_key').select('account').where('account', 'in', [from, account]);
      return (await keys.orderBy('account').execute()).map((key) => key.account);
    };
    expect(await keysOf()).toEqual([from, account].toSorted((a, b) => a - b));
    const signed = await browser.signStatement(key, { purpose: 'erasure', statement: ERASURE_STATEMENT });
    await browser.call(town.accounts.handlers.erasure.eraseAccount, { body: signed });
    town.clock.now += ERASURE_WAIT_MS;
    town.accounts.erasures.begin([]);
    await town.accounts.sweep();
    expect(await keysOf()).toEqual([]);
    const shares = town.db.sql.selectFrom('accounts_embedded_wallet').selectAll().where('account', '=', account);
    expect(await shares.execute()).toEqual([]);
    const records = town.db.sql.selectFrom('accounts_login').selectAll().where('account', 'in', [from, account]);
    expect(await records.execute()).toEqual([]);
    const again = newBrowser(3);
    await register(again);
    expect([from, account]).not.toContain(again.principal().account);
  });
});

describe('[L10] the share of the exchange', () => {
  test('is given to the browser that made the wallet, by a ticket of its session, and to no other', async () => {
    await createWallet();
    expect(await share(await ticketFor(browser, 'sign'))).toEqual({ share: SHARES.serverShare, use: 'sign' });
    expect(await refusalOf(share(await ticketFor(browser, 'sign'), 'e'.repeat(43)))).toBe('NotYours device');
    const elsewhere = newBrowser(1).call(wallet().walletShare, {
      body: { ticket: await ticketFor(browser, 'sign'), walletAddress: person(9).address, device: DEVICE },
    });
    expect(await refusalOf(elsewhere)).toBe('NotYours walletAddress');
    expect(await refusalOf(ticketFor(browser, 'export'))).toBe('MissingField google');
  });

  test('is in the database under seal, and the secret of the browser as a hash', async () => {
    await createWallet();
    const rows = await town.db.sql.selectFrom('accounts_embedded_wallet').selectAll().execute();
    const cells = rows.flatMap((row) => Object.values(row).map((cell) => (Buffer.isBuffer(cell) ? cell.toString('latin1') : String(cell))));
    expect(cells.length).toBeGreaterThan(6);
    for (const secret of [SHARES.serverShare, SHARES.recovery, DEVICE]) expect(cells.join(' ')).not.toContain(secret);
  });

  test('K1: sealed by the master key before there was a key per person, it is under that key after the next start; without the key it is gone', async () => {
    await createWallet();
    const { account } = browser.principal();
    const { box } = town.accounts;
    const before = {
      sealed_share: box.seal(SHARES.serverShare, `wallet share ${account}`),
      sealed_recovery: box.seal(SHARES.recovery, `wallet recovery ${account}`),
      under_person_key: false,
    };
    await town.db.sql.updateTable('accounts_embedded_wallet').set(before).where('account', '=', account).execute();
    await town.reopen();
    expect(await share(await ticketFor(browser, 'sign'))).toEqual({ share: SHARES.serverShare, use: 'sign' });
    const rows = town.db.sql.selectFrom('accounts_embedded_wallet').selectAll().where('account', '=', account);
    const row = await rows.executeTakeFirstOrThrow();
    expect(row.under_person_key).toBe(true);
    expect(() => box.open(row.sealed_share, `wallet share ${account}`)).toThrow();
    expect(() => box.open(row.sealed_recovery, `wallet recovery ${account}`)).toThrow();
    const recovery = await town.accounts.keys.decrypt(account, row.sealed_recovery, `wallet recovery ${account}`);
    expect(recovery?.toString()).toBe(SHARES.recovery);
    await town.accounts.keys.erase(account);
    expect(await refusalOf(share(await ticketFor(browser, 'sign')))).toBe('UnknownThing wallet');
  });

  test(`is asked for ${TICKETS.sign.most} times a minute and not more often`, async () => {
    await createWallet();
    for (let asked = 0; asked < TICKETS.sign.most; asked += 1) await ticketFor(browser, 'sign');
    expect(await refusalOf(ticketFor(browser, 'sign'))).toBe('TooManyRequests');
    town.clock.now += TICKETS.sign.perMs;
    await ticketFor(browser, 'sign');
  });
});

describe('[L10] recovery on another device', () => {
  test('soon after a login; new shares void those before, hold withdrawals for a day and are reported to the owner', async () => {
    await createWallet();
    const other = newBrowser(4);
    other.bearer = (await logInByCode(other)) as string;
    const ticket = await ticketFor(other, 'recover');
    const page = newBrowser(5);
    const blinded = toElement(blinding(PASSPHRASE).blinded);
    expect(await page.call(wallet().walletRecover, { body: { ticket, walletAddress: key.address, blinded } })).toEqual({
      share: SHARES.serverShare,
      recovery: SHARES.recovery,
      evaluated: expect.stringMatching(/^[\w-]{43}$/),
    });
    const fresh = await sharesBy(key, ticket, { serverShare: 'n'.repeat(44), device: 'f'.repeat(43) });
    expect(await page.call(wallet().walletRenew, { body: fresh })).toEqual({ withdrawalsHeldUntil: town.clock.now + WITHDRAWAL_HOLD_MS });
    expect(() => browser.principal()).toThrow('SessionExpired');
    expect(await refusalOf(share(await ticketFor(other, 'sign')))).toBe('NotYours device');
    expect(await share(await ticketFor(other, 'sign'), 'f'.repeat(43))).toEqual({ share: 'n'.repeat(44), use: 'sign' });
    await vi.waitFor(() => expect(lettersTo(email).at(-1)).toContain('withdrawals are held for 24 hours'));
  });

  async function recoverer(): Promise<Browser> {
    const other = newBrowser(4);
    other.bearer = (await logInByCode(other)) as string;
    return other;
  }
  const look = (ticket: string, passphrase = PASSPHRASE) =>
    newBrowser(5).call(wallet().walletRecover, {
      body: { ticket, walletAddress: key.address, blinded: toElement(blinding(passphrase).blinded) },
    });

  test('holds withdrawals and is reported before anything is given out, though it is never finished', async () => {
    await createWallet();
    const ticket = await ticketFor(await recoverer(), 'recover');
    expect((await browser.call(town.accounts.handlers.auth.accountInfo)).withdrawalsHeldUntil).toBeNull();
    await look(ticket);
    const held = town.clock.now + WITHDRAWAL_HOLD_MS;
    expect((await browser.call(town.accounts.handlers.auth.accountInfo)).withdrawalsHeldUntil).toBe(held);
    await vi.waitFor(() => expect(lettersTo(email).at(-1)).toContain('recovery of your e-mail wallet was begun'));
    await town.reopen();
    expect((await browser.call(town.accounts.handlers.auth.accountInfo)).withdrawalsHeldUntil).toBe(held);
  });

  test('tries a passphrase ten times a day, however many tickets, restarts and tries at once', async () => {
    await createWallet();
    const other = await recoverer();
    const taken: unknown[] = [];
    const first = await ticketFor(other, 'recover');
    taken.push(...(await Promise.all(Array.from({ length: 6 }, () => refusalOf(look(first))))));
    await town.reopen();
    const second = await ticketFor(other, 'recover');
    taken.push(...(await Promise.all(Array.from({ length: 6 }, () => refusalOf(look(second))))));
    expect(taken.filter((refusal) => refusal === undefined)).toHaveLength(PASSPHRASE_TRIES.most);
    expect(taken.filter((refusal) => refusal === 'TooManyRequests')).toHaveLength(2);
    town.clock.now += PASSPHRASE_TRIES.perMs;
    expect(await refusalOf(look(await ticketFor(await recoverer(), 'recover')))).toBe(undefined);
  });

  test('stretches the passphrase as at the creation, after a restart too, by a key of this account alone', async () => {
    const finish = ({ blind }: ReturnType<typeof blinding>, evaluated: string): string =>
      toElement(suite.oprf.finalize(bytesOf(PASSPHRASE), blind, Uint8Array.from(Buffer.from(evaluated, 'base64url'))));
    const creating = blinding(PASSPHRASE);
    const [ticket, spare] = [await ticketFor(browser, 'create'), await ticketFor(browser, 'create')];
    const stretch = (blinded: string) => newBrowser(1).call(wallet().walletStretch, { body: { ticket, blinded } });
    const atCreation = finish(creating, (await stretch(toElement(creating.blinded))).evaluated);
    for (const wrong of ['A'.repeat(43), toElement(new Uint8Array(32).fill(255))])
      expect(await refusalOf(stretch(wrong))).toBe('MalformedField blinded');
    await newBrowser(1).call(wallet().walletCreate, { body: await sharesBy(key, ticket) });
    // One ticket more, of before the wallet, is no try of its passphrase that nobody is written to about.
    const unreported = { ticket: spare, blinded: toElement(blinding(PASSPHRASE).blinded) };
    expect(await refusalOf(newBrowser(1).call(wallet().walletStretch, { body: unreported }))).toBe('InvalidNonce');
    browser.bearer = (await browser.call(wallet().walletEnter)) as string;
    await town.reopen();
    const recovering = blinding(PASSPHRASE);
    const body = {
      ticket: await ticketFor(await recoverer(), 'recover'),
      walletAddress: key.address,
      blinded: toElement(recovering.blinded),
    };
    expect(finish(recovering, (await newBrowser(5).call(wallet().walletRecover, { body })).evaluated)).toBe(atCreation);
    // The ticket of a wallet gives no evaluation by which nobody is written to, and another account has another key.
    expect(await refusalOf(newBrowser(5).call(wallet().walletStretch, { body: { ticket: body.ticket, blinded: body.blinded } }))).toBe(
      'InvalidNonce',
    );
    email = `mallory-${count}@example.org`;
    const mallory = newBrowser(6);
    await register(mallory);
    const asked = blinding(PASSPHRASE);
    const other = { ticket: await ticketFor(mallory, 'create'), blinded: toElement(asked.blinded) };
    expect(finish(asked, (await mallory.call(wallet().walletStretch, { body: other })).evaluated)).not.toBe(atCreation);
  });

  test(`is asked for ${TICKETS.recover.most} times a day: a restart gives none back`, async () => {
    await createWallet();
    const other = await recoverer();
    for (let asked = 0; asked < TICKETS.recover.most; asked += 1) {
      await ticketFor(other, 'recover');
      await town.reopen();
    }
    expect(await refusalOf(ticketFor(other, 'recover'))).toBe('TooManyRequests');
  });

  test('not by a session that was opened a while ago, not by another key, and not without its ticket', async () => {
    await createWallet();
    const ticket = await ticketFor(browser, 'recover');
    expect(await refusalOf(newBrowser(5).call(wallet().walletRenew, { body: await sharesBy(person(9), ticket) }))).toBe(
      'NotYours walletAddress',
    );
    expect(await refusalOf(newBrowser(5).call(wallet().walletRenew, { body: await sharesBy(key, ticket) }))).toBe('InvalidNonce');
    town.clock.now += FRESH_LOGIN_MS;
    await browser.refresh();
    expect(await refusalOf(ticketFor(browser, 'recover'))).toBe('NotQualified');
  });
});
