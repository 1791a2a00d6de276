/** The program's settings, read once from the environment. Every one has a default that works on a fresh machine. */
import { resolve } from 'node:path';
import { KNOWN_PUSH_SERVICES, type PushServices, type S3Site, s3SiteOf } from '@orrery/accounts';
import type { CurrencyRate } from '@orrery/api';
import { Announcements } from '@orrery/campaign';
import { isLoopback } from '@orrery/foundation';
import type { ReviewRules } from '@orrery/indexer';
import { type Atoms, parseAtoms } from '@orrery/units';
import { parseCurrencyRate } from './currency-rate.ts';
import { type Duties, dutiesOf, isWhole } from './duties.ts';
import { type MessageSettings, readMessageSettings } from './messages/posts.ts';
import { isRateUrl } from './rate-port.ts';
import { assetByCode, PRACTICE_CONTRACTS } from './listing.ts';
import { MIN_BLOCK_INTERVAL_MS } from './embedded/chain/local-chain.ts';
import { type Installation, installationOf } from './installation.ts';
import type { ConfigurationFile } from './configuration-file.ts';
import { type Environment, type GivenSettings, givenSettings } from './read-settings.ts';
import { DAY_SECONDS, type Fields, fieldsOf, OTC_MINUTE_MS, secretsOf, type Settings } from './settings.ts';
import { type Redact, redactor } from './redaction.ts';
import { readSignerSettings, type SignerSettings } from './signer-settings.ts';
import { readAll, StartError } from './start-error.ts';
import { type TraceReceiver, traceReceiver } from './trace-receiver.ts';

/** The settings under their own names, and what is read further from them. */
export type Config = Omit<Fields, keyof Parts> & Parts;

interface Parts {
  readonly dataDirectory: string;
  /** The one database; undefined: an embedded one of this process. */
  readonly databaseUrl: string | undefined;
  /** Of the chain; absent: the embedded one. */
  readonly rpcUrl: string | undefined;
  /** What this process does of all there is to do. */
  readonly duties: Duties;
  /** The origins under which people open the page, for signatures and cookies; port 0 is the port taken; empty: whatever loopback address is served. */
  readonly publicOrigins: readonly string[];
  /** The servers of NATS; absent: the heart is reached in its own process alone. */
  readonly events: string | undefined;
  readonly foreignOrigins: readonly string[];
  readonly apiOrigins: readonly string[];
  /** Blocks above a deposit's before it is credited, its own block counted. */
  readonly confirmations: number;
  readonly blockIntervalMs: number;
  /** The exchange's accounts on the chain of `rpcUrl`; the local chain has generated ones. */
  readonly signers: SignerSettings;
  /** Of a vault that is deployed: between the request of a withdrawal and its payout. */
  readonly disputeSeconds: number;
  /** Where `/metrics` is served; absent: nothing is measured. */
  readonly metrics: { readonly host: string; readonly port: number } | undefined;
  /** Where traces are sent, and how many; absent: nothing is traced. */
  readonly traces: TraceReceiver | undefined;
  /** For showing values in yuan. */
  readonly cnyRate: CurrencyRate;
  readonly cnyRateUrl: string | undefined;
  readonly environment: Settings['ORRERY_ENV'];
  /** Where testers may move prices, settle funding and let the house fill their orders: on practice contracts, or on every one; never in `prod`. */
  readonly sandbox: SandboxScope;
  readonly luckyAt: string;
  readonly consoleOrigin: string | undefined;
  /** The signing page of e-mail wallets: its origin, port 0 for the port taken; or a port of its own on this machine; absent: there are no such wallets. */
  readonly signingPage: { readonly origin: string } | { readonly port: number } | undefined;
  /** From the approval of a change that gives more than there is to its effect. */
  readonly timelockSeconds: number;
  /** Of GeeTest, where its captcha is shown. */
  readonly geetest: { readonly id: string; readonly key: string; readonly script: string; readonly api: string } | undefined;
  /** Where the use of the pages is measured, once a person has accepted cookies. */
  readonly analytics: { readonly host: string; readonly key: string } | undefined;
  /** The bucket of files that people hand in; absent: a folder in the data folder. */
  readonly filesSite: S3Site | undefined;
  /** How e-mails and text messages leave. */
  readonly messages: MessageSettings;
  readonly addressWaitSeconds: number;
  readonly withdrawalHoldSeconds: number;
  readonly erasureWaitSeconds: number;
  readonly otcMinuteMs: number;
  /** Which withdrawals an operator decides on before they are paid. */
  readonly withdrawalReview: ReviewRules;
  /** Where push messages of browsers go, and how a push service reaches the operators. */
  readonly push: { readonly services: PushServices; readonly subject: string };
  /** Takes the secrets that are set out of a text that is written. */
  readonly redact: Redact;
  readonly logLevel: string;
  /** Markets, chains and blocked addresses: of the file that ORRERY_CONFIG names, or the defaults. */
  readonly installation: Installation;
}

