/**
 * Every setting of the program as one schema: its name, kind, range, default and meaning, and whether it is secret. What reads them, `Config`, the tables of
 * docs/configuration.md and the schema of the configuration file follow from it.
 */
import { DAILY_NOON_CRON } from '@orrery/campaign';
import { Type, type Static } from 'typebox';
import { DEFAULT_CNY_RATE } from './currency-rate.ts';
import { ROLE_PATTERN } from './duties.ts';
import { MIN_BLOCK_INTERVAL_MS } from './embedded/chain/local-chain.ts';
import {
  ADDRESS,
  Choice,
  KEY,
  List,
  OptionalChoice,
  OptionalText,
  OptionalWhole,
  Secret,
  type SettingSchema,
  Text,
  Whole,
} from './setting-kinds.ts';

const STORE = { pattern: '^https://\\S+$', must: 'an address that begins with https://' };

export const DAY_SECONDS = 86_400;
export const OTC_MINUTE_MS = 60_000;
const TIMELOCK_SECONDS_MAX = 30 * 86_400;

const PROCESS = {
  ORRERY_PORT: Whole([0, 65_535], 8080, 'the port at which it listens; 0 takes any free one'),
  ORRERY_HOST: Text('127.0.0.1', 'the address at which it listens'),
  ORRERY_DATA: Text('./data', 'the folder of journal, chain, database and keys; readable by its owner only (0700 and 0600)'),
  ORRERY_CONFIG: OptionalText('the configuration file, such as `orrery.config.json`: `docs/configuration.md`', { place: 'environment' }),
  ORRERY_ENV: Choice(['test', 'preview', 'prod'], 'test', 'the environment, whose name the page shows'),
  ORRERY_LOG: Choice(['warn', 'info', 'debug', 'trace', 'error', 'silent'], 'warn', 'the log level'),
  ORRERY_ACCESS_LOG: Choice(
    ['off', 'on', 'whole'],
    'off',
    'with `on` each answered call is a line of the log: its route, status, time, size and account, and the neighbourhood of its address (`192.0.2.0/24`); with `whole` the whole address',
  ),
  ORRERY_JOURNAL: Secret(
    'where the journal is: `file`, or a PostgreSQL 15 or newer that several hearts share, with several hosts and `target_session_attrs=read-write` where it has standbys: `docs/decisions/0112-hearts-share-a-journal.md`',
    {
      usual: '`file`: the data folder',
      pattern: '^(file|postgres(ql)?://\\S+)$',
      must: 'file, or an address that begins with postgres://',
    },
  ),
  ORRERY_JOURNAL_WITHOUT_STANDBY: Choice(
    ['cancel-only', 'stop', 'allow'],
    'cancel-only',
    'while no synchronous standby of that PostgreSQL has a copy: only cancels are accepted, and answered once one has it; the exchange stops; or it goes on with one copy. Without a standby it starts with `allow` only',
  ),
  ORRERY_DATABASE_URL: Secret('any PostgreSQL 15 or newer', { usual: 'embedded PostgreSQL' }),
  // Paths: a key is 32 bytes, no text.
  ORRERY_MASTER_KEY_FILE: OptionalText(
    'a file of 32 bytes, the master key: it wraps the keys by which what is personal and secret is encrypted, and is the same for every process on the database',
    { usual: '`api-keys.key` in the data folder' },
  ),
  ORRERY_FORMER_MASTER_KEY_FILE: OptionalText('the file of the master key until now, at the one start that changes it'),
  ORRERY_ROLE: Text(
    'all',
    'what this process does: `all`; `heart`, which keeps the journal and matches; or some of `gateway` (serves callers), `worker` (background work), `projector` (writes history into SQL) and `market-maker` (the market-maker and the managers of funds), separated by commas, with the heart in another process: `docs/one-process.md`',
    { pattern: ROLE_PATTERN, must: 'all, heart, or some of gateway, worker, projector and market-maker, separated by commas' },
  ),
  ORRERY_EVENTS: Secret(
    'NATS servers, separated by commas, such as `nats://name:password@10.0.0.1:4222`, over which the processes of one exchange reach its heart',
    {
      pattern: '^(memory|(nats|tls)://\\S+)$',
      must: 'memory, or addresses that begin with nats://',
      usual: '`memory`: the heart is reached in its own process alone',
    },
  ),
  ORRERY_ACCEPTS: Choice(
    ['everything', 'cancels', 'nothing'],
    'everything',
    'what is taken from now on: `cancels`, so that traders can take out their orders before others trade again; or `nothing`, so that the exchange can be looked at. With either, deposits, payouts and timers rest, and so do the market-maker and the funds. A data folder that is new, or a listing that has changed, is refused',
  ),
  ORRERY_OLD_JOURNAL: Choice(
    ['archive', 'keep'],
    'archive',
    'what becomes of segments of the journal of which every command is in each kept snapshot: packed into `history/archive`, where everything that reads the journal reads them, or kept as they are',
  ),
  ORRERY_MIN_FREE_DISK_PERCENT: Whole(
    [0, 90],
    10,
    'below this share of free disk space, or below a day of journal (8.64 GB) if that is less, only cancels are accepted',
  ),
  ORRERY_METRICS_PORT: OptionalWhole(
    [0, 65_535],
    'the port at which `/metrics`, `/livez` and `/readyz` are served for Prometheus and for what starts the process; without it nothing is measured: `docs/metrics.md`',
  ),
  ORRERY_METRICS_HOST: Text('127.0.0.1', 'the address of that port'),
  ORRERY_TRACES: Secret(
    'the receiver of traces, OTLP over HTTP, such as `http://127.0.0.1:4318`; with a name and a password in it where it wants them. Without it nothing is traced: `docs/traces.md`',
    { pattern: '^https?://\\S+$', must: 'an address that begins with http:// or https://' },
  ),
  ORRERY_TRACES_PPM: Whole(
    [0, 1_000_000],
    1_000_000,
    'of a million requests, how many are traced, chosen by chance; no header of a caller changes it',
  ),
};

