/**
 * Every environment variable of the program as one schema: its kind, its range and its default. The table of the README is checked against
 * it. A secret can be given in a file named by `<NAME>_FILE` instead.
 */
import { readFileSync } from 'node:fs';
import { DAILY_NOON_CRON } from '@orrery/campaign';
import { Type, type Static, type TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { DEFAULT_CNY_RATE } from './currency-rate.ts';
import { MIN_BLOCK_INTERVAL_MS } from './embedded/chain/local-chain.ts';
import { StartError } from './start-error.ts';

const Text = (standard: string) => Type.String({ default: standard });
const Whole = ([minimum, maximum]: readonly [number, number], standard: number) => Type.Integer({ minimum, maximum, default: standard });
/** Separated by commas. */
const List = Type.Array(Type.String(), { default: [] });
const Secret = (options: { pattern?: string; must?: string } = {}) => Type.Optional(Type.String({ ...options, secret: true }));

const KEY = { pattern: '^0x[0-9a-fA-F]{64}$', must: '0x and 64 hex digits' };
const ADDRESS = { pattern: '^0x[0-9a-fA-F]{40}$', must: 'an address: 0x and 40 hex digits' };
const STORE = { pattern: '^https://\\S+$', must: 'an address that begins with https://' };
const AddressSetting = Type.Optional(Type.String(ADDRESS));

export const DAY_SECONDS = 86_400;
export const OTC_MINUTE_MS = 60_000;
const TIMELOCK_SECONDS_MAX = 30 * 86_400;

export const SETTINGS = Type.Object({
  ORRERY_PORT: Whole([0, 65_535], 8080),
  ORRERY_HOST: Text('127.0.0.1'),
  ORRERY_DATA: Text('./data'),
  ORRERY_CONFIG: Type.Optional(Type.String()),
  ORRERY_PUBLIC_ORIGINS: List,
  ORRERY_FOREIGN_ORIGINS: List,
  ORRERY_API_ORIGINS: List,
  ORRERY_DATABASE_URL: Secret(),
  ORRERY_RPC_URL: Secret(),
  ORRERY_OPERATOR_KEY: Secret(KEY),
  ORRERY_DEPLOYER_KEY: Secret(KEY),
  ORRERY_OPERATOR_ADDRESS: AddressSetting,
  ORRERY_DEPLOYER_ADDRESS: AddressSetting,
  ORRERY_PAUSER_ADDRESS: AddressSetting,
  ORRERY_LISTER_ADDRESS: AddressSetting,
  ORRERY_SIGNER_URL: Type.Optional(Type.String()),
  // By the chain and the environment. 0 pays without a request; the most is much less than a signed withdrawal is payable.
  ORRERY_DISPUTE_SECONDS: Type.Optional(Type.Integer({ minimum: 0, maximum: 900 })),
  ORRERY_BLOCK_INTERVAL_MS: Whole([0, 15_000], MIN_BLOCK_INTERVAL_MS),
  // On the embedded chain 1, elsewhere 32.
  ORRERY_CONFIRMATIONS: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
  ORRERY_WHITELIST: Type.Enum(['open', 'weekly'], { default: 'open' }),
  ORRERY_WHITELIST_WEEKLY: Whole([0, 1_000_000], 100),
  ORRERY_MARKET_MAKER: Type.Enum(['on', 'off'], { default: 'on' }),
  ORRERY_FUND_MANAGER: Type.Enum(['on', 'off'], { default: 'on' }),
  // They may carry the keys of paid feeds.
  ORRERY_PRICE_FEEDS: Secret(),
  ORRERY_WALLETCONNECT_PROJECT_ID: Type.Optional(Type.String()),
  ORRERY_FAUCET_CLAIMS_PER_DAY: Whole([0, 1_000_000], 500),
  ORRERY_REWARD_POINTS_PER_DAY: Whole([0, 900_000_000], 5_000_000),
  ORRERY_LUCKY_AT: Text(DAILY_NOON_CRON),
  ORRERY_CONSOLE_CODE: Secret({ pattern: '^[0-9A-Za-z_-]{12,64}$', must: '12 to 64 letters, digits, _ or -' }),
  ORRERY_CONSOLE_ORIGIN: Type.Optional(Type.String()),
  // Where everything is on this machine, a host of it; elsewhere none.
  ORRERY_SIGNER_ORIGIN: Type.Optional(Type.String()),
  // By the environment.
  ORRERY_TIMELOCK_SECONDS: Type.Optional(Type.Integer({ minimum: 0, maximum: TIMELOCK_SECONDS_MAX })),
  // From the entry of an address in an address book to the first withdrawal to it; shorter than a day with `test` only, where it protects nothing.
  ORRERY_ADDRESS_WAIT_SECONDS: Whole([0, TIMELOCK_SECONDS_MAX], DAY_SECONDS),
  // From a change of the security of an account to its next withdrawal, in the same way.
  ORRERY_WITHDRAWAL_HOLD_SECONDS: Whole([0, TIMELOCK_SECONDS_MAX], DAY_SECONDS),
  // From the wish to delete an account to its deletion; shorter than a day with `test` only.
  ORRERY_ERASURE_WAIT_SECONDS: Whole([0, TIMELOCK_SECONDS_MAX], 7 * DAY_SECONDS),
  // Worth more than this an operator decides on a withdrawal: USDC as a decimal, or off.
  ORRERY_WITHDRAWAL_REVIEW_ABOVE: Text('10000'),
  // By the environment: whether an operator decides on the first withdrawal of each account.
  ORRERY_WITHDRAWAL_REVIEW_FIRST: Type.Optional(Type.Enum(['on', 'off'])),
  // What a minute of OTC windows lasts; shorter with `test` only.
  ORRERY_OTC_MINUTE_MS: Whole([50, OTC_MINUTE_MS], OTC_MINUTE_MS),
  ORRERY_LEADERBOARD_REVIEW_DAYS: Whole([0, 90], 7),
  ORRERY_GROUP_LINK: Text('https://t.me/orrery_testnet'),
  ORRERY_BUG_LINK: Type.Optional(Type.String()),
  ORRERY_APP_STORE_LINK: Type.Optional(Type.String(STORE)),
  ORRERY_GOOGLE_PLAY_LINK: Type.Optional(Type.String(STORE)),
  ORRERY_CNY_RATE: Text(DEFAULT_CNY_RATE),
  ORRERY_CNY_RATE_URL: Type.Optional(Type.String()),
  // Numbers for Prometheus, on a port of their own; not given: none are kept.
  ORRERY_METRICS_PORT: Type.Optional(Type.Integer({ minimum: 0, maximum: 65_535 })),
  ORRERY_METRICS_HOST: Text('127.0.0.1'),
  ORRERY_MIN_FREE_DISK_PERCENT: Whole([0, 90], 10),
  ORRERY_FILES_URL: Secret(),
  ORRERY_SMTP_URL: Secret(),
  ORRERY_MAIL_FROM: Text('Orrery <no-reply@orrery.example>'),
  ORRERY_SMS_URL: Secret(),
  ORRERY_SMS_TOKEN: Secret(),
  // Origins, or none; not given, those that the common browsers use.
  ORRERY_PUSH_SERVICES: List,
  ORRERY_GEETEST_ID: Type.Optional(Type.String()),
  ORRERY_GEETEST_KEY: Secret(),
  ORRERY_GEETEST_SCRIPT: Text('https://static.geetest.com/v4/gt4.js'),
  ORRERY_GEETEST_API: Text('https://gcaptcha4.geetest.com'),
  ORRERY_ANALYTICS_HOST: Type.Optional(Type.String()),
  // Pages show it: it is no secret.
  ORRERY_ANALYTICS_KEY: Type.Optional(Type.String({ pattern: '^[0-9A-Za-z_-]{1,128}$', must: '1 to 128 letters, digits, _ or -' })),
  ORRERY_CLEAR_HALT: Type.Optional(Type.String()),
  ORRERY_PROXY_HOPS: Whole([0, 10], 0),
  ORRERY_ENV: Type.Enum(['test', 'preview', 'prod'], { default: 'test' }),
  ORRERY_SANDBOX: Type.Optional(Type.Enum(['on', 'off', 'everywhere'])),
  ORRERY_LOG: Type.Enum(['warn', 'info', 'debug', 'trace', 'error', 'silent'], { default: 'warn' }),
});

/** What is given, or the default; a variable that is empty is not given. */
export type Settings = Static<typeof SETTINGS>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** Options of our own beside those of JSON schema. */
interface SettingSchema extends TSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  /** What it must be, in words, where there is a pattern. */
  readonly must?: string;
  readonly secret?: boolean;
}