/** Long enough for an operator who is asleep to notice; on a developer's machine, long enough to see. */
const TIMELOCK_SECONDS = { test: 60, preview: 86_400, prod: 86_400 } as const;

/** `on`: practice contracts. `everywhere`: those and all others, for tests. */
export type SandboxScope = 'on' | 'off' | 'everywhere';

/** @throws StartError with a sentence for each variable, or place in the configuration file, that can not be used. */
export const readConfig = (env: Environment): Config => readGiven(givenSettings(env));

/** @throws StartError as `readConfig` does. */
export function readGiven(given: GivenSettings): Config {
  try {
    const parts = readAll<Parts>(readersOf(given.settings, given.file));
    if (given.refused.size === 0) return { ...fieldsOf(given.settings), ...parts };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const further = error.reasons.filter((reason) => isReasonOfItsOwn(reason, given)).map((reason) => placed(reason, given));
    throw new StartError([...given.refused.values(), ...further], { cause: error });
  }
  throw new StartError([...given.refused.values()]);
}

/** What follows only from a value that is refused already is corrected with it. */
const isReasonOfItsOwn = (reason: string, { refused }: GivenSettings): boolean =>
  ![...refused.keys()].some((name) => isNamed(name, reason));

/** With the place of each value that is not in the environment, where a person would look for it first. */
function placed(reason: string, { sources }: GivenSettings): string {
  const places = [...sources].filter(([name, source]) => source !== 'environment' && isNamed(name, reason)).map(([, source]) => source);
  return places.length === 0 ? reason : `${reason} (${places.join(', ')})`;
}

const isNamed = (name: string, reason: string): boolean => new RegExp(`\\b${name}\\b`).test(reason);

const readersOf = (settings: Settings, file: ConfigurationFile | undefined): { readonly [Name in keyof Parts]: () => Parts[Name] } => {
  const { ORRERY_RPC_URL: rpcUrl, ORRERY_ENV: environment } = settings;
  return {
    dataDirectory: () => resolve(settings.ORRERY_DATA),
    publicOrigins: () => publicOrigins(settings),
    databaseUrl: () => databaseUrl(settings),
    rpcUrl: () => chainUrl(settings),
    duties: () => dutiesOf(settings.ORRERY_ROLE),
    events: () => eventServers(settings),
    foreignOrigins: () => origins(settings, 'ORRERY_FOREIGN_ORIGINS'),
    apiOrigins: () => origins(settings, 'ORRERY_API_ORIGINS'),
    confirmations: () => settings.ORRERY_CONFIRMATIONS ?? (rpcUrl === undefined ? 1 : 32),
    blockIntervalMs: () => blockInterval(settings),
    signers: () => readSignerSettings(settings),
    disputeSeconds: () => settings.ORRERY_DISPUTE_SECONDS ?? (rpcUrl === undefined && environment === 'test' ? 5 : 120),
    metrics: () =>
      settings.ORRERY_METRICS_PORT === undefined ? undefined : { host: settings.ORRERY_METRICS_HOST, port: settings.ORRERY_METRICS_PORT },
    traces: () => traceReceiver(settings.ORRERY_TRACES, settings.ORRERY_TRACES_PPM),
    cnyRate: () => parseCurrencyRate(settings.ORRERY_CNY_RATE),
    cnyRateUrl: () => rateUrl(settings),
    environment: () => environment,
    sandbox: () => sandbox(settings),
    luckyAt: () => cronPattern(settings),
    consoleOrigin: () => consoleOrigin(settings),
    signingPage: () => signingPage(settings),
    timelockSeconds: () => settings.ORRERY_TIMELOCK_SECONDS ?? TIMELOCK_SECONDS[environment],
    geetest: () => geetestSite(settings),
    analytics: () => analyticsSite(settings),
    filesSite: () => filesSite(settings),
    messages: () => readMessageSettings(settings),
    push: () => ({ services: pushServices(settings), subject: `mailto:${mailAddress(settings.ORRERY_MAIL_FROM)}` }),
    addressWaitSeconds: () => waitOfOwner(settings, 'ORRERY_ADDRESS_WAIT_SECONDS'),
    otcMinuteMs: () => otcMinute(settings),
    withdrawalHoldSeconds: () => waitOfOwner(settings, 'ORRERY_WITHDRAWAL_HOLD_SECONDS'),
    erasureWaitSeconds: () => waitOfOwner(settings, 'ORRERY_ERASURE_WAIT_SECONDS'),
    withdrawalReview: () => ({
      above: reviewLimit(settings),
      // Where one tries it out, nobody may sit at the console.
      firstEver: (settings.ORRERY_WITHDRAWAL_REVIEW_FIRST ?? (environment === 'test' ? 'off' : 'on')) === 'on',
    }),
    logLevel: () => settings.ORRERY_LOG,
    redact: () => redactor(secretsOf(settings)),
    installation: () => withPractice(installationOf(file?.installation ?? {}, file?.path ?? ''), settings),
  };
};

