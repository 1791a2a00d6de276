/** The program's settings, read once from the environment. Every one has a default that works on a fresh machine. */
import { resolve } from 'node:path';
import { Announcements, DAILY_NOON_CRON } from '@orrery/campaign';
import { isLoopback } from '@orrery/foundation';
import { MIN_BLOCK_INTERVAL_MS } from './embedded/chain/local-chain.ts';
import { readSignerSettings, type SignerSettings } from './signer-settings.ts';
import { StartError } from './start-error.ts';

export type WhitelistMode = 'open' | 'weekly';

export interface Config {
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  /** The origins under which people open the page, for signatures and cookies; port 0 is the port taken; empty: whatever loopback address is served. */
  readonly publicOrigins: readonly string[];
  /** Origins of pages elsewhere that may call this exchange as its own do. */
  readonly foreignOrigins: readonly string[];
  /** Origins elsewhere that the pages served here may call: those of a terminal built for other hosts. */
  readonly apiOrigins: readonly string[];
  /** PostgreSQL by URL; absent: the embedded one. */
  readonly databaseUrl: string | undefined;
  /** A chain by RPC URL; absent: the embedded local chain. */
  readonly rpcUrl: string | undefined;
  /** Blocks above a deposit's before it is credited, its own block counted. */
  readonly confirmations: number;
  /** From one block of the embedded chain to the next, at least. */
  readonly blockIntervalMs: number;
  /** The exchange's accounts on the chain of `rpcUrl`; the local chain has generated ones. */
  readonly signers: SignerSettings;
  /** Of a vault that is deployed: between the request of a withdrawal and its payout. */
  readonly disputeSeconds: number;
  readonly whitelistMode: WhitelistMode;
  /** People admitted each Monday 12:00 UTC when the whitelist is weekly. */
  readonly whitelistWeekly: number;
  /** With less of its volume free, only cancels are taken. */
  readonly minFreeDiskPercent: number;
  readonly groupLink: string;
  readonly bugLink: string | undefined;
  readonly environment: 'test' | 'preview' | 'prod';
  /** Proxies in front whose X-Forwarded-For is believed. */
  readonly proxyHops: number;
  readonly walletConnectProjectId: string | undefined;
  readonly marketMaker: 'on' | 'off';
  /** Faucet claims the budget pays for in one UTC day. */
  readonly faucetClaimsPerDay: number;
  /** Points to which the reward budget is filled up each UTC day. */
  readonly rewardPointsPerDay: number;
  /** When winners of lucky blocks are announced: a cron pattern, in UTC. */
  readonly luckyAt: string;
  /** Days between the end of a leaderboard campaign and its payout. */
  readonly leaderboardReviewDays: number;
  /** JSON of live price feeds; absent: the recorded month. */
  readonly priceFeeds: string | undefined;
  /** A halt of deposits and withdrawals that a person has investigated, identified by the sentence that reports it. */
  readonly clearHalt: string | undefined;
  /** The one-time code for the first operator of the console; absent: generated and printed at the start. */
  readonly consoleCode: string | undefined;
  /** The origin of a host on which the console is alone; absent: it is where everything is. */
  readonly consoleOrigin: string | undefined;
  /** From the approval of a change that gives more than there is to its effect. */
  readonly timelockSeconds: number;
  readonly logLevel: string;
}

/** Long enough for an operator who is asleep to notice; on a developer's machine, long enough to see. */
const TIMELOCK_SECONDS = { test: 60, preview: 86_400, prod: 86_400 } as const;
const TIMELOCK_SECONDS_MAX = 30 * 86_400;
/** 0 pays without a request. Much less than a signed withdrawal is payable. */
const DISPUTE_SECONDS = { min: 0, max: 900 } as const;

type Environment = Readonly<Record<string, string | undefined>>;

function wholeNumber(env: Environment, name: string, fallback: number, range: { min: number; max: number }): number {
  const text = env[name];
  if (text === undefined || text === '') return fallback;
  const value = /^[0-9]{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= range.max) return value;
  throw new StartError(`${name} must be a whole number from ${range.min} to ${range.max}, not "${text}"`);
}

function oneOf<Choice extends string>(env: Environment, name: string, choices: readonly [Choice, ...Choice[]]): Choice {
  const text = env[name];
  if (text === undefined || text === '') return choices[0];
  const choice = choices.find((candidate) => candidate === text);
  if (choice !== undefined) return choice;
  throw new StartError(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
}

function text(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value === '' ? undefined : value;
}

function origins(env: Environment, name: string): readonly string[] {
  const listed = (text(env, name) ?? '')
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '');
  const wrong = listed.find((origin) => !isOrigin(origin));
  if (wrong !== undefined)
    throw new StartError(`${name} must list origins such as https://app.example.org, separated by commas, not "${wrong}"`);
  return listed;
}

/** Without a list, the host that a caller names would be believed: that is right only where nobody else can be the caller. */
function publicOrigins(env: Environment, { host, proxyHops }: { host: string; proxyHops: number }): readonly string[] {
  const listed = origins(env, 'ORRERY_PUBLIC_ORIGINS');
  if (listed.length > 0 || (isLoopback(host) && proxyHops === 0)) return listed;
  const why = isLoopback(host) ? `ORRERY_PROXY_HOPS is ${proxyHops}` : `ORRERY_HOST is ${host}`;
  throw new StartError(
    `ORRERY_PUBLIC_ORIGINS must list the origins under which people open the page, such as https://app.example.org, because ${why}`,
  );
}

