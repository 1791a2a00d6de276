import { apiKeyStatement, type ApiKeyWish } from '@orrery/api';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Browser, openTown, person, refusalOf, type Town } from './testing/town.ts';

let town: Town;
let key = 0xca11;
let alice = person(key);
let browser: Browser;
beforeAll(async () => {
  town = await openTown();
});
afterAll(() => town.close());
beforeEach(() => {
  key += 1;
  alice = person(key);
  browser = new Browser(town);
});

describe('the terms', () => {
  const check = (walletAddress: string, termsCode = 'TERMS') =>
    browser.call(town.accounts.handlers.agreement.checkAgreement, { body: { walletAddress, termsCode } });
  const agree = (body: object) => browser.call(town.accounts.handlers.agreement.agree, { body });

  test('[T2] are accepted by a signature before any login, kept with their hash, and the engine knows', async () => {
    expect(await check(alice.wallet.address)).toBe(false);
    const { message, signature } = await browser.sign(alice, 'terms');
    expect(await agree({ walletAddress: alice.wallet.address, termsCode: 'TERMS', message, signature })).toBe(true);
    expect(await check(alice.wallet.address)).toBe(true);
    expect(town.accounts.directory.find(alice.address)?.flags.termsAccepted).toBe(true);
    const [row] = await town.db.sql.selectFrom('accounts_agreement').selectAll().where('address', '=', alice.address).execute();
    expect(row).toMatchObject({ terms_code: 'TERMS', terms_version: '1', message, signature });
    expect(row?.terms_hash).toMatch(/^[0-9a-f]{64}$/);
  });

  test("[T2] another's signature, another code and a used message are refused", async () => {
    const bob = person(key + 0x20000);
    const signed = await browser.sign(bob, 'terms');
    const body = { walletAddress: alice.wallet.address, termsCode: 'TERMS', message: signed.message, signature: signed.signature };
    expect(await refusalOf(agree({ ...body, termsCode: 'OTHER' }))).toBe('UnknownThing termsCode');
    expect(await refusalOf(agree(body))).toBe('NotYours walletAddress');
    expect(await refusalOf(agree({ ...body, walletAddress: bob.wallet.address }))).toBe('InvalidNonce');
    expect(await check(alice.wallet.address)).toBe(false);
    expect(await check(bob.wallet.address)).toBe(false);
    expect(await check(alice.wallet.address, 'OTHER')).toBe(false);
  });
});

describe('the trading connection', () => {
  test('[L13, A2] is established by its own signature, and reported by the account', async () => {
    await browser.login(alice);
    const { accountInfo, connection } = town.accounts.handlers.auth;
    expect(await browser.call(accountInfo)).toMatchObject({
      address: alice.address,
      connected: false,
      termsAccepted: false,
      whitelisted: false,
    });
    expect(await browser.call(accountInfo)).toMatchObject({
      id: String(browser.principal().account),
      username: null,
      authType: 'WALLET',
      lastAuthTime: town.clock.now,
      roles: [],
      realAuth: false,
      realName: null,
    });
    expect(await browser.call(connection, { body: await browser.sign(alice, 'connection') })).toEqual({ connected: true });
    expect(await browser.call(accountInfo)).toMatchObject({ connected: true, via: 'session' });
  });

  test("[L13] another's signature does not do", async () => {
    await browser.login(alice);
    const bob = person(key + 0x30000);
    const body = await browser.sign(bob, 'connection');
    expect(await refusalOf(browser.call(town.accounts.handlers.auth.connection, { body }))).toBe('NotYours nonce');
    expect(town.accounts.directory.find(alice.address)?.flags.connected).toBe(false);
  });
});

describe('favourites', () => {
  test('[S5] are added, listed in their order, and cancelled; each account has its own', async () => {
    await browser.login(alice);
    const { addCollection, collections, cancelCollection } = town.accounts.handlers.collection;
    await browser.call(addCollection, { body: { symbol: 'ETH_USDC' } });
    await browser.call(addCollection, { body: { symbol: 'BTC_USDC' } });
    expect(await browser.call(addCollection, { body: { symbol: 'ETH_USDC' } })).toEqual(['ETH_USDC', 'BTC_USDC']);
    expect(await refusalOf(browser.call(addCollection, { body: { symbol: 'NO_SUCH' } }))).toBe('UnknownMarket symbol');
    const other = new Browser(town);
    await other.login(person(key + 0x40000));
    expect(await other.call(collections)).toEqual([]);
    expect(await browser.call(cancelCollection, { body: { symbol: 'ETH_USDC' } })).toEqual(['BTC_USDC']);
    expect(await browser.call(collections)).toEqual(['BTC_USDC']);
  });

  test('[F1] of contracts are apart from those of spot, though symbols are the same', async () => {
    await browser.login(alice);
    const { addCollection, collections } = town.accounts.handlers.collection;
    const { addFuturesCollection, futuresCollections, cancelFuturesCollection } = town.accounts.handlers.futuresCollection;
    await browser.call(addCollection, { body: { symbol: 'ETH_USDC' } });
    await browser.call(addFuturesCollection, { body: { symbol: 'BTC_USD' } });
    expect(await browser.call(addFuturesCollection, { body: { symbol: 'BTC_USDC' } })).toEqual(['BTC_USD', 'BTC_USDC']);
    expect(await refusalOf(browser.call(addFuturesCollection, { body: { symbol: 'NO_SUCH' } }))).toBe('UnknownMarket symbol');
    expect(await browser.call(cancelFuturesCollection, { body: { symbol: 'BTC_USD' } })).toEqual(['BTC_USDC']);
    expect([await browser.call(collections), await browser.call(futuresCollections)]).toEqual([['ETH_USDC'], ['BTC_USDC']]);
  });
});