const ORIGINS = {
  ORRERY_PUBLIC_ORIGINS: List(
    'origins under which the exchange is reached and whose signatures are accepted; requests for other hosts are refused. Required with `ORRERY_PROXY_HOPS` or an `ORRERY_HOST` that is no loopback address. Port 0 stands for the port taken',
    { usual: 'the loopback address served' },
  ),
  ORRERY_FOREIGN_ORIGINS: List('origins of pages elsewhere that may call this exchange with its cookies; never the console'),
  ORRERY_API_ORIGINS: List("origins elsewhere that the pages served here may call: the hosts of the terminal's build"),
  ORRERY_PROXY_HOPS: Whole(
    [0, 10],
    0,
    'number of proxies in front whose `X-Forwarded-For` is trusted. Let the proxy speak HTTP/2 to browsers: the exchange itself speaks HTTP/1.1, and a page is many files',
  ),
  ORRERY_CONSOLE_ORIGIN: OptionalText(
    'a separate host for the console, such as `https://console.orrery.example`: its page and its API answer only there, and passkeys are bound to it',
    { usual: 'the address served' },
  ),
  ORRERY_SIGNER_ORIGIN: OptionalText(
    'a separate host for the signing page of e-mail wallets, such as `https://signer.orrery.example`, under the same domain as the page, because browsers give a page inside another site no storage: shares of keys are kept in the storage of that origin, and no other page is served there. Without it, accounts that a name opens have no wallet',
    { usual: 'on this machine the port of the page + 10000, else none' },
  ),
};