const isOrigin = (text: string): boolean => /^https?:\/\/[^*]+$/.test(text) && URL.canParse(text) && new URL(text).origin === text;

function cronPattern(env: Environment, name: string, fallback: string): string {
  const pattern = text(env, name) ?? fallback;
  try {
    return new Announcements(pattern).pattern;
  } catch (cause) {
    throw new StartError(`${name} must be a cron pattern that comes true some day, not "${pattern}"`, { cause });
  }
}

function consoleCode(env: Environment): string | undefined {
  const code = text(env, 'ORRERY_CONSOLE_CODE');
  if (code !== undefined && !/^[0-9A-Za-z_-]{12,64}$/.test(code))
    throw new StartError('ORRERY_CONSOLE_CODE must be 12 to 64 letters, digits, _ or -');
  return code;
}

/** Passkeys are for names of hosts, never for numbers. */
function consoleOrigin(env: Environment): string | undefined {
  const origin = text(env, 'ORRERY_CONSOLE_ORIGIN');
  if (origin === undefined) return undefined;
  const url = URL.parse(origin);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === origin.replace(/\/$/, '');
  if (isOrigin && !/^[0-9.]+$|^\[/.test(url.hostname)) return url.origin;
  throw new StartError(
    `ORRERY_CONSOLE_ORIGIN must be an origin with a host's name, such as https://console.orrery.example, not "${origin}"`,
  );
}

/** Lucky blocks are counted on blocks that come two seconds apart: shorter is for trying it out. */
function blockInterval(env: Environment, environment: Config['environment']): number {
  const least = environment === 'test' ? 0 : MIN_BLOCK_INTERVAL_MS;
  return wholeNumber(env, 'ORRERY_BLOCK_INTERVAL_MS', MIN_BLOCK_INTERVAL_MS, { min: least, max: 15_000 });
}

/** @throws StartError naming the variable that can not be used. */
export function readConfig(env: Environment): Config {
  const rpcUrl = text(env, 'ORRERY_RPC_URL');
  const host = text(env, 'ORRERY_HOST') ?? '127.0.0.1';
  const proxyHops = wholeNumber(env, 'ORRERY_PROXY_HOPS', 0, { min: 0, max: 10 });
  const environment = oneOf(env, 'ORRERY_ENV', ['test', 'preview', 'prod']);
  return {
    port: wholeNumber(env, 'ORRERY_PORT', 8080, { min: 0, max: 65_535 }),
    host,
    dataDirectory: resolve(text(env, 'ORRERY_DATA') ?? './data'),
    publicOrigins: publicOrigins(env, { host, proxyHops }),
    foreignOrigins: origins(env, 'ORRERY_FOREIGN_ORIGINS'),
    apiOrigins: origins(env, 'ORRERY_API_ORIGINS'),
    databaseUrl: text(env, 'ORRERY_DATABASE_URL'),
    rpcUrl,
    confirmations: wholeNumber(env, 'ORRERY_CONFIRMATIONS', rpcUrl === undefined ? 1 : 32, { min: 1, max: 1_000 }),
    blockIntervalMs: blockInterval(env, environment),
    signers: readSignerSettings(env),
    disputeSeconds: wholeNumber(env, 'ORRERY_DISPUTE_SECONDS', rpcUrl === undefined && environment === 'test' ? 5 : 120, DISPUTE_SECONDS),
    whitelistMode: oneOf(env, 'ORRERY_WHITELIST', ['open', 'weekly']),
    whitelistWeekly: wholeNumber(env, 'ORRERY_WHITELIST_WEEKLY', 100, { min: 0, max: 1_000_000 }),
    minFreeDiskPercent: wholeNumber(env, 'ORRERY_MIN_FREE_DISK_PERCENT', 10, { min: 0, max: 90 }),
    groupLink: text(env, 'ORRERY_GROUP_LINK') ?? 'https://t.me/orrery_testnet',
    bugLink: text(env, 'ORRERY_BUG_LINK'),
    environment,
    proxyHops,
    walletConnectProjectId: text(env, 'ORRERY_WALLETCONNECT_PROJECT_ID'),
    marketMaker: oneOf(env, 'ORRERY_MARKET_MAKER', ['on', 'off']),
    faucetClaimsPerDay: wholeNumber(env, 'ORRERY_FAUCET_CLAIMS_PER_DAY', 500, { min: 0, max: 1_000_000 }),
    rewardPointsPerDay: wholeNumber(env, 'ORRERY_REWARD_POINTS_PER_DAY', 5_000_000, { min: 0, max: 900_000_000 }),
    luckyAt: cronPattern(env, 'ORRERY_LUCKY_AT', DAILY_NOON_CRON),
    leaderboardReviewDays: wholeNumber(env, 'ORRERY_LEADERBOARD_REVIEW_DAYS', 7, { min: 0, max: 90 }),
    priceFeeds: text(env, 'ORRERY_PRICE_FEEDS'),
    clearHalt: text(env, 'ORRERY_CLEAR_HALT'),
    consoleCode: consoleCode(env),
    consoleOrigin: consoleOrigin(env),
    timelockSeconds: wholeNumber(env, 'ORRERY_TIMELOCK_SECONDS', TIMELOCK_SECONDS[environment], { min: 0, max: TIMELOCK_SECONDS_MAX }),
    logLevel: oneOf(env, 'ORRERY_LOG', ['warn', 'info', 'debug', 'error', 'silent']),
  };
}