function eventServers({ ORRERY_EVENTS: servers, ORRERY_ROLE: role }: Settings): string | undefined {
  if (servers !== undefined && servers !== 'memory') return servers;
  if (role !== 'all') throw new StartError(`ORRERY_EVENTS must name the NATS servers where ORRERY_ROLE is ${role}`);
  return undefined;
}

function databaseUrl({ ORRERY_DATABASE_URL: url, ORRERY_ROLE: role }: Settings): string | undefined {
  if (url === undefined && !isWhole(role))
    throw new StartError(`ORRERY_DATABASE_URL must name the PostgreSQL of all processes where ORRERY_ROLE is ${role}`);
  return url;
}

/** Each process would make a chain of its own. */
function chainUrl({ ORRERY_RPC_URL: url, ORRERY_DATABASE_URL: database, ORRERY_ROLE: role }: Settings): string | undefined {
  const duties = dutiesOf(role);
  const needsChain = duties.has('gateway') || duties.has('worker') || duties.has('market-maker');
  if (url === undefined && role !== 'all' && needsChain && database !== undefined)
    throw new StartError(`ORRERY_RPC_URL must name the chain of all processes where ORRERY_ROLE is ${role}`);
  return url;
}

function origins(settings: Settings, name: 'ORRERY_PUBLIC_ORIGINS' | 'ORRERY_FOREIGN_ORIGINS' | 'ORRERY_API_ORIGINS'): readonly string[] {
  const wrong = settings[name].find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    throw new StartError(`${name} must list origins such as https://app.example.org, separated by commas, not "${wrong}"`);
  return settings[name];
}

/** Without a list, the host that a caller names would be believed: that is right only where nobody else can be the caller. */
function publicOrigins(settings: Settings): readonly string[] {
  const { ORRERY_HOST: host, ORRERY_PROXY_HOPS: proxyHops } = settings;
  const listed = origins(settings, 'ORRERY_PUBLIC_ORIGINS');
  if (listed.length > 0 || (isLoopback(host) && proxyHops === 0)) return listed;
  const why = isLoopback(host) ? `ORRERY_PROXY_HOPS is ${proxyHops}` : `ORRERY_HOST is ${host}`;
  throw new StartError(
    `ORRERY_PUBLIC_ORIGINS must list the origins under which people open the page, such as https://app.example.org, because ${why}`,
  );
}

