/** For tests: the service on a real database and the real engine, people with money, and the ports of others in memory. */
import { type Changes, localLeases } from '@orrery/foundation';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ApiError, type AssistPrice, type Handler, type Principal, type Route, type SentFile, type StoredFile } from '@orrery/api';
import type { Command, Event } from '@orrery/protocol';
import { type AccountId, accountId, type Address, assert, atoms, millis, parseAddress, parseAtoms } from '@orrery/units';
import { sql } from 'kysely';
import type { Database } from '../../../../exchange/src/database.ts';
import { assetByCode, registerListing } from '../../../../exchange/src/listing.ts';
import { MemoryHeart } from '../../../../exchange/src/testing/memory-heart.ts';
import { type TemporaryDatabase, temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import type { OtcAnnouncement } from '../news.ts';
import { type Otc, openOtc } from '../otc.ts';
import type { GivenProof, PersonKeysPort, ProofPort, ReceiptFilesPort, ReleaseTerms } from '../ports.ts';
import { migrations, type OtcTables } from '../tables.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Person {
  readonly name: string;
  readonly account: AccountId;
  readonly address: Address;
}

/** Keys that an erasure destroys. */
class MemoryKeys implements PersonKeysPort {
  readonly #keys = new Map<AccountId, Buffer>();

  async encrypt(account: AccountId, bytes: Uint8Array, what: string): Promise<Buffer> {
    const key = this.#keys.get(account) ?? randomBytes(32);
    this.#keys.set(account, key);
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(what));
    return Buffer.concat([iv, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
  }

  async decrypt(account: AccountId, encrypted: Buffer, what: string): Promise<Buffer | undefined> {
    const key = this.#keys.get(account);
    if (key === undefined) return undefined;
    const end = encrypted.length - 16;
    const decipher = createDecipheriv('aes-256-gcm', key, encrypted.subarray(0, 12))
      .setAAD(Buffer.from(what))
      .setAuthTag(encrypted.subarray(end));
    return Buffer.concat([decipher.update(encrypted.subarray(12, end)), decipher.final()]);
  }

  erase(account: AccountId): void {
    this.#keys.delete(account);
  }
}

class MemoryFiles implements ReceiptFilesPort {
  readonly kept = new Map<string, AccountId>();

  async take(account: AccountId, { type, bytes }: SentFile): Promise<StoredFile> {
    const fileId = randomBytes(16).toString('hex');
    this.kept.set(fileId, account);
    return { fileId, type: type as StoredFile['type'], bytes: bytes.length, createdTime: 0 };
  }

  async link(account: AccountId, fileId: string, reviewer = 'nobody'): Promise<{ url: string; expiresTime: number }> {
    if (this.kept.get(fileId) !== account) throw new ApiError('UnknownThing', { field: 'file' });
    return { url: `/file/${fileId}?for=${reviewer}`, expiresTime: 60_000 };
  }

  async remove(_: AccountId, fileId: string): Promise<void> {
    this.kept.delete(fileId);
  }
}

/** Takes the code `good`, once for each release where nothing is said about it. */
class MemoryProofs implements ProofPort {
  /** What was proven, in its order. */
  readonly releases: ReleaseTerms[] = [];

  async checkRelease({ principal, given, terms }: { principal: Principal; given: GivenProof; terms: ReleaseTerms }): Promise<void> {
    if (principal.via === 'apiKey') throw new ApiError('PermissionMissing');
    if (given.google === undefined) throw new ApiError('MissingField', { field: 'google' });
    if (given.google !== '111111') throw new ApiError('InvalidCode');
    this.releases.push(terms);
  }