const CHAIN = {
  ORRERY_RPC_URL: Secret('any EVM chain', { usual: 'embedded chain' }),
  ORRERY_OPERATOR_KEY: Secret('with `ORRERY_RPC_URL`, the key that signs withdrawals on that chain', KEY),
  ORRERY_DEPLOYER_KEY: Secret("on a chain elsewhere, needed until the contracts are deployed there: the admin's key", KEY),
  ORRERY_PAUSER_ADDRESS: OptionalText('in the same way, who may pause', ADDRESS),
  ORRERY_LISTER_ADDRESS: OptionalText('in the same way, who may list; four accounts, with the operator', ADDRESS),
  ORRERY_SIGNER_URL: OptionalText('an external signer with the JSON-RPC of web3signer, in place of keys'),
  ORRERY_OPERATOR_ADDRESS: OptionalText('the account whose key it holds, in place of the operator’s', ADDRESS),
  ORRERY_DEPLOYER_ADDRESS: OptionalText('the account whose key it holds, in place of the deployer’s', ADDRESS),
  // The most is much less than a signed withdrawal is payable.
  ORRERY_DISPUTE_SECONDS: OptionalWhole(
    [0, 900],
    'of a vault at its deployment: delay between the request of a withdrawal and its payout, in which a pauser can cancel it; 0 pays without a request; 5 s is for trying it out and protects nothing',
    { usual: '`5` on the embedded chain with `ORRERY_ENV=test`, `120` else' },
  ),
  ORRERY_CONFIRMATIONS: OptionalWhole([1, 1_000], 'depth at which a deposit counts', {
    usual: '`1` on the embedded chain, `32` elsewhere',
  }),
  ORRERY_BLOCK_INTERVAL_MS: Whole(
    [0, 15_000],
    MIN_BLOCK_INTERVAL_MS,
    'least time between two blocks of the embedded chain; shorter with `ORRERY_ENV=test` only, for trying it out: each block can be lucky',
  ),
  ORRERY_CLEAR_HALT: OptionalText(
    'ends a halt after an alarm on the chain, or after a reorganisation too deep to recover from automatically: set it to the sentence that `/status` shows, once you have investigated; deposits and withdrawals resume',
  ),
};

const TRADING = {
  ORRERY_MARKET_MAKER: Choice(
    ['on', 'off'],
    'on',
    'the market-maker; on a chain elsewhere the deployer brings its money there at the first start, with 21 million of the chain’s coin',
  ),
  ORRERY_FUND_MANAGER: Choice(
    ['on', 'off'],
    'on',
    "the managers of the house's funds. `off`: funds that hold nothing but money stay open, others close after an hour",
  ),
  ORRERY_PRICE_FEEDS: Secret('live price feeds; their addresses may carry the keys of paid ones', { usual: 'recorded month' }),
  ORRERY_SANDBOX: OptionalChoice(
    ['on', 'off', 'everywhere'],
    '`on`: practice contracts are listed, settled in PRACTICE, which is worth nothing, and testers may move their prices, settle their funding and let the house fill orders in them (`/sandbox/v1/…` in `/docs`). `everywhere`: in every contract, for tests; refused where `ORRERY_HOST` is no loopback address. Both refused in `prod`',
    { usual: '`on` in `test` on the embedded chain, else `off`' },
  ),
  ORRERY_OTC_MINUTE_MS: Whole(
    [50, OTC_MINUTE_MS],
    OTC_MINUTE_MS,
    'what a minute of the windows of OTC trading lasts, in milliseconds: of payment, dispute, appeal and hold; shorter with `ORRERY_ENV=test` only, for trying it out',
  ),
  ORRERY_CNY_RATE: Text(
    DEFAULT_CNY_RATE,
    'what a US dollar costs in yuan, for showing values: the rate, its day and its source, such as `7.0850 2026-03-02 central parity`; shown with both',
  ),
  ORRERY_CNY_RATE_URL: OptionalText(
    'where the rate of the day is read instead, every six hours: an https address that answers JSON such as `{"base":"USD","date":"2026-03-02","rates":{"CNY":7.085}}`; shown with its day, its age and its host. Until it answers, `ORRERY_CNY_RATE` stands',
  ),
};

