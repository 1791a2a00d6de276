/** Two changes of the same thing at the same moment: neither undoes the other in silence. The rows are in `api/src/testing/updates.txt`. */
import {
  ADD_PASSKEY_STATEMENT,
  bindNameStatement,
  ERASURE_STATEMENT,
  REMOVE_PASSKEY_STATEMENT,
  SentFile,
  STATEMENTS,
  type Purpose,
} from '@orrery/api';
import { generate } from 'otplib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { updatesIn } from '../../../api/src/testing/updates.ts';
import { PasskeyDevice } from '../../foundation/src/testing/passkey-device.ts';
import { solved } from './testing/solve.ts';
import { Browser, openTown, ORIGIN, person, refusalOf, type Town } from './testing/town.ts';

const PDF = new TextEncoder().encode('%PDF-1.4\n1 0 obj\n<< /Type /Catalog >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n');
const HOUR = 3_600_000;

let town: Town;
let key = 0x105700;
let alice = person(key);
let browser: Browser;
beforeAll(async () => {
  town = await openTown();
  town.accounts.erasures.begin([]);
});
afterAll(() => town.close());
beforeEach(async () => {
  town.clock.now += HOUR;
  alice = person((key += 1));
  browser = new Browser(town);
  await browser.agree(alice);
  await browser.login(alice);
});

const calls = () => town.accounts.handlers;
const atOnce = (...changes: readonly Promise<unknown>[]) => Promise.all(changes.map((change) => refusalOf(change)));
const refusals = async (...changes: readonly Promise<unknown>[]) => (await atOnce(...changes)).filter((refusal) => refusal !== undefined);

/** Another page of the same person: the nonces of one evict one another. */
function otherPage(): Browser {
  const other = new Browser(town);
  other.bearer = browser.bearer;
  return other;
}
const signed = (purpose: Purpose, statement: string) => otherPage().signStatement(alice, { purpose, statement });

async function makeKey(label = 'bot') {
  const by = otherPage();
  return by.call(calls().apiKey.createApiKey, { body: await by.signKey(alice, { label, ipList: ['10.0.0.1', '10.0.0.2'] }) });
}
const updateKey = (body: object) => browser.call(calls().apiKey.updateApiKey, { body });
const keys = async () => (await browser.call(calls().apiKey.apiKeys)).list;

interface Given {
  readonly backup?: string | undefined;
}
async function addPasskey(name: string, given: Given = {}) {
  const by = otherPage();
  const { challenge } = await by.call(calls().passkey.passkeyOptions);
  const proof = await signed('security', ADD_PASSKEY_STATEMENT);
  const body = { name, ...new PasskeyDevice().make(challenge, { origin: ORIGIN }), ...proof, ...given };
  return by.call(calls().passkey.addPasskey, { body });
}
async function removePasskey(credentialId: string, given: Given) {
  const proof = await signed('security', REMOVE_PASSKEY_STATEMENT);
  return browser.call(calls().passkey.removePasskey, { body: { credentialId, ...proof, ...given } });
}
const passkeys = async () => (await browser.call(calls().passkey.passkeys)).list.map(({ name, credentialId }) => ({ name, credentialId }));
async function twoPasskeys() {
  const first = await addPasskey('first');
  const second = await addPasskey('second', { backup: first.backupCodes[0] });
  return { first: first.passkey.credentialId, second: second.passkey.credentialId, codes: first.backupCodes };
}

async function codeTo(to: string, name: { username: string; telCountryCode?: string }, purpose = 'bind'): Promise<string> {
  const captcha = solved(await browser.call(calls().captcha.captchaInit, { query: { action: 'code' } }));
  await browser.call(calls().name.sendCode, { body: { purpose, captcha, ...name } });
  return vi.waitFor(() => {
    const text = town.sent.findLast((message) => message.to === to)?.text ?? '';
    return /Your code is (\d{6})/.exec(text)?.[1] ?? expect.fail(`no letter came to ${to}`);
  });
}
async function bindEmail(email: string) {
  const code = await codeTo(email, { username: email });
  const body = { email, code, ...(await signed('name', bindNameStatement(email))) };
  return () => browser.call(calls().name.bindEmail, { body });
}
async function bindPhone(tel: string) {
  const code = await codeTo(`+86${tel}`, { username: tel, telCountryCode: '86' });
  const body = { tel, telCountryCode: '86', code, ...(await signed('name', bindNameStatement(`+86${tel}`))) };
  return () => browser.call(calls().name.bindPhone, { body });
}
/** One after the other: the second replaces the first, and what is shown is what is stored. */
async function bothBound(binds: readonly (() => Promise<unknown>)[], field: 'email' | 'tel') {
  expect(await refusals(...binds.map((bind) => bind()))).toEqual([]);
  const shown = (await info())[field];
  expect(shown).not.toBeNull();
  await town.reopen();
  expect((await info())[field]).toBe(shown);
}
async function setPassword(password: string) {
  const body = { password, ...(await signed('password', STATEMENTS.password)) };
  return () => browser.call(calls().name.updatePassword, { body });
}
const info = () => browser.call(calls().auth.accountInfo);
const phoneOf = (nth: number): string => `139${String(key % 1_000_000).padStart(6, '0')}${String(nth).padStart(2, '0')}`;