  async checkChange({ given }: { given: GivenProof }): Promise<void> {
    if (given.google === '000000') throw new ApiError('InvalidCode');
  }
}

export interface Market {
  otc: Otc;
  readonly heart: MemoryHeart;
  readonly db: Database<OtcTables>;
  readonly clock: { now: number };
  readonly keys: MemoryKeys;
  readonly files: MemoryFiles;
  readonly proofs: MemoryProofs;
  readonly letters: { readonly account: AccountId; readonly subject: string; readonly text: string }[];
  readonly news: OtcAnnouncement[];
  /** Real names of people whose identity is approved. */
  readonly names: Map<AccountId, string>;
  /** Accounts of one owner, each set. */
  readonly clusters: AccountId[][];
  readonly prices: AssistPrice[];
  readonly troubles: unknown[];
  /** An account that may trade, with 10,000 USDC and 10 BTC in funding. */
  newcomer(name: string): Promise<Person>;
  call<R extends Route>(
    who: Person | undefined,
    handler: Handler<R>,
    parts?: { query?: unknown; body?: unknown; via?: 'apiKey' },
  ): Promise<Awaited<ReturnType<Handler<R>>>>;
  /** Time passes, and what is due is done. */
  pass(ms: number): Promise<void>;
  submit(command: Command): Promise<readonly Event[]>;
  /** Free in the funding wallet, in whole coins. */
  free(who: Person, coin: string): Promise<string>;
  /** The service again on the same database and the same engine, as after a restart. */
  reopen(): Promise<void>;
  /** The service of another process on the same database and the same engine. @param changes as it hears them */
  beside(changes: Changes): Promise<Otc>;
  close(): Promise<void>;
}

export const openDatabase = (): Promise<TemporaryDatabase<OtcTables>> => temporaryDatabase<OtcTables>(migrations);

const TABLES = [
  'otc_offset',
  'otc_trader',
  'otc_advertisement',
  'otc_advertisement_text',
  'otc_payment_method',
  'otc_order_wish',
  'otc_order',
  'otc_step',
  'otc_order_method',
  'otc_message',
  'otc_receipt',
  'otc_statement',
  'otc_decision',
  'otc_appraisal',
  'otc_merchant',
  'otc_deposit',
  'otc_deposit_paid',
  'otc_notice',
] as const satisfies readonly (keyof OtcTables)[];

/** On an empty database: what others left in it is thrown away. @param changes of other processes; without them it is alone */
export async function openMarket(db: Database<OtcTables>, changes?: Changes): Promise<Market> {
  await sql.raw(`truncate ${TABLES.join(', ')} restart identity`).execute(db.sql);
  const clock = { now: 1_795_000_000_000 };
  const heart = new MemoryHeart(() => clock.now);
  await registerListing(heart);
  const parts = { keys: new MemoryKeys(), files: new MemoryFiles(), proofs: new MemoryProofs() };
  const letters: Market['letters'] = [];
  const news: OtcAnnouncement[] = [];
  const names: Market['names'] = new Map();
  const clusters: AccountId[][] = [];
  const prices: AssistPrice[] = [
    { coin: 'USDC', currency: 'usd', price: '1', source: 'fixed', ageMs: null },
    { coin: 'USDC', currency: 'cny', price: '7.1', source: 'fixed', ageMs: null },
    { coin: 'BTC', currency: 'usd', price: '100000', source: 'outside', ageMs: 1_000 },
    { coin: 'BTC', currency: 'cny', price: '710000', source: 'outside', ageMs: 1_000 },
  ];
  const troubles: unknown[] = [];
  const open = async (heard: Changes | undefined): Promise<Otc> => {
    const otc = await openOtc({
      leases: localLeases(),
      heart,
      db: db.sql,
      ...parts,
      traderKey: Buffer.alloc(32, 5),
      identities: {
        isVerified: (account) => names.has(account),
        realNameOf: (account) => Promise.resolve(names.get(account) ?? null),
      },
      letters: { send: (account, letter) => void letters.push({ account, ...letter }) },
      sessions: { accountOf: (token) => (token === '' ? undefined : accountId(Number(token))) },
      clusters: {
        membersOf: (account) => Promise.resolve(clusters.find((members) => members.includes(account)) ?? [account]),
      },
      assist: () => prices,
      changes: heard,
      minuteMs: MINUTE,
      now: () => clock.now,
      onTrouble: (error) => troubles.push(error),
    });
    otc.onNews((announcement) => news.push(announcement));
    return otc;
  };
  let opened = 0;
  const market: Market = {
    otc: await open(changes),
    heart,
    db,
    clock,
    ...parts,
    letters,
    news,
    names,
    clusters,
    prices,
    troubles,
    async newcomer(name) {
      opened += 1;
      return openAccount(heart, name, opened);
    },
    async call(who, handler, { query = {}, body = {}, via } = {}) {
      const principal =
        who === undefined
          ? undefined
          : {
              account: who.account,
              address: who.address,
              via: via ?? 'session',
              credential: 'x',
              permission: 'TRADE',
              tier: 'standard',
              endsAt: millis(0),
            };
      const call: unknown = {
        query,
        body,
        principal,
        caller: { origin: 'http://localhost:8080', bearer: who === undefined ? undefined : String(who.account) },
      };
      return Reflect.apply(handler, undefined, [call]) as never;
    },
    async pass(ms) {
      // A longer time between two commands would be an outage.
      for (const until = clock.now + ms; clock.now < until;) {
        clock.now = Math.min(until, clock.now + MINUTE);
        await heart.submit({ type: 'RunOtcTimers' });
      }
      await market.otc.caughtUp();
    },
    async submit(command) {
      return (await heart.submit(command)).events;
    },
    async free(who, coin) {
      const { asset, decimals } = assetByCode(coin);
      const view = heart.open();
      view.close();
      const fact = view.facts.find(
        (each) => each.type === 'BalanceChanged' && each.account === who.account && each.asset === asset && each.wallet === 'funding',
      );
      return fact?.type === 'BalanceChanged' ? String(Number(fact.free) / 10 ** decimals) : '0';
    },
    async reopen() {
      await market.otc.stop();
      market.otc = await open(changes);
    },
    beside: open,
    async close() {
      await market.otc.stop();
      heart.stop();
    },
  };
  return market;
}

async function openAccount(heart: MemoryHeart, name: string, number: number): Promise<Person> {
  const address = parseAddress(`0x${number.toString(16).padStart(40, '0')}`);
  assert(address !== undefined, 'the address is one');
  const { events } = await heart.submit({ type: 'OpenAccount', address });
  const [first] = events;
  assert(first?.type === 'AccountOpened', 'the account is open');
  const { account } = first;
  for (const flag of ['termsAccepted', 'whitelisted', 'connected'] as const)
    await heart.submit({ type: 'SetAccountFlag', account, flag, value: true });
  for (const [coin, amount] of [
    ['USDC', '10000'],
    ['BTC', '10'],
  ] as const) {
    const { asset, decimals } = assetByCode(coin);
    await heart.submit({
      type: 'CreditDeposit',
      key: `138565:${address}:${coin}`,
      address,
      asset,
      amount: parseAtoms(amount, decimals) ?? atoms(0n),
    });
  }
  return { name, account: accountId(account), address };
}

/** The reason of the refusal, with the field it names. */
export async function refusalOf(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.data.field === '' ? error.data.reason : `${error.data.reason} ${error.data.field}`;
  }
}
