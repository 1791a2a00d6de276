/** For tests: the service on a real database and the real engine, people with keys, and browsers that keep cookies. */
import { localLeases, type Peers } from '@orrery/foundation';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Call,
  type Caller,
  apiKeyChangeStatement,
  apiKeyStatement,
  type ApiKeyWish,
  type FixedPurpose,
  type Handler,
  type Principal,
  type Purpose,
  type Route,
  STATEMENTS,
} from '@orrery/api';
import { type Address, addressOf, assert } from '@orrery/units';
import { sql } from 'kysely';
import { type Hex, type PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createSiweMessage } from 'viem/siwe';
import { type DatabaseAddress, type Database, openDatabase } from '../../../../exchange/src/database.ts';
import { type ChangeConnection, listenForChanges } from '../../../../exchange/src/changes.ts';
import { registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { type Accounts, openAccounts } from '../accounts.ts';
import { diskFileStore } from '../files/file-store.ts';
import type { Message } from '../mail/message.ts';
import { TEST_BLOCKED_ADDRESSES } from '../blocked.ts';
import type { ChainReader } from '../signature.ts';
import { migrations } from '../migrations.ts';
import type { PushServices } from '../push/push-services.ts';
import type { AccountsTables } from '../tables.ts';

export const ORIGIN = 'http://localhost:8080';
export const CHAIN_ID = 138_565;

export const VAULT = addressOf(`0x${'e'.repeat(40)}`);
export const ADDRESS_WAIT_MS = 86_400_000;
export const WITHDRAWAL_HOLD_MS = 86_400_000;
export const ERASURE_WAIT_MS = 7 * 86_400_000;
/** The proof of work itself is tested beside it, at its full cost. */
const EASY_WORK = [1, 3] as const;

/** No contract anywhere. */
export const EMPTY_CHAIN: ChainReader = {
  getCode: () => Promise.resolve(undefined),
  call: () => Promise.resolve({ data: undefined }),
};

interface KeyFiles {
  readonly keyFile?: string;
  readonly formerKeyFile?: string;
}

interface Place extends KeyFiles {
  readonly sql: Database<AccountsTables>['sql'];
  readonly folder: string;
  readonly changes: ChangeConnection | undefined;
  readonly ended: string[];
}

export interface Town {
  readonly accounts: Accounts;
  readonly heart: MemoryHeart;
  readonly db: Database<AccountsTables>;
  /** The data folder. */
  readonly directory: string;
  /** `passed` is the monotonic one; `wall` is `now` where it is not set. */
  readonly clock: { now: number; passed: number; wall?: number };
  /** What was sent to people, oldest first. */
  readonly sent: Message[];
  /** Every end that was notified. */
  readonly ended: string[];
  /** Where trouble goes; without it trouble fails the test. */
  readonly trouble: { to: ((error: unknown) => void) | undefined };
  /** Of the database, where it is the town's own. */
  readonly address: DatabaseAddress | undefined;
  /** Another process on the same database and the same engine, with connections and a data folder of its own; by default with the same master key. */
  beside(files?: KeyFiles): Promise<Town>;
  /** Resolves when what is committed by now is known in memory, where it hears what other processes change. */
  settled(): Promise<void>;
  /** The service again on the same database and the same engine, as after a restart. */
  reopen(): Promise<void>;
  /** The same as after a kill: what ran before writes nothing before the new one has loaded. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** What a file of tests opens is one process, unless it is said otherwise before. */
let opening = (options: TownOptions): Promise<Town> => openProcess(options);

export function openTownsBy(open: typeof opening): void {
  opening = open;
}

export const openTown = (options: TownOptions = {}): Promise<Town> => opening(options);

export interface TownOptions {
  readonly chain?: ChainReader;
  readonly db?: Database<AccountsTables>;
  readonly pushServices?: PushServices;
  readonly isShared?: boolean;
  /** Called for each process. */
  readonly peers?: () => Peers;
}

/** Resolves when all that was committed before is known. */
async function hearAll({ changes, accounts, db }: { changes: ChangeConnection; accounts: Accounts; db: Database<AccountsTables> }) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const mark = randomUUID();
  const end = changes.subscribe({ changed: (_table, key) => key === mark && resolve(), missed: resolve });
  // Heard in the order of the commits; after a time in which it may be missed all is read again.
  await sql`select pg_notify('accounts_changed', ${`mark ${mark}`})`.execute(db.sql);
  await promise;
  end();
  await accounts.settled();
}

/**
 * @param options.db with the tables of the service; the caller closes it after the town
 * @param options.isShared it hears what other processes change
 */
export async function openProcess(options: TownOptions): Promise<Town> {
  const own = options.db === undefined ? await temporaryDatabase<AccountsTables>(migrations) : undefined;
  const db = options.db ?? own;
  assert(db !== undefined, 'there is a database');
  const directory = await mkdtemp(join(tmpdir(), 'orrery-accounts-'));
  const clock: Town['clock'] = { now: 1_795_000_000_000, passed: 0 };
  const heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  const ended: string[] = [];
  const hear = async (): Promise<ChangeConnection> => {
    assert(own !== undefined, 'the database is of the town');
    // A busy machine is no silent database.
    return listenForChanges(own.address, { monotonicMs: () => clock.passed, onTrouble: () => undefined });
  };
  // Read inside open transactions: with connections of its own, as in the program.
  const keys = own === undefined ? undefined : await openDatabase<AccountsTables>(own.address, { connections: 2 });
  const changes = options.isShared === true ? await hear() : undefined;
  const sent: Message[] = [];
  const trouble: Town['trouble'] = { to: undefined };
  const keep = (message: Message): Promise<void> => Promise.resolve(void sent.push(message));
  const open = async (place: Place = { sql: db.sql, folder: directory, ended, changes }): Promise<Accounts> => {
    const accounts = await openAccounts({
      leases: localLeases(),
      heart,
      db: place.sql,
      chain: options.chain ?? EMPTY_CHAIN,
      chainId: CHAIN_ID,
      blockedAddresses: TEST_BLOCKED_ADDRESSES,
      contracts: new Map([[VAULT, 'the vault']]),
      addressWaitMs: ADDRESS_WAIT_MS,
      withdrawalHoldMs: WITHDRAWAL_HOLD_MS,
      erasureWaitMs: ERASURE_WAIT_MS,
      terms: { version: '1', text: 'The terms.' },
      keysDb: keys?.sql ?? place.sql,
      changes: place.changes,
      peers: options.peers?.(),
      dataFolder: place.folder,
      keyFile: place.keyFile ?? join(directory, 'api-keys.key'),
      formerKeyFile: place.formerKeyFile,
      posts: { email: keep, text: keep },
      fileStore: diskFileStore(join(directory, 'files')),
      captchaCounters: EASY_WORK,
      push: { services: options.pushServices ?? [], subject: 'mailto:operator@example.org' },
      mailbox: undefined,
      now: () => clock.now,
      wallMs: () => clock.wall ?? clock.now,
      monotonicMs: () => clock.passed,
      onTrouble: (error) => {
        if (trouble.to !== undefined) trouble.to(error);
        else if (options.db === undefined) throw error;
      },
    });
    accounts.authenticator.onRevoked((credential) => place.ended.push(credential));
    return accounts;
  };
  const folders = [directory];
  const town: Town & { accounts: Accounts; directory: string } = {
    accounts: await open(),
    heart,
    db,
    directory,
    clock,
    sent,
    ended,
    trouble,
    address: own?.address,
    async settled() {
      if (changes !== undefined) await hearAll({ changes, accounts: town.accounts, db });
    },
    async beside(files = {}) {
      assert(own !== undefined, 'the database is of the town');
      const pool = await openDatabase<AccountsTables>(own.address, { connections: 10 });
      const folder = await mkdtemp(join(tmpdir(), 'orrery-accounts-beside-'));
      const endedThere: string[] = [];
      const heard = options.isShared === true ? await hear() : undefined;
      const accounts = await open({ sql: pool.sql, folder, ended: endedThere, changes: heard, ...files }).catch(async (error: unknown) => {
        await heard?.close();
        await pool.close();
        throw error;
      });
      return {
        ...town,
        accounts,
        db: pool,
        directory: folder,
        ended: endedThere,
        async settled() {
          if (heard !== undefined) await hearAll({ changes: heard, accounts, db: pool });
        },
        async close() {
          await accounts.stop();
          await heard?.close();
          await pool.close();
          await rm(folder, { recursive: true, force: true });
        },
      };
    },
    async reopen() {
      await town.accounts.stop();
      town.accounts = await open({ sql: db.sql, folder: town.directory, ended, changes });
    },
    async kill() {
      const before = town.accounts;
      // As a kill leaves the folder: what the one before still does, it does to another.
      const folder = await mkdtemp(join(tmpdir(), 'orrery-accounts-'));
      await cp(town.directory, folder, { recursive: true });
      folders.push(folder);
      town.directory = folder;
      town.accounts = await open({ sql: db.sql, folder, ended, changes });
      await before.stop();
    },
    async close() {
      await town.accounts.stop();
      await changes?.close();
      await keys?.close();
      if (options.db === undefined) await db.close();
      for (const folder of folders) await rm(folder, { recursive: true, force: true });
    },
  };
  return town;
}

export interface Person {
  readonly wallet: PrivateKeyAccount;
  readonly address: Address;
}

export function person(key: number): Person {
  const wallet = privateKeyToAccount(`0x${key.toString(16).padStart(64, '0')}`);
  return { wallet, address: wallet.address.toLowerCase() as Address };
}

export interface MessageFields {
  readonly address: Hex;
  readonly nonce: string;
  readonly statement: string;
  readonly issuedAt: Date;
  readonly origin?: string;
  readonly requestId?: string;
  readonly expirationTime?: Date;
}

/** As a page writes it. */
export const messageOf = ({ origin = ORIGIN, ...fields }: MessageFields): string =>
  createSiweMessage({
    ...fields,
    domain: new URL(origin).host,
    uri: origin,
    version: '1',
    chainId: CHAIN_ID,
  });

interface SignedMessage {
  readonly nonce: string;
  readonly message: string;
  readonly signature: Hex;
}

/** A browser on one page: cookies are kept as browsers keep them. */
export class Browser {
  readonly cookies: Record<string, string | undefined> = {};
  readonly #town: Town;
  readonly #origin: string;
  bearer: string | undefined;
  ip = '127.0.0.1';
  userAgent = 'test';
  neighbourhood = '127.0.0.0/24';

  constructor(town: Town, origin: string = ORIGIN) {
    this.#town = town;
    this.#origin = origin;
  }

  caller(): Caller {
    return {
      ip: this.ip,
      neighbourhood: this.neighbourhood,
      userAgent: this.userAgent,
      origin: this.#origin,
      cookies: { ...this.cookies },
      bearer: this.bearer,
      committed: () => undefined,
      weigh: () => undefined,
      setCookie: (name, value, options) => {
        this.cookies[name] = options.maxAgeSeconds === 0 ? undefined : value;
      },
    };
  }

  principal(): Principal {
    const found = this.#town.accounts.authenticator.session(this.bearer ?? '');
    if (typeof found === 'string') throw new Error(found);
    return found;
  }

  /** As the gateway calls it: the principal is there when the token is good. */
  async call<R extends Route>(handler: Handler<R>, parts: { query?: unknown; body?: unknown } = {}) {
    const found = this.#town.accounts.authenticator.session(this.bearer ?? '');
    const principal = typeof found === 'string' ? undefined : found;
    return handler({ query: {}, body: {}, ...parts, principal, caller: this.caller() } as Call<R>);
  }

  async nonce(who: Person, purpose: Purpose = 'login'): Promise<string> {
    return this.call(this.#town.accounts.handlers.auth.nonce, { query: { evmAddress: who.wallet.address, purpose } });
  }

  /** Asks for a nonce, writes the message, signs it. */
  async sign(who: Person, purpose: FixedPurpose): Promise<SignedMessage> {
    return this.signStatement(who, { purpose, statement: STATEMENTS[purpose] });
  }

  /** The body of a call that makes a key. */
  async signKey(who: Person, wish: ApiKeyWish) {
    return { ...wish, ...(await this.signStatement(who, { purpose: 'api-key', statement: apiKeyStatement(wish) })) };
  }

  /** Over the key as it will be. */
  async signKeyChange(who: Person, wish: ApiKeyWish): Promise<SignedMessage> {
    return this.signStatement(who, { purpose: 'api-key', statement: apiKeyChangeStatement(wish) });
  }

  async signStatement(who: Person, { purpose, statement }: { purpose: Purpose; statement: string }): Promise<SignedMessage> {
    const nonce = await this.nonce(who, purpose);
    const message = messageOf({
      address: who.wallet.address,
      nonce,
      statement,
      issuedAt: new Date(this.#town.clock.now),
      origin: this.#origin,
    });
    return { nonce, message, signature: await who.wallet.signMessage({ message }) };
  }

  /** As a page does before the first login. */
  async agree(who: Person): Promise<void> {
    const { message, signature } = await this.sign(who, 'terms');
    const body = { walletAddress: who.wallet.address, termsCode: 'TERMS', message, signature };
    await this.call(this.#town.accounts.handlers.agreement.agree, { body });
  }

  async login(who: Person): Promise<Principal> {
    const answer = await this.call(this.#town.accounts.handlers.auth.verify, { body: await this.sign(who, 'login') });
    if (typeof answer !== 'string') throw new Error('a second step is asked for');
    this.bearer = answer;
    return this.principal();
  }

  async refresh(): Promise<void> {
    this.bearer = (await this.call(this.#town.accounts.handlers.auth.refresh)).token;
  }

  async logout(): Promise<void> {
    await this.call(this.#town.accounts.handlers.session.logout);
  }
}

/** The reason of the refusal, with the field it names; `undefined` when there was none. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('data' in error)) throw error;
    const { reason, field } = error.data as { reason: string; field: string };
    return field === '' ? reason : `${reason} ${field}`;
  }
}
