import { STATEMENTS, WITHDRAW_ADDRESSES_MAX, withdrawStatement } from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { TEST_BLOCKED_ADDRESSES } from './blocked.ts';
import { ADDRESS_WAIT_MS, Browser, messageOf, ORIGIN, openTown, person, refusalOf, type Town, VAULT } from './testing/town.ts';

let town: Town;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());

let key = 0xb00c;
let alice = person(key);
let browser: Browser;
beforeEach(async () => {
  alice = person((key += 1));
  browser = new Browser(town);
  await browser.login(alice);
});

const ELSEWHERE = `0x${'Ab'.repeat(20)}`;
const elsewhere = ELSEWHERE.toLowerCase();
const book = () => town.accounts.handlers.addressBook;
const add = (body: object) => browser.call(book().addWithdrawAddress, { body: { address: ELSEWHERE, label: 'cold', ...body } });
const list = () => browser.call(book().withdrawAddresses);
const check = (address: string) => browser.call(book().checkWithdrawAddress, { query: { address } });
const remove = (address: string) => browser.call(book().removeWithdrawAddress, { body: { address } });

let withdrawals = 0;
async function withdrawTo(to: string, of: Browser = browser): Promise<string | undefined> {
  withdrawals += 1;
  const wish = { amount: '1', coin: 'USDC', to, withdrawalId: `0x${withdrawals.toString(16).padStart(64, '0')}` };
  const nonce = await of.nonce(alice, 'withdraw');
  const issuedAt = new Date(town.clock.now);
  const statement = withdrawStatement(wish);
  const message = messageOf({ address: alice.wallet.address, nonce, statement, issuedAt, requestId: wish.withdrawalId });
  const request = { ...wish, nonce, message, signature: await alice.wallet.signMessage({ message }) };
  return refusalOf(town.accounts.authenticator.checkWithdrawal({ principal: of.principal(), origin: ORIGIN, request }));
}

describe('[A8] the address book', () => {
  test('a withdrawal goes to the own wallet at once, elsewhere only 24 hours after the address was added, and not after it was removed', async () => {
    expect(await withdrawTo(alice.wallet.address)).toBeUndefined();
    expect(await withdrawTo(ELSEWHERE)).toBe('AddressNotInBook to');
    const added = await add({});
    expect(added).toEqual({
      address: elsewhere,
      label: 'cold',
      userId: null,
      createdTime: town.clock.now,
      usableTime: town.clock.now + ADDRESS_WAIT_MS,
    });
    expect(await list()).toEqual({ list: [added], total: 1, waitMs: ADDRESS_WAIT_MS });
    expect(await withdrawTo(ELSEWHERE)).toBe('AddressWaits to');
    town.clock.now += ADDRESS_WAIT_MS - 1;
    const later = new Browser(town);
    await later.login(alice);
    expect(await withdrawTo(ELSEWHERE, later)).toBe('AddressWaits to');
    town.clock.now += 1;
    expect(await withdrawTo(elsewhere, later)).toBeUndefined();
    browser = later;
    expect(await remove(ELSEWHERE)).toEqual({ address: elsewhere });
    expect(await withdrawTo(ELSEWHERE)).toBe('AddressNotInBook to');
    expect((await add({})).usableTime).toBe(town.clock.now + ADDRESS_WAIT_MS);
  });

  test('an address is described: an account of the exchange by its id, the own wallet, a stranger', async () => {
    const bob = person(key + 0x70000);
    const { account } = await new Browser(town).login(bob);
    expect(await check(bob.wallet.address)).toEqual({
      address: bob.address,
      userId: String(account),
      internal: true,
      own: false,
      usableTime: null,
    });
    expect(await check(alice.wallet.address)).toMatchObject({ internal: true, own: true, usableTime: 0 });
    expect(await check(ELSEWHERE)).toMatchObject({ userId: null, internal: false, own: false, usableTime: null });
    const { usableTime } = await add({ address: bob.wallet.address });
    expect(await check(bob.wallet.address)).toMatchObject({ usableTime });
    expect((await list()).list).toMatchObject([{ address: bob.address, userId: String(account) }]);
  });

  test('A5: blocked addresses, contracts of the exchange and the zero address are refused with the reason', async () => {
    const reasonOf = async (address: string): Promise<unknown> => {
      const refused = { code: 13_022, data: { reason: 'AddressRefused', field: 'address' } };
      await expect(add({ address })).rejects.toMatchObject(refused);
      return check(address).then(
        () => 'taken',
        (error: Error) => error.message,
      );
    };
    expect(await reasonOf(TEST_BLOCKED_ADDRESSES[0] ?? '')).toBe('this address is blocked');
    expect(await reasonOf(VAULT)).toBe('this is the vault of the exchange: what is sent there is lost');
    expect(await reasonOf(`0x${'0'.repeat(40)}`)).toBe('this is the zero address: what is sent there is lost');
    expect(await refusalOf(add({ address: alice.wallet.address }))).toBe('AlreadyThere address');
    expect((await list()).total).toBe(0);
  });

  test('an address is in it once; each person has a book of their own, with room for 50', async () => {
    await add({});
    expect(await refusalOf(add({ label: 'again', address: elsewhere }))).toBe('AlreadyThere address');
    const other = new Browser(town);
    await other.login(person(key + 0x80000));
    expect((await other.call(book().withdrawAddresses)).total).toBe(0);
    expect(await refusalOf(other.call(book().removeWithdrawAddress, { body: { address: ELSEWHERE } }))).toBe('UnknownThing address');
    const many = Array.from({ length: WITHDRAW_ADDRESSES_MAX + 5 }, (_, index) => `0x${(index + 0xfffff).toString(16).padStart(40, '1')}`);
    const answers = await Promise.all(many.map((address) => refusalOf(add({ address }))));
    expect(answers.filter((answer) => answer === 'TooMany addresses')).toHaveLength(6);
    expect((await list()).total).toBe(WITHDRAW_ADDRESSES_MAX);
  });

  test('where an authenticator app is bound, an address is added with a code only', async () => {
    const { googleSecret, bindGoogle } = town.accounts.handlers.security;
    const { secret } = await browser.call(googleSecret);
    const codeNow = (): Promise<string> => generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
    const signed = await browser.signStatement(alice, { purpose: 'security', statement: STATEMENTS.security });
    await browser.call(bindGoogle, { body: { code: await codeNow(), ...signed } });
    town.clock.now += 30_000;
    expect(await refusalOf(add({}))).toBe('MissingField google');
    const google = await codeNow();
    expect(await refusalOf(add({ google: google === '000000' ? '111111' : '000000' }))).toBe('InvalidCode');
    expect((await list()).total).toBe(0);
    expect(await add({ google })).toMatchObject({ address: elsewhere });
  });
});