const REWARDS = {
  ORRERY_WHITELIST: Choice(['open', 'weekly'], 'open', '`weekly` admits a number of people each Monday 12:00 UTC'),
  ORRERY_WHITELIST_WEEKLY: Whole([0, 1_000_000], 100, 'that number of people'),
  ORRERY_FAUCET_CLAIMS_PER_DAY: Whole([0, 1_000_000], 500, "number of claims the faucet's budget pays for in one UTC day"),
  ORRERY_REWARD_POINTS_PER_DAY: Whole([0, 900_000_000], 5_000_000, 'the reward budget is topped up to this number of points each UTC day'),
  ORRERY_LUCKY_AT: Text(
    DAILY_NOON_CRON,
    'when winners of lucky blocks are announced: a cron pattern, in UTC; `* * * * * *` for trying it out',
  ),
  ORRERY_LEADERBOARD_REVIEW_DAYS: Whole([0, 90], 7, 'days between the end of a leaderboard campaign and its payout'),
};

const CARE = {
  ORRERY_CONSOLE_CODE: Secret(
    'one-time code for the first operator at `/console`; printed at the start while there is no operator. A new code lets one more admin in when a single operator is left',
    { pattern: '^[0-9A-Za-z_-]{12,64}$', must: '12 to 64 letters, digits, _ or -', usual: 'generated at the start' },
  ),
  ORRERY_TIMELOCK_SECONDS: OptionalWhole(
    [0, TIMELOCK_SECONDS_MAX],
    'delay between the approval of a change that gives more (budgets, awards, prizes, roles) and its effect; a minute is for trying it out and protects nothing',
    { usual: '`60` with `ORRERY_ENV=test`, `86400` else' },
  ),
  ORRERY_ADDRESS_WAIT_SECONDS: Whole(
    [0, TIMELOCK_SECONDS_MAX],
    DAY_SECONDS,
    "delay between the entry of an address in a person's address book and the first withdrawal to it; shorter than a day with `ORRERY_ENV=test` only, for trying it out: it then protects nothing",
  ),
  ORRERY_WITHDRAWAL_HOLD_SECONDS: Whole(
    [0, TIMELOCK_SECONDS_MAX],
    DAY_SECONDS,
    'delay between a change of a factor, a password or the shares of an e-mail wallet and the next withdrawal; shorter than a day with `ORRERY_ENV=test` only',
  ),
  ORRERY_ERASURE_WAIT_SECONDS: Whole(
    [0, TIMELOCK_SECONDS_MAX],
    7 * DAY_SECONDS,
    'delay between the wish to delete an account and its deletion, during which its owner may keep it; shorter than a day with `ORRERY_ENV=test` only',
  ),
  ORRERY_WITHDRAWAL_REVIEW_ABOVE: Text(
    '10000',
    "USDC as a decimal: a withdrawal by which its account takes more within 24 hours, by the outside prices, waits for an operator's decision in the console; `off`: none does for its amount",
  ),
  ORRERY_WITHDRAWAL_REVIEW_FIRST: OptionalChoice(
    ['on', 'off'],
    "`on`: the first withdrawal of each account waits for an operator's decision too",
    { usual: '`off` in `test`, else `on`' },
  ),
};

const MESSAGES = {
  ORRERY_FILES_URL: Secret(
    'a bucket of an object store of the S3 kind for the files that people hand in, such as `https://key:secret@s3.example.org/bucket?region=eu-central-1`; they are encrypted before they leave. It belongs to one exchange: files that its database does not name are removed',
    { usual: 'a folder in the data folder' },
  ),
  ORRERY_SMTP_URL: Secret(
    'the server that sends e-mails, such as `smtps://name:password@mail.example.org`. Without it no e-mail is sent; with `ORRERY_ENV=test` the page `/mailbox` shows what would have been',
  ),
  ORRERY_MAIL_FROM: Text('Orrery <no-reply@orrery.example>', 'the sender of e-mails'),
  ORRERY_SMS_URL: Secret(
    'the service that sends text messages: an https address that takes `{"to":"+8613800138000","text":"…"}`. Without it as for e-mails',
  ),
  ORRERY_SMS_TOKEN: Secret('the bearer token of that service'),
  ORRERY_PUSH_SERVICES: List(
    'origins of the push services to which notifications may be sent, such as `https://*.push.example`; `none`: nothing is pushed',
    { usual: 'those of the common browsers' },
  ),
};