const isOrigin = (text: string): boolean => /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Practice contracts are there by default on the local chain of a test environment. Power over every contract is for this machine alone. */
function sandbox({ ORRERY_SANDBOX: wanted, ORRERY_ENV: environment, ORRERY_RPC_URL: rpcUrl, ORRERY_HOST: host }: Settings): SandboxScope {
  const scope = wanted ?? (environment === 'test' && rpcUrl === undefined ? 'on' : 'off');
  if (scope !== 'off' && environment === 'prod') throw new StartError('ORRERY_SANDBOX must be off where ORRERY_ENV is prod');
  if (scope === 'everywhere' && !isLoopback(host))
    throw new StartError(`ORRERY_SANDBOX is everywhere on a loopback address only: anybody who reaches ${host} could move every price`);
  return scope;
}

function withPractice(installation: Installation, settings: Settings): Installation {
  if (sandbox(settings) === 'off') return installation;
  return { ...installation, listing: { ...installation.listing, practice: PRACTICE_CONTRACTS } };
}

/** Lucky blocks are counted on blocks that come two seconds apart: shorter is for trying it out. */
function blockInterval({ ORRERY_ENV: environment, ORRERY_BLOCK_INTERVAL_MS: interval }: Settings): number {
  if (environment !== 'test' && interval < MIN_BLOCK_INTERVAL_MS)
    throw new StartError(`ORRERY_BLOCK_INTERVAL_MS must be a whole number from ${MIN_BLOCK_INTERVAL_MS} to 15000, not "${interval}"`);
  return interval;
}

function geetestSite(settings: Settings): Config['geetest'] {
  const { ORRERY_GEETEST_ID: id, ORRERY_GEETEST_KEY: key, ORRERY_GEETEST_SCRIPT: script, ORRERY_GEETEST_API: api } = settings;
  if (id === undefined && key === undefined) return undefined;
  if (id === undefined || key === undefined)
    throw new StartError('ORRERY_GEETEST_ID and ORRERY_GEETEST_KEY are given together or not at all');
  if (!URL.canParse(script) || !isSafeOrigin(new URL(script).origin))
    throw new StartError(`ORRERY_GEETEST_SCRIPT must be an https address, or one of this machine, not "${script}"`);
  if (!isSafeOrigin(api)) throw new StartError(`ORRERY_GEETEST_API must be an https origin, or one of this machine, not "${api}"`);
  return { id, key, script, api };
}

/** What nobody between reads or changes. */
const isSafeOrigin = (origin: string): boolean =>
  isOrigin(origin) && (new URL(origin).protocol === 'https:' || isLoopback(new URL(origin).hostname));

function analyticsSite({ ORRERY_ANALYTICS_HOST: host, ORRERY_ANALYTICS_KEY: key }: Settings): Config['analytics'] {
  if (host === undefined && key === undefined) return undefined;
  if (host === undefined || key === undefined)
    throw new StartError('ORRERY_ANALYTICS_HOST and ORRERY_ANALYTICS_KEY are given together or not at all');
  if (!isSafeOrigin(host)) throw new StartError(`ORRERY_ANALYTICS_HOST must be an https origin, or one of this machine, not "${host}"`);
  return { host, key };
}

/** The server calls these hosts because a browser says so: an address of this machine is for trying it out. */
function pushServices({ ORRERY_PUSH_SERVICES: listed, ORRERY_ENV: environment }: Settings): PushServices {
  if (listed.length === 0) return KNOWN_PUSH_SERVICES;
  if (listed.join() === 'none') return [];
  const wrong = listed.find(
    (service) => !/^https:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(service) && !(environment === 'test' && isSafeOrigin(service)),
  );
  if (wrong !== undefined)
    throw new StartError(
      `ORRERY_PUSH_SERVICES must list origins such as https://*.push.example, separated by commas, or be none, not "${wrong}"`,
    );
  return listed;
}

/** Of a sender with a name or without. */
const mailAddress = (from: string): string => /<([^<>]+)>/.exec(from)?.[1] ?? from;

function filesSite({ ORRERY_FILES_URL: text }: Settings): S3Site | undefined {
  try {
    return text === undefined ? undefined : s3SiteOf(text);
  } catch (cause) {
    throw new StartError(`ORRERY_FILES_URL can not be used: ${cause instanceof Error ? cause.message : 'it is not a URL'}`, { cause });
  }
}

