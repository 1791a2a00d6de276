import { expect, test } from 'vitest';
import { readConfig } from './config.ts';

test.each([
  ['https://console.orrery.example', 'https://console.orrery.example'],
  ['http://console.localhost:8080/', 'http://console.localhost:8080'],
  ['', undefined],
])('[A10] the console at "%s"', (origin, read) => {
  expect(readConfig({ ORRERY_CONSOLE_ORIGIN: origin }).consoleOrigin).toBe(read);
});

test.each(['console.orrery.example', 'https://127.0.0.1:8080', 'http://[::1]', 'https://a.example/console', 'ftp://a.example', 'nonsense'])(
  '[A10] the console can not be at "%s", in a sentence that names the variable',
  (origin) => {
    expect(() => readConfig({ ORRERY_CONSOLE_ORIGIN: origin })).toThrow(/^ORRERY_CONSOLE_ORIGIN must be an origin with a host's name/);
  },
);

test('the bucket of files is read; what is missing is named, and the secret is not shown', () => {
  expect(readConfig({}).filesSite).toBeUndefined();
  expect(readConfig({ ORRERY_FILES_URL: 'https://key:hidden@store.example/bucket' }).filesSite?.bucket.href).toBe(
    'https://store.example/bucket/',
  );
  const refused = () => readConfig({ ORRERY_FILES_URL: 'https://key:hidden@store.example/' });
  expect(refused).toThrow('ORRERY_FILES_URL can not be used: its bucket is missing');
  expect(refused).not.toThrow('hidden');
});

test('testers act on practice contracts where one tries it out, on every contract of a loopback address alone, and never in prod', () => {
  const sandbox = (env: Record<string, string>): string => readConfig(env).sandbox;
  expect([sandbox({}), sandbox({ ORRERY_SANDBOX: 'off' }), sandbox({ ORRERY_ENV: 'preview' }), sandbox({ ORRERY_ENV: 'prod' })]).toEqual([
    'on',
    'off',
    'off',
    'off',
  ]);
  expect(sandbox({ ORRERY_ENV: 'preview', ORRERY_SANDBOX: 'on' })).toBe('on');
  for (const scope of ['on', 'everywhere'])
    expect(() => sandbox({ ORRERY_ENV: 'prod', ORRERY_SANDBOX: scope })).toThrow('ORRERY_SANDBOX must be off where ORRERY_ENV is prod');
  expect(sandbox({ ORRERY_SANDBOX: 'everywhere' })).toBe('everywhere');
  const open = { ORRERY_SANDBOX: 'everywhere', ORRERY_HOST: '0.0.0.0', ORRERY_PUBLIC_ORIGINS: 'https://app.example.org' };
  expect(() => sandbox(open)).toThrow('ORRERY_SANDBOX is everywhere on a loopback address only: anybody who reaches 0.0.0.0');
  expect(sandbox({ ...open, ORRERY_SANDBOX: 'on' })).toBe('on');
});

test('practice contracts are listed where there is a sandbox', () => {
  const listed = (scope: string): readonly string[] =>
    readConfig({ ORRERY_SANDBOX: scope }).installation.listing.practice.map(({ symbol }) => symbol);
  expect(listed('on')).toEqual(['BTC_PRACTICE', 'ETH_PRACTICE']);
  expect(listed('everywhere')).toEqual(['BTC_PRACTICE', 'ETH_PRACTICE']);
  expect(listed('off')).toEqual([]);
});

test('[A10] the timelock is a minute on the own machine, a day elsewhere, and what is given', () => {
  const seconds = (env: Record<string, string>): number => readConfig(env).timelockSeconds;
  expect(seconds({})).toBe(60);
  expect(seconds({ ORRERY_ENV: 'preview' })).toBe(86_400);
  expect(seconds({ ORRERY_ENV: 'prod' })).toBe(86_400);
  expect(seconds({ ORRERY_ENV: 'prod', ORRERY_TIMELOCK_SECONDS: '3600' })).toBe(3_600);
  expect(() => seconds({ ORRERY_TIMELOCK_SECONDS: '-1' })).toThrow('ORRERY_TIMELOCK_SECONDS must be a whole number');
});

test.each([
  ['a new address of an address book waits', 'ORRERY_ADDRESS_WAIT_SECONDS', 'addressWaitSeconds'],
  ['withdrawals are held after a change of the security', 'ORRERY_WITHDRAWAL_HOLD_SECONDS', 'withdrawalHoldSeconds'],
] as const)('[A8] %s for a day, shorter only for trying it out', (_what, name, part) => {
  const seconds = (env: Record<string, string>): number => readConfig(env)[part];
  expect(seconds({})).toBe(86_400);
  expect(seconds({ [name]: '2' })).toBe(2);
  expect(seconds({ ORRERY_ENV: 'prod', [name]: '172800' })).toBe(172_800);
  for (const environment of ['preview', 'prod'])
    expect(() => seconds({ ORRERY_ENV: environment, [name]: '86399' })).toThrow(
      `${name} must be at least 86400 with ORRERY_ENV=${environment}, not "86399"`,
    );
});

test('K1: an account is deleted a week after it was asked for; shorter than a day only for trying it out', () => {
  const seconds = (env: Record<string, string>): number => readConfig(env).erasureWaitSeconds;
  expect(seconds({})).toBe(604_800);
  expect(seconds({ ORRERY_ERASURE_WAIT_SECONDS: '1' })).toBe(1);
  expect(seconds({ ORRERY_ENV: 'prod', ORRERY_ERASURE_WAIT_SECONDS: '86400' })).toBe(86_400);
  expect(() => seconds({ ORRERY_ENV: 'prod', ORRERY_ERASURE_WAIT_SECONDS: '86399' })).toThrow(
    'ORRERY_ERASURE_WAIT_SECONDS must be at least 86400',
  );
});

test('[A8] withdrawals above 10,000 USDC are reviewed, and first ones where others than testers trade', () => {
  expect(readConfig({}).withdrawalReview).toEqual({ above: 10_000_000_000n, firstEver: false });
  expect(readConfig({ ORRERY_ENV: 'prod' }).withdrawalReview.firstEver).toBe(true);
  const set = { ORRERY_WITHDRAWAL_REVIEW_ABOVE: '0.5', ORRERY_WITHDRAWAL_REVIEW_FIRST: 'on' };
  expect(readConfig(set).withdrawalReview).toEqual({ above: 500_000n, firstEver: true });
  expect(readConfig({ ORRERY_WITHDRAWAL_REVIEW_ABOVE: 'off' }).withdrawalReview.above).toBeUndefined();
  expect(() => readConfig({ ORRERY_WITHDRAWAL_REVIEW_ABOVE: 'a lot' })).toThrow(
    /^ORRERY_WITHDRAWAL_REVIEW_ABOVE must be an amount of USDC/,
  );
});

test.each(['ORRERY_PUBLIC_ORIGINS', 'ORRERY_FOREIGN_ORIGINS', 'ORRERY_API_ORIGINS'])('[C7] %s lists origins, and nothing else', (name) => {
  const listed = (value: string) => {
    const { publicOrigins, foreignOrigins, apiOrigins } = readConfig({ [name]: value });
    return { ORRERY_PUBLIC_ORIGINS: publicOrigins, ORRERY_FOREIGN_ORIGINS: foreignOrigins, ORRERY_API_ORIGINS: apiOrigins }[name];
  };
  expect(listed('')).toEqual([]);
  expect(listed('https://a.example, http://localhost:8080,')).toEqual(['https://a.example', 'http://localhost:8080']);
  for (const wrong of [
    '*',
    'null',
    'a.example',
    'https://a.example/',
    'https://a.example/path',
    'https://A.example',
    'ftp://a.example',
    'https://*.example',
  ])
    expect(() => listed(`https://b.example,${wrong}`)).toThrow(
      `${name} must list origins such as https://app.example.org, separated by commas, not "${wrong}"`,
    );
});

test('blocks come two seconds apart, and shorter is for the test environment only', () => {
  const interval = (env: Record<string, string>): number => readConfig(env).blockIntervalMs;
  expect(interval({})).toBe(2_000);
  expect(interval({ ORRERY_BLOCK_INTERVAL_MS: '25' })).toBe(25);
  expect(interval({ ORRERY_ENV: 'prod', ORRERY_BLOCK_INTERVAL_MS: '5000' })).toBe(5_000);
  expect(() => interval({ ORRERY_ENV: 'prod', ORRERY_BLOCK_INTERVAL_MS: '1999' })).toThrow(
    'ORRERY_BLOCK_INTERVAL_MS must be a whole number from 2000 to 15000',
  );
});

test.each([
  [{ ORRERY_HOST: '0.0.0.0' }, 'ORRERY_HOST is 0.0.0.0'],
  [{ ORRERY_HOST: '192.168.1.5' }, 'ORRERY_HOST is 192.168.1.5'],
  [{ ORRERY_HOST: '::' }, 'ORRERY_HOST is ::'],
  [{ ORRERY_PROXY_HOPS: '1' }, 'ORRERY_PROXY_HOPS is 1'],
])('where others can reach it (%o), it does not start without ORRERY_PUBLIC_ORIGINS', (env, why) => {
  expect(() => readConfig(env)).toThrow(/^ORRERY_PUBLIC_ORIGINS must list the origins under which people open the page/);
  expect(() => readConfig(env)).toThrow(why);
  expect(readConfig({ ...env, ORRERY_PUBLIC_ORIGINS: 'https://a.example' }).publicOrigins).toEqual(['https://a.example']);
});

test.each(['127.0.0.1', '127.1.2.3', '::1', 'localhost'])('on %s alone it needs no ORRERY_PUBLIC_ORIGINS', (host) => {
  expect(readConfig({ ORRERY_HOST: host }).publicOrigins).toEqual([]);
});

test('an origin with port 0 stands for the port that is taken', () => {
  expect(readConfig({ ORRERY_PUBLIC_ORIGINS: 'http://localhost:0' }).publicOrigins).toEqual(['http://localhost:0']);
});

test('[C8] the service that measures the use of the pages has an https origin and a key, or there is none', () => {
  const site = (host: string, key: string) => () => readConfig({ ORRERY_ANALYTICS_HOST: host, ORRERY_ANALYTICS_KEY: key }).analytics;
  expect(site('', '')()).toBeUndefined();
  expect(site('https://usage.example', 'phc_1')()).toEqual({ host: 'https://usage.example', key: 'phc_1' });
  expect(site('http://127.0.0.1:9000', 'phc_1')()?.host).toBe('http://127.0.0.1:9000');
  expect(site('https://usage.example', '')).toThrow('ORRERY_ANALYTICS_HOST and ORRERY_ANALYTICS_KEY are given together or not at all');
  for (const host of ['http://usage.example', 'https://usage.example/path', 'https://*.example', 'usage.example'])
    expect(site(host, 'phc_1')).toThrow(`ORRERY_ANALYTICS_HOST must be an https origin, or one of this machine, not "${host}"`);
  expect(site('https://usage.example', 'a key')).toThrow('ORRERY_ANALYTICS_KEY must be 1 to 128 letters, digits, _ or -');
});

test('messages of browsers go to listed push services, to this machine in a test environment only', () => {
  const push = (services: string, environment = 'test') => readConfig({ ORRERY_PUSH_SERVICES: services, ORRERY_ENV: environment }).push;
  expect(push('').services).toContain('https://fcm.googleapis.com');
  expect(push('none').services).toEqual([]);
  expect(push('https://*.push.example, http://127.0.0.1:9000').services).toEqual(['https://*.push.example', 'http://127.0.0.1:9000']);
  for (const wrong of ['http://push.example', 'https://*', 'https://push.example/path', 'push.example', 'https://push.example:8443'])
    expect(() => push(wrong, 'preview')).toThrow('ORRERY_PUSH_SERVICES must list origins');
  expect(() => push('http://127.0.0.1:9000', 'preview')).toThrow('ORRERY_PUSH_SERVICES must list origins');
  const { subject } = readConfig({ ORRERY_MAIL_FROM: 'Orrery <help@orrery.example>' }).push;
  expect(subject).toBe('mailto:help@orrery.example');
});

test('processes on one database name one chain, as each would have an embedded chain of its own; what stands alone needs none', () => {
  const read = (role: string, more: Readonly<Record<string, string>>) =>
    readConfig({ ORRERY_ROLE: role, ORRERY_EVENTS: 'nats://127.0.0.1:4222', ...more });
  const shared = { ORRERY_DATABASE_URL: 'postgres://127.0.0.1/orrery' };
  for (const role of ['gateway', 'worker', 'market-maker', 'gateway,worker,projector'])
    expect(() => read(role, shared)).toThrow(`ORRERY_RPC_URL must name the chain of all processes where ORRERY_ROLE is ${role}`);
  for (const role of ['all', 'heart', 'projector']) expect(read(role, shared).rpcUrl).toBeUndefined();
  expect(read('gateway,worker,projector', {}).rpcUrl).toBeUndefined();
});