/** The names of the secrets: each can be given by file. */
export const SECRET_NAMES: readonly string[] = Object.entries<SettingSchema>(SETTINGS.properties)
  .filter(([, schema]) => schema.secret === true)
  .map(([name]) => name);

/** The secrets that are set. */
export const secretsOf = (settings: Settings): readonly string[] =>
  SECRET_NAMES.map((name): unknown => Reflect.get(settings, name)).filter((value) => typeof value === 'string');

/** @throws StartError naming the variable that can not be used, in one sentence; a secret is not shown. */
export function readSettings(env: Environment): Settings {
  const given: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries<SettingSchema>(SETTINGS.properties)) {
    const text = schema.secret === true ? secretOf(env, name) : present(env[name]);
    const value = text === undefined ? schema.default : parsed(text, schema);
    if (value === undefined) continue;
    if (!Value.Check(schema, value))
      throw new StartError(`${name} must be ${demandOf(schema)}${schema.secret === true ? '' : `, not "${text}"`}`);
    given[name] = value;
  }
  return given as Settings;
}

const present = (text: string | undefined): string | undefined => (text === undefined || text === '' ? undefined : text);

/** Only plain digits are a number: neither `1e3` nor blanks. */
function parsed(text: string, schema: SettingSchema): unknown {
  if (schema.type === 'integer') return /^[0-9]{1,9}$/.test(text) ? Number(text) : text;
  if (schema.type !== 'array') return text;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function demandOf({ type, enum: choices, minimum, maximum, must }: SettingSchema): string {
  if (type === 'integer') return `a whole number from ${minimum} to ${maximum}`;
  return choices === undefined ? (must ?? 'text') : `one of ${choices.join(', ')}`;
}

function secretOf(env: Environment, name: string): string | undefined {
  const file = `${name}_FILE`;
  const path = present(env[file]);
  const own = present(env[name]);
  if (path === undefined) return own;
  if (own !== undefined) throw new StartError(`${name} and ${file} are both given: keep one of them`);
  const text = readText(path, file).trim();
  if (text === '') throw new StartError(`${file} names ${path}, which is empty`);
  return text;
}

/** @throws StartError naming the variable when the file that it names can not be read. */
export function readText(path: string, name: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new StartError(`${name} names ${path}, which can not be read: ${(cause as NodeJS.ErrnoException).code ?? String(cause)}`, {
      cause,
    });
  }
}