/** A thief who added an address, changed a factor or deletes the account waits while the owner notices: shorter is for trying it out. */
function waitOfOwner(
  settings: Settings,
  name: 'ORRERY_ADDRESS_WAIT_SECONDS' | 'ORRERY_WITHDRAWAL_HOLD_SECONDS' | 'ORRERY_ERASURE_WAIT_SECONDS',
): number {
  const { ORRERY_ENV: environment, [name]: seconds } = settings;
  if (environment !== 'test' && seconds < DAY_SECONDS)
    throw new StartError(`${name} must be at least ${DAY_SECONDS} with ORRERY_ENV=${environment}, not "${seconds}"`);
  return seconds;
}

/** Buyers pay within minutes: shorter ones are for trying it out. */
function otcMinute({ ORRERY_ENV: environment, ORRERY_OTC_MINUTE_MS: ms }: Settings): number {
  if (environment !== 'test' && ms !== OTC_MINUTE_MS)
    throw new StartError(`ORRERY_OTC_MINUTE_MS must be ${OTC_MINUTE_MS} with ORRERY_ENV=${environment}, not "${ms}"`);
  return ms;
}

/** In atoms of USDC. */
function reviewLimit({ ORRERY_WITHDRAWAL_REVIEW_ABOVE: text }: Settings): Atoms | undefined {
  if (text === 'off') return undefined;
  const amount = parseAtoms(text, assetByCode('USDC').decimals);
  if (amount !== undefined) return amount;
  throw new StartError(`ORRERY_WITHDRAWAL_REVIEW_ABOVE must be an amount of USDC such as 10000, or off, not "${text}"`);
}

/** What is read from it is shown to everybody: nobody on the way may change it. */
function rateUrl({ ORRERY_CNY_RATE_URL: url }: Settings): string | undefined {
  if (url === undefined || isRateUrl(url)) return url;
  throw new StartError(`ORRERY_CNY_RATE_URL must be an https address, or one of this machine, not "${url}"`);
}

function cronPattern({ ORRERY_LUCKY_AT: pattern }: Settings): string {
  try {
    return new Announcements(pattern).pattern;
  } catch (cause) {
    throw new StartError(`ORRERY_LUCKY_AT must be a cron pattern that comes true some day, not "${pattern}"`, { cause });
  }
}

/** Passkeys are for names of hosts, never for numbers. */
function consoleOrigin({ ORRERY_CONSOLE_ORIGIN: origin }: Settings): string | undefined {
  if (origin === undefined) return undefined;
  const url = URL.parse(origin);
  const isOwn = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '');
  if (isOwn && !/^[0-9.]+$|^\[/.test(url.hostname)) return url.origin;
  throw new StartError(
    `ORRERY_CONSOLE_ORIGIN must be an origin with a host's name, such as https://console.orrery.example, not "${origin}"`,
  );
}

/** From the port of the page to that of the signing page on this machine. */
const SIGNER_PORT_STEP = 10_000;
const PORT_MAX = 65_535;

/** Shares of keys are kept in the storage of this origin: no other page may be served there. */
function signingPage(settings: Settings): Config['signingPage'] {
  const { ORRERY_SIGNER_ORIGIN: origin, ORRERY_CONSOLE_ORIGIN: console, ORRERY_HOST: host, ORRERY_PORT: port } = settings;
  const pages = [...publicOrigins(settings), ...(console === undefined ? [] : [console])];
  if (origin === undefined) {
    const isLocal = isLoopback(host) && pages.every((page) => isLoopback(URL.parse(page)?.hostname ?? ''));
    return isLocal ? { port: besides(port) } : undefined;
  }
  if (isOrigin(origin) && !pages.includes(origin)) return { origin };
  throw new StartError(
    `ORRERY_SIGNER_ORIGIN must be an origin at which no other page is served, such as https://signer.orrery.example, not "${origin}"`,
  );
}

/** The same at each start, because browsers keep what they keep for a port. */
function besides(port: number): number {
  if (port === 0) return 0;
  return port + SIGNER_PORT_STEP <= PORT_MAX ? port + SIGNER_PORT_STEP : port - SIGNER_PORT_STEP;
}