const PAGES = {
  ORRERY_GROUP_LINK: Text('https://t.me/orrery_testnet', 'the link behind Join Whitelist'),
  ORRERY_BUG_LINK: OptionalText('the link behind Submit Bug'),
  ORRERY_APP_STORE_LINK: OptionalText("the app in Apple's store; shown at `/app`", STORE),
  ORRERY_GOOGLE_PLAY_LINK: OptionalText("the app in Google's store; shown at `/app`", STORE),
  ORRERY_WALLETCONNECT_PROJECT_ID: OptionalText('WalletConnect in the wallet list', { usual: 'off' }),
  ORRERY_GEETEST_ID: OptionalText(
    'GeeTest v4 as the captcha of registration, login and reset, with its key. Pages then run its script, and their policy allows its two hosts',
    { usual: 'a proof of work' },
  ),
  ORRERY_GEETEST_KEY: Secret('the key of that captcha'),
  ORRERY_GEETEST_SCRIPT: Text('https://static.geetest.com/v4/gt4.js', "where GeeTest's script comes from"),
  ORRERY_GEETEST_API: Text('https://gcaptcha4.geetest.com', 'the origin that says whether an answer to GeeTest is good'),
  ORRERY_ANALYTICS_HOST: OptionalText(
    'a service of the PostHog kind that measures the use of the pages, by its origin. Pages send to it only once a person has accepted cookies, and a keyed hash in place of the address',
  ),
  // Pages show it: it is no secret.
  ORRERY_ANALYTICS_KEY: OptionalText('the public key of its project', {
    pattern: '^[0-9A-Za-z_-]{1,128}$',
    must: '1 to 128 letters, digits, _ or -',
  }),
};

/** As docs/configuration.md shows them. */
export const SECTIONS: Readonly<Record<string, Readonly<Record<string, SettingSchema>>>> = {
  'The process': PROCESS,
  'Origins and proxies': ORIGINS,
  'The chain': CHAIN,
  Trading: TRADING,
  Rewards: REWARDS,
  'Operators and protection': CARE,
  'Files and messages': MESSAGES,
  'What pages show and run': PAGES,
};

const SETTINGS = Type.Object({ ...PROCESS, ...ORIGINS, ...CHAIN, ...TRADING, ...REWARDS, ...CARE, ...MESSAGES, ...PAGES });

/** What is given, or the default; a variable that is empty is not given. */
export type Settings = Static<typeof SETTINGS>;
export type SettingName = keyof Settings;

export const SETTING_SCHEMAS: ReadonlyMap<SettingName, SettingSchema> = new Map(
  Object.entries(SETTINGS.properties) as unknown as readonly [SettingName, SettingSchema][],
);

/** The names of the secrets: each can be given by file. */
export const SECRET_NAMES: readonly string[] = [...SETTING_SCHEMAS].filter(([, { secret }]) => secret === true).map(([name]) => name);

/** The secrets that are set. */
export const secretsOf = (settings: Settings): readonly string[] =>
  SECRET_NAMES.map((name): unknown => Reflect.get(settings, name)).filter((value) => typeof value === 'string');

type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<Camel<Rest>>}`
  : Lowercase<Name>;
/** `ORRERY_RPC_URL` is `rpcUrl` in `Config` and in the configuration file. */
export type FieldOf<Name extends string> = Name extends `ORRERY_${infer Rest}` ? Camel<Rest> : never;

export const fieldOf = <Name extends SettingName>(name: Name): FieldOf<Name> =>
  name
    .slice('ORRERY_'.length)
    .toLowerCase()
    .replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()) as FieldOf<Name>;

/** The settings by their names in `Config`. */
export type Fields = { readonly [Name in SettingName as FieldOf<Name>]: Frozen<Settings[Name]> };
type Frozen<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;

export const fieldsOf = (settings: Settings): Fields =>
  Object.fromEntries([...SETTING_SCHEMAS.keys()].map((name) => [fieldOf(name), settings[name]])) as unknown as Fields;