const upload = async () => (await browser.call(calls().file.uploadFile, { body: new SentFile('application/pdf', PDF) })).fileId;
const identityOf = (fileIds: readonly string[]) => ({
  realName: 'Alice Example',
  documentType: 'PASSPORT',
  documentNumber: 'C01X00T47',
  country: 'DE',
  fileIds,
});
const handIn = (fileIds: readonly string[]) => browser.call(calls().identity.identityAuth, { body: identityOf(fileIds) });

const savings = (nth: number): string => `0x${(0xab_0000 + nth).toString(16).padStart(40, '0')}`;
const addAddress = (address: string, label: string) => browser.call(calls().addressBook.addWithdrawAddress, { body: { address, label } });
const addresses = async () => (await browser.call(calls().addressBook.withdrawAddresses)).list.map(({ label }) => label).toSorted();

/** By the name of the call. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async updateApiKey() {
    const { accessKey } = await makeKey();
    expect(await refusals(updateKey({ accessKey, ipList: ['10.0.0.1'] }), updateKey({ accessKey, label: 'renamed' }))).toEqual([]);
    await town.reopen();
    expect(await keys()).toMatchObject([{ label: 'renamed', ipList: ['10.0.0.1'] }]);
  },
  async setApiKeyStatus() {
    const { accessKey } = await makeKey();
    const off = browser.call(calls().apiKey.setApiKeyStatus, { body: { accessKey, enabled: false } });
    expect(await refusals(updateKey({ accessKey, label: 'renamed' }), off)).toEqual([]);
    await town.reopen();
    expect(await keys()).toMatchObject([{ label: 'renamed', enabled: false }]);
  },
  async deleteApiKey() {
    const { accessKey } = await makeKey();
    await atOnce(updateKey({ accessKey, label: 'renamed' }), browser.call(calls().apiKey.deleteApiKey, { body: { accessKey } }));
    await town.reopen();
    expect(await keys()).toEqual([]);
  },
  async revokeSession() {
    const other = new Browser(town);
    await other.login(alice);
    const sessionId = other.principal().credential;
    await atOnce(other.refresh(), browser.call(calls().session.revokeSession, { body: { sessionId } }));
    expect(() => other.principal()).toThrow('SessionExpired');
    expect(await refusalOf(other.refresh())).toBe('NotSignedIn');
  },
  async revokeAllSessions() {
    const other = new Browser(town);
    await other.login(alice);
    await atOnce(other.refresh(), browser.call(calls().session.revokeAllSessions, { body: { apiKeys: true } }));
    expect(await refusalOf(other.refresh())).toBe('NotSignedIn');
  },
  async addPasskey() {
    const refused = await refusals(addPasskey('first'), addPasskey('second'));
    expect((await passkeys()).length + refused.length).toBe(2);
  },
  async renamePasskey() {
    const { first, second } = await twoPasskeys();
    const rename = (credentialId: string, name: string) => browser.call(calls().passkey.renamePasskey, { body: { credentialId, name } });
    expect(await refusals(rename(first, 'laptop'), rename(second, 'phone'))).toEqual([]);
    expect((await passkeys()).map(({ name }) => name).toSorted()).toEqual(['laptop', 'phone']);
  },
  async removePasskey() {
    const { first, second, codes } = await twoPasskeys();
    expect(await refusals(removePasskey(first, { backup: codes[1] }), removePasskey(second, { backup: codes[2] }))).toEqual([]);
    expect(await passkeys()).toEqual([]);
    expect(await info()).toMatchObject({ passkeySecurityStatus: false });
  },
  async bindGoogle() {
    const { secret } = await browser.call(calls().security.googleSecret);
    const code = await generate({ secret, epoch: Math.floor(town.clock.now / 1_000) });
    const proofs = [await signed('security', STATEMENTS.security), await signed('security', STATEMENTS.security)];
    const bind = (proof: object) => browser.call(calls().security.bindGoogle, { body: { code, ...proof } });
    expect(await refusals(...proofs.map(bind))).toHaveLength(1);
    expect(await info()).toMatchObject({ googleSecurityStatus: true });
  },
  async bindEmail() {
    const binds = [await bindEmail(`first-${key}@example.org`), await bindEmail(`second-${key}@example.org`)];
    await bothBound(binds, 'email');
  },
  async bindPhone() {
    const binds = [await bindPhone(phoneOf(1)), await bindPhone(phoneOf(2))];
    await bothBound(binds, 'tel');
    const fields = [await bindEmail(`both-${key}@example.org`), await setPassword('correct horse battery')];
    expect(await refusals(...fields.map((change) => change()))).toEqual([]);
    await town.reopen();
    expect(await info()).toMatchObject({ emailSecurityStatus: true, phoneSecurityStatus: true });
  },
  async updatePassword() {
    const email = `password-${key}@example.org`;
    await (
      await bindEmail(email)
    )();
    const [one, other] = ['correct horse battery', 'staple of another horse'];
    const changes = [await setPassword(one), await setPassword(other)];
    expect(await refusals(...changes.map((change) => change()))).toEqual([]);
    const logIn = async (password: string) => {
      const by = new Browser(town);
      const captcha = solved(await by.call(calls().captcha.captchaInit, { query: { action: 'login' } }));
      return by.call(calls().name.loginFirst, { body: { username: email, password, captcha } });
    };
    expect(await refusals(logIn(one), logIn(other))).toHaveLength(1);
  },
  async eraseAccount() {
    const proofs = [await signed('erasure', ERASURE_STATEMENT), await signed('erasure', ERASURE_STATEMENT)];
    const erase = (proof: object) => browser.call(calls().erasure.eraseAccount, { body: proof });
    expect(await refusals(...proofs.map(erase))).toHaveLength(1);
    expect((await browser.call(calls().erasure.erasure)).waiting).not.toBeNull();
  },
  async keepAccount() {
    await browser.call(calls().erasure.eraseAccount, { body: await signed('erasure', ERASURE_STATEMENT) });
    const keep = () => browser.call(calls().erasure.keepAccount);
    expect(await refusals(keep(), keep())).toHaveLength(1);
    expect((await browser.call(calls().erasure.erasure)).waiting).toBeNull();
  },
  async addCollection() {
    const add = (symbol: string) => browser.call(calls().collection.addCollection, { body: { symbol } });
    expect(await refusals(add('ETH_USDC'), add('BTC_USDC'))).toEqual([]);
    expect((await browser.call(calls().collection.collections)).toSorted()).toEqual(['BTC_USDC', 'ETH_USDC']);
  },
  async cancelCollection() {
    const { addCollection, cancelCollection, collections } = calls().collection;
    await browser.call(addCollection, { body: { symbol: 'ETH_USDC' } });
    const cancel = browser.call(cancelCollection, { body: { symbol: 'ETH_USDC' } });
    expect(await refusals(browser.call(addCollection, { body: { symbol: 'BTC_USDC' } }), cancel)).toEqual([]);
    expect(await browser.call(collections)).toEqual(['BTC_USDC']);
  },
  async addFuturesCollection() {
    const add = (symbol: string) => browser.call(calls().futuresCollection.addFuturesCollection, { body: { symbol } });
    expect(await refusals(add('BTC_USD'), add('BTC_USDC'))).toEqual([]);
    expect((await browser.call(calls().futuresCollection.futuresCollections)).toSorted()).toEqual(['BTC_USD', 'BTC_USDC']);
  },
  async cancelFuturesCollection() {
    const { addFuturesCollection, cancelFuturesCollection, futuresCollections } = calls().futuresCollection;
    await browser.call(addFuturesCollection, { body: { symbol: 'BTC_USD' } });
    const cancel = browser.call(cancelFuturesCollection, { body: { symbol: 'BTC_USD' } });
    expect(await refusals(browser.call(addFuturesCollection, { body: { symbol: 'BTC_USDC' } }), cancel)).toEqual([]);
    expect(await browser.call(futuresCollections)).toEqual(['BTC_USDC']);
  },
  async addWithdrawAddress() {
    expect(await refusals(addAddress(savings(1), 'cold'), addAddress(savings(2), 'colder'))).toEqual([]);
    expect(await addresses()).toEqual(['cold', 'colder']);
    expect(await refusals(addAddress(savings(3), 'one'), addAddress(savings(3), 'other'))).toEqual(['AlreadyThere address']);
  },
  async removeWithdrawAddress() {
    await addAddress(savings(1), 'cold');
    const remove = browser.call(calls().addressBook.removeWithdrawAddress, { body: { address: savings(1) } });
    expect(await refusals(addAddress(savings(2), 'colder'), remove)).toEqual([]);
    expect(await addresses()).toEqual(['colder']);
  },
  async uploadFile() {
    expect(await refusals(upload(), upload())).toEqual([]);
    expect((await browser.call(calls().file.files)).total).toBe(2);
  },
  async deleteFile() {
    const fileId = await upload();
    const refused = await refusals(handIn([fileId]), browser.call(calls().file.deleteFile, { body: { fileId } }));
    expect(refused).toHaveLength(1);
    const left = (await browser.call(calls().file.files)).total;
    expect((await info()).idNoStatus).toBe(left);
  },
  async identityAuth() {
    const fileId = await upload();
    expect(await refusals(handIn([fileId]), handIn([fileId]))).toEqual(['AlreadyThere identity']);
  },
};

test('every update that is tested here has a row, and each row its test', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...updatesIn('services/accounts/src/lost-updates.test.ts')].toSorted());
});

test.each(Object.entries(CASES))('[A3] %s: of two at once neither undoes the other in silence', async (_, atTheSameMoment) => {
  await atTheSameMoment();
});