describe('an API key', () => {
  const handlers = () => town.accounts.handlers.apiKey;
  const create = async (wish: ApiKeyWish) => browser.call(handlers().createApiKey, { body: await browser.signKey(alice, wish) });
  beforeEach(() => browser.agree(alice));

  test('is made with READ, shows its secret once, and is found by its access key', async () => {
    const { account } = await browser.login(alice);
    const key = await create({ label: 'bot' });
    expect(key).toMatchObject({ label: 'bot', permission: 'READ', enabled: true, endTime: null, lastUsedTime: null });
    expect(Buffer.from(key.secret, 'base64url')).toHaveLength(32);
    const { list } = await browser.call(handlers().apiKeys);
    expect(JSON.stringify(list)).not.toContain(key.secret);
    expect(town.accounts.authenticator.apiKey(key.accessKey)).toMatchObject({
      secret: key.secret,
      ipList: [],
      principal: { account, via: 'apiKey', permission: 'READ', tier: 'standard', credential: key.accessKey },
    });
    expect((await browser.call(handlers().apiKeys)).list[0]?.lastUsedTime).toBe(town.clock.now);
  });

  test('is made with a fresh signature only, over exactly what it may do: a stolen session alone makes none', async () => {
    await browser.login(alice);
    const call = (body: object) => refusalOf(browser.call(handlers().createApiKey, { body }));
    const body = await browser.signKey(alice, { label: 'bot' });
    expect(await call({ ...body, nonce: '0'.repeat(32) })).toBe('InvalidNonce');
    expect(await call({ ...body, permission: 'TRADE' })).toBe('InvalidMessage statement');
    expect(await call(body)).toBe('InvalidNonce');
    for (const change of [{ label: 'other' }, { ipList: ['10.0.0.1'] }, { legacySigning: true }]) {
      expect(await call({ ...(await browser.signKey(alice, { label: 'bot' })), ...change })).toBe('InvalidMessage statement');
    }
    expect(await call({ ...(await browser.sign(alice, 'login')), label: 'bot' })).toBe('InvalidNonce');
    const bob = person(key + 0x60000);
    expect(await call(await browser.signKey(bob, { label: 'bot' }))).toBe('NotYours nonce');
    expect((await browser.call(handlers().apiKeys)).total).toBe(0);
    const twenty = Array.from({ length: 20 }, (_, n) => `2001:db8:1111:2222:3333:4444:5555:${(0x1000 + n).toString(16)}/128`);
    expect(await call(await browser.signKey(alice, { label: "L'été 🤖 %".padEnd(64, '<'), ipList: twenty }))).toBeUndefined();
  });

  test('is refused to those who have not accepted the terms', async () => {
    const stranger = person(key + 0x70000);
    const other = new Browser(town);
    await other.login(stranger);
    const body = await other.signKey(stranger, { label: 'bot' });
    expect(await refusalOf(other.call(handlers().createApiKey, { body }))).toBe('TermsNotAccepted account');
  });

  test('signs by the second scheme unless it was made for the legacy one', async () => {
    await browser.login(alice);
    const plain = await create({ label: 'bot', permission: 'TRADE' });
    const legacy = await create({ label: 'old bot', permission: 'TRADE', legacySigning: true });
    expect([plain.legacySigning, legacy.legacySigning]).toEqual([false, true]);
    await town.reopen();
    expect(town.accounts.authenticator.apiKey(plain.accessKey)).toMatchObject({ legacySigning: false });
    expect(town.accounts.authenticator.apiKey(legacy.accessKey)).toMatchObject({ legacySigning: true });
  });

  test('ends with all sessions when the person says so, and is kept when not', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot' });
    const { revokeAllSessions } = town.accounts.handlers.session;
    const other = new Browser(town);
    await other.login(alice);
    expect(await browser.call(revokeAllSessions)).toEqual({ sessions: 2, apiKeys: 0 });
    expect(() => other.principal()).toThrow('SessionExpired');
    expect(() => browser.principal()).toThrow('SessionExpired');
    expect(typeof town.accounts.authenticator.apiKey(accessKey)).toBe('object');
    await browser.login(alice);
    expect(await browser.call(revokeAllSessions, { body: { apiKeys: true } })).toEqual({ sessions: 1, apiKeys: 1 });
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
    expect(town.ended).toContain(accessKey);
    await town.reopen();
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
  });

  test('lies sealed in the database and opens again after a restart', async () => {
    await browser.login(alice);
    const key = await create({ label: 'bot', permission: 'TRADE', ipList: ['10.0.0.0/16'] });
    const rows = await town.db.sql.selectFrom('accounts_api_key').selectAll().where('access_key', '=', key.accessKey).execute();
    expect(rows[0]?.sealed_secret.includes(Buffer.from(key.secret))).toBe(false);
    await town.reopen();
    expect(town.accounts.authenticator.apiKey(key.accessKey)).toMatchObject({ secret: key.secret, ipList: ['10.0.0.0/16'] });
  });

  test('that may trade from anywhere lapses after 30 days; one bound to addresses does not', async () => {
    await browser.login(alice);
    const unbound = await create({ label: 'bot', permission: 'TRADE' });
    const bound = await create({ label: 'bot', permission: 'TRADE', ipList: ['127.0.0.1'] });
    expect(unbound.endTime).toBe(town.clock.now + 30 * 86_400_000);
    town.clock.now += 30 * 86_400_000;
    expect(town.accounts.authenticator.apiKey(unbound.accessKey)).toBe('InvalidApiKey');
    expect(typeof town.accounts.authenticator.apiKey(bound.accessKey)).toBe('object');
    await town.accounts.sweep();
    expect(town.ended).toContain(unbound.accessKey);
  });

  test('is returned as the same record until it changes: callers may cache what they derive from it', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot', permission: 'TRADE', ipList: ['127.0.0.1'] });
    const before = town.accounts.authenticator.apiKey(accessKey);
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe(before);
    const wish = { label: 'bot', permission: 'TRADE', ipList: ['10.0.0.1'] } as const;
    const proof = await browser.signKeyChange(alice, wish);
    await browser.call(handlers().updateApiKey, { body: { accessKey, ipList: ['10.0.0.1'], ...proof } });
    expect(town.accounts.authenticator.apiKey(accessKey)).toMatchObject({ ipList: ['10.0.0.1'] });
  });

  test('is switched off and on, and deleted, at once', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot' });
    await browser.call(handlers().setApiKeyStatus, { body: { accessKey, enabled: false } });
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
    expect(town.ended).toContain(accessKey);
    await browser.call(handlers().setApiKeyStatus, { body: { accessKey, enabled: true } });
    expect(typeof town.accounts.authenticator.apiKey(accessKey)).toBe('object');
    await browser.call(handlers().deleteApiKey, { body: { accessKey } });
    expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
    expect((await browser.call(handlers().apiKeys)).total).toBe(0);
  });

  test('of another account is answered like one that does not exist', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot' });
    const stranger = new Browser(town);
    await stranger.login(person(key + 0x50000));
    for (const [handler, body] of [
      [handlers().updateApiKey, { accessKey, label: 'mine' }],
      [handlers().setApiKeyStatus, { accessKey, enabled: false }],
      [handlers().deleteApiKey, { accessKey }],
    ] as const) {
      expect(await refusalOf(Promise.resolve(stranger.call<never>(handler, { body })))).toBe('UnknownThing accessKey');
    }
    expect(typeof town.accounts.authenticator.apiKey(accessKey)).toBe('object');
  });

  test('is one of at most 30, also when many are made at once', async () => {
    await browser.login(alice);
    // Each from a browser of its own: the nonces of one evict one another.
    const makeAnother = async () => {
      const other = new Browser(town);
      other.bearer = browser.bearer;
      return refusalOf(other.call(handlers().createApiKey, { body: await other.signKey(alice, { label: 'bot' }) }));
    };
    const answers = await Promise.all(Array.from({ length: 35 }, makeAnother));
    expect(answers.filter((refusal) => refusal === undefined)).toHaveLength(30);
    expect(answers.filter((refusal) => refusal === 'TooMany API keys')).toHaveLength(5);
  });

  test.each([
    '0.0.0.0/0',
    '0.0.0.0/1',
    '10.0.0.0/15',
    '::/0',
    '2001:db8::/32',
    '::ffff:0.0.0.0/96',
    '300.1.1.1',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    'localhost',
    '10.0.0.0/x',
  ])('takes no address list with %s in it', async (range) => {
    await browser.login(alice);
    expect(await refusalOf(create({ label: 'bot', ipList: [range] }))).toBe('MalformedField ipList');
  });

  test('is used from more addresses with a fresh signature over what it will be only: a stolen session alone widens none', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot', permission: 'TRADE', ipList: ['10.0.0.1', '10.0.0.2'] });
    const change = (body: object) => browser.call(handlers().updateApiKey, { body: { accessKey, ...body } });
    for (const ipList of [[], ['10.0.0.1', '192.0.2.1'], ['10.0.0.0/16']]) {
      expect(await refusalOf(change({ ipList }))).toBe('MissingField nonce');
      const ofAnother = await browser.signKeyChange(alice, { label: 'bot', permission: 'TRADE', ipList: ['10.9.9.9'] });
      expect(await refusalOf(change({ ipList, ...ofAnother }))).toBe('InvalidMessage statement');
    }
    // That a key was made like this does not say that one may be changed to it.
    const made = await browser.signStatement(alice, {
      purpose: 'api-key',
      statement: apiKeyStatement({ label: 'bot', permission: 'TRADE' }),
    });
    expect(await refusalOf(change({ ipList: [], ...made }))).toBe('InvalidMessage statement');
    expect(town.accounts.authenticator.apiKey(accessKey)).toMatchObject({ ipList: ['10.0.0.1', '10.0.0.2'] });
    expect(await change({ label: 'less', ipList: ['10.0.0.2'] })).toMatchObject({ label: 'less', ipList: ['10.0.0.2'] });
    const proof = await browser.signKeyChange(alice, { label: 'less', permission: 'TRADE', ipList: ['10.0.0.1', '10.0.0.2'] });
    expect(await change({ ipList: ['10.0.0.1', '10.0.0.2'], ...proof })).toMatchObject({ ipList: ['10.0.0.1', '10.0.0.2'] });
  });

  const RACES: readonly (readonly [string, object])[] = [
    ['a new label', { label: 'other' }],
    ['the list that it has', { ipList: ['10.0.0.1', '10.0.0.2'] }],
    ['a label and the list that it has', { label: 'other', ipList: ['10.0.0.1', '10.0.0.2'] }],
  ];

  test.each(RACES)('no update brings back what another took away meanwhile: %s', async (_what, change) => {
    await browser.login(alice);
    for (const isFirst of [true, false]) {
      const { accessKey } = await create({ label: 'bot', permission: 'TRADE', ipList: ['10.0.0.1', '10.0.0.2'] });
      const update = (body: object) => browser.call(handlers().updateApiKey, { body: { accessKey, ...body } });
      const narrow = () => update({ ipList: ['10.0.0.2'] });
      const other = () => update(change).catch((error: unknown) => error);
      await Promise.all(isFirst ? [narrow(), other()] : [other(), narrow()]);
      expect(town.accounts.authenticator.apiKey(accessKey)).toMatchObject({ ipList: ['10.0.0.2'] });
      // And so it is after a restart.
      await town.reopen();
      expect(town.accounts.authenticator.apiKey(accessKey)).toMatchObject({ ipList: ['10.0.0.2'] });
    }
  });

  test('a key that is switched off or deleted stays so beside an update that is under way', async () => {
    await browser.login(alice);
    for (const end of ['setApiKeyStatus', 'deleteApiKey'] as const) {
      const { accessKey } = await create({ label: 'bot', permission: 'TRADE' });
      const off = () =>
        end === 'setApiKeyStatus'
          ? browser.call(handlers().setApiKeyStatus, { body: { accessKey, enabled: false } })
          : browser.call(handlers().deleteApiKey, { body: { accessKey } });
      const update = () => browser.call(handlers().updateApiKey, { body: { accessKey, label: 'other' } }).catch(() => undefined);
      await Promise.all([update(), off(), update()]);
      expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
      await town.reopen();
      expect(town.accounts.authenticator.apiKey(accessKey)).toBe('InvalidApiKey');
    }
  });

  test('changes its label and addresses; giving it away to everywhere makes it lapse', async () => {
    await browser.login(alice);
    const { accessKey } = await create({ label: 'bot', permission: 'TRADE', ipList: ['::1', '2001:db8::/64'] });
    const proof = await browser.signKeyChange(alice, { label: 'other', permission: 'TRADE' });
    const changed = await browser.call(handlers().updateApiKey, { body: { accessKey, label: 'other', ipList: [], ...proof } });
    expect(changed).toMatchObject({ label: 'other', ipList: [], endTime: town.clock.now + 30 * 86_400_000 });
  });
});
