/**
 * E-mail wallets: keys that no one holds whole. A key is made on the signing page and split 2 of 3; kept here are the share of the exchange,
 * encrypted under the key of the person, and the recovery share, which the page encrypted under a passphrase. Neither signs anything without the other or the device's.
 */
import { ApiError, type BodyOf, type Caller, type Principal, walletBindText, type walletRoutes, type WalletTicketUse } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import { type AccountId, accountId, type Address, addressOf } from '@orrery/units';
import type { Kysely, Transaction } from 'kysely';
import type { Hex } from 'viem';
import { CHANGE, type Factors, type GivenFactors } from './factors/factors.ts';
import type { LoginRecords } from './login-record.ts';
import type { NameAccounts } from './name-accounts.ts';
import type { Names } from './names/names.ts';
import type { Passwords } from './names/passwords.ts';
import { hashToken } from './opaque-token.ts';
import type { PassphraseStretch } from './passphrase-stretch.ts';
import type { PersonKeys } from './person-keys.ts';
import type { Sessions } from './sessions.ts';
import type { Signers } from './signers.ts';
import type { AccountsTables } from './tables.ts';
import { type WalletTicket, WalletTickets } from './wallet-tickets.ts';
import { WalletTries } from './wallet-tries.ts';

/** A key is recovered soon after a login, so that a session that was left open gives nothing out. */
export const FRESH_LOGIN_MS = 10 * 60_000;
/** Of one wallet, over all its tickets. */
export const PASSPHRASE_TRIES = { most: 10, perMs: 24 * 3_600_000 } as const;

type Shares = BodyOf<(typeof walletRoutes)['walletCreate']>;
type Row = AccountsTables['accounts_embedded_wallet'];

interface Move {
  readonly from: AccountId;
  readonly to: AccountId;
}

export interface EmbeddedWalletsParts {
  readonly db: Kysely<AccountsTables>;
  readonly keys: PersonKeys;
  readonly directory: AccountDirectory;
  readonly signers: Pick<Signers, 'of'>;
  readonly sessions: Sessions;
  readonly factors: Factors;
  readonly names: Names;
  readonly records: LoginRecords;
  readonly passwords: Passwords;
  readonly nameAccounts: NameAccounts;
  readonly stretch: PassphraseStretch;
  readonly now: () => number;
}

export class EmbeddedWallets {
  readonly #parts: EmbeddedWalletsParts;
  readonly #tickets: WalletTickets;
  readonly #tries: WalletTries;
  readonly #wallets = new Set<AccountId>();
  readonly #openedFrom = new Map<AccountId, AccountId>();

  constructor(parts: EmbeddedWalletsParts) {
    this.#parts = parts;
    this.#tries = new WalletTries(parts);
    this.#tickets = new WalletTickets({ db: parts.db, tries: this.#tries, now: parts.now });
  }

  async load(): Promise<void> {
    await this.#takeOver();
    await this.readAgain();
  }

  /** As the row says, whatever memory has. @param account undefined: of all */
  async readAgain(account?: AccountId): Promise<void> {
    const rows = await this.#parts.db
      .selectFrom('accounts_embedded_wallet')
      .select(['account', 'opened_from'])
      .$if(account !== undefined, (of) => of.where('account', '=', account ?? 0))
      .execute();
    if (account === undefined) {
      this.#wallets.clear();
      this.#openedFrom.clear();
    } else this.erased(account);
    for (const row of rows) this.#keep({ from: accountId(row.opened_from), to: accountId(row.account) });
  }

  has(account: AccountId): boolean {
    return this.#wallets.has(account);
  }

  /** The address of the wallet to which the name of this account moved. */
  successorOf(account: AccountId): Address | undefined {
    const to = this.#openedFrom.get(account);
    return to === undefined ? undefined : this.#parts.directory.get(to)?.address;
  }

  /** The account from which this wallet was made. */
  sourceOf(account: AccountId): AccountId | undefined {
    for (const [from, to] of this.#openedFrom) if (to === account) return from;
    return undefined;
  }

  /** After the transaction in which it was deleted. */
  erased(account: AccountId): void {
    const from = this.sourceOf(account);
    if (from !== undefined) this.#openedFrom.delete(from);
    this.#wallets.delete(account);
  }

  /** @throws ApiError UnknownThing where there is no wallet for this use; SessionExpired after too long; what is wrong with the factor; TooManyRequests. */
  async issueTicket(principal: Principal, { use, ...given }: { use: WalletTicketUse } & GivenFactors, { origin }: Caller): Promise<string> {
    const { account, credential } = principal;
    const { factors, names, sessions, now } = this.#parts;
    if (use === 'create' ? !canCreate(names, account) : !this.has(account)) throw new ApiError('UnknownThing', { field: 'wallet' });
    if (use === 'recover') {
      const session = sessions.of(account).find(({ sessionId }) => sessionId === credential);
      const message = 'log in again by e-mail: a wallet is recovered within ten minutes of a login';
      if (session === undefined || session.createdAt <= now() - FRESH_LOGIN_MS) throw new ApiError('NotQualified', { message });
    }
    if (use === 'export' && !factors.has(account))
      throw new ApiError('MissingField', { field: 'google', message: 'bind an authenticator app or a passkey before the key is exported' });
    const asked = { origin, purpose: CHANGE };
    if (use === 'export') await factors.demandedForMoney(account, given, asked)();
    else if (use !== 'sign') await factors.required(account, given, asked)?.();
    return this.#tickets.issue({ account, credential }, use);
  }

  /** Binds a new wallet. @throws ApiError InvalidNonce, InvalidSignature; AlreadyThere for an address that is somebody's. */
  async create(given: Shares, caller: Caller): Promise<null> {
    const { db, directory, factors, names, passwords, nameAccounts, records, sessions } = this.#parts;
    const ticket = await this.#tickets.take(given.ticket, ['create']);
    const address = await this.#checkPossession(given);
    if (directory.find(address) !== undefined) throw new ApiError('AlreadyThere', { field: 'walletAddress' });
    if (!canCreate(names, ticket.account)) throw new ApiError('AlreadyThere', { field: 'wallet' });
    const { account } = await directory.open(address);
    const move = { from: ticket.account, to: account };
    await db.transaction().execute(async (tx) => {
      // The row comes first: of two tickets of one account, the second fails before anything moves.
      const times = { created_at: this.#parts.now(), renewed_at: this.#parts.now() };
      await tx
        .insertInto('accounts_embedded_wallet')
        .values({ account, opened_from: move.from, ...times, ...(await this.#encrypted(account, given)) })
        .execute();
      for (const part of [names, passwords, records, factors.totp, factors.passkeys, factors.holds]) await part.move(move, tx);
      await moveRows(move, tx);
    });
    for (const part of [names, passwords, factors.totp, factors.passkeys]) part.moved(move);
    this.#keep(move);
    // Each session of the account before can enter this one.
    for (const { sessionId } of sessions.of(move.from)) if (sessionId !== ticket.credential) await sessions.end(sessionId);
    nameAccounts.notify(account, 'walletCreated', caller);
    return null;
  }

  /**
   * The passphrase of a wallet that is about to be created. The ticket stays good, and is worth nothing once the wallet is there: tries of its passphrase are
   * recoveries. @throws ApiError TooManyRequests; InvalidNonce.
   */
  async stretch({ ticket, blinded }: { ticket: string; blinded: string }): Promise<{ evaluated: string }> {
    const { account } = await this.#tickets.look(ticket, ['create']);
    if (!canCreate(this.#parts.names, account)) throw new ApiError('InvalidNonce');
    await this.#tries.take(account, 'passphrase', PASSPHRASE_TRIES);
    return { evaluated: this.#parts.stretch.evaluate(account, blinded) };
  }

  /** The share of the exchange, for the browser whose secret this is. @throws ApiError InvalidNonce; NotYours for another browser or address. */
  async share(
    given: { ticket: string; walletAddress: string; device: string },
    caller: Caller,
  ): Promise<{ share: string; use: 'sign' | 'export' }> {
    const { account, use } = await this.#tickets.take(given.ticket, ['sign', 'export']);
    const row = await this.#rowOf(account, given.walletAddress);
    if (row.device_hash !== hashToken(given.device)) throw new ApiError('NotYours', { field: 'device' });
    if (use === 'export') this.#parts.nameAccounts.notify(account, 'walletExported', caller);
    return { share: await this.#decrypt(account, row.sealed_share, shareOwner(account)), use: use === 'export' ? 'export' : 'sign' };
  }

  /**
   * What the passphrase opens, for one try of it. Nothing is given out before the owner is written to and withdrawals are held: who reads the mailbox could
   * guess the passphrase then. The ticket stays good for `renew`. @throws ApiError TooManyRequests.
   */
  async recover(
    given: { ticket: string; walletAddress: string; blinded: string },
    caller: Caller,
  ): Promise<{ share: string; recovery: string; evaluated: string }> {
    const { db, factors, nameAccounts, stretch } = this.#parts;
    const { account } = await this.#tickets.look(given.ticket, ['recover']);
    const row = await this.#rowOf(account, given.walletAddress);
    await this.#tries.take(account, 'passphrase', PASSPHRASE_TRIES);
    await db.transaction().execute((tx) => factors.holds.begin(account, tx));
    nameAccounts.notify(account, 'walletRecoveryBegun', caller);
    const evaluated = stretch.evaluate(accountId(row.opened_from), given.blinded);
    return {
      share: await this.#decrypt(account, row.sealed_share, shareOwner(account)),
      recovery: await this.#decrypt(account, row.sealed_recovery, recoveryOwner(account)),
      evaluated,
    };
  }

  /** New shares in the place of those before, by a signature of the same key. @returns when withdrawals are free again, unix milliseconds. */
  async renew(given: Shares, caller: Caller): Promise<{ withdrawalsHeldUntil: number }> {
    const ticket: WalletTicket = await this.#tickets.take(given.ticket, ['recover']);
    const { account } = ticket;
    await this.#rowOf(account, await this.#checkPossession(given));
    const write = async (tx: Transaction<AccountsTables>): Promise<void> => {
      const fresh = { ...(await this.#encrypted(account, given)), renewed_at: this.#parts.now() };
      await tx.updateTable('accounts_embedded_wallet').set(fresh).where('account', '=', account).execute();
    };
    const after = { keep: ticket.credential, event: 'walletRecovered', caller } as const;
    return { withdrawalsHeldUntil: await this.#parts.nameAccounts.change(account, write, after) };
  }

  async #checkPossession({ walletAddress, ticket, signature }: Shares): Promise<Address> {
    const address = addressOf(walletAddress.toLowerCase());
    const text = walletBindText({ address, ticket });
    if ((await this.#parts.signers.of({ text, signature: signature as Hex })) !== address) throw new ApiError('InvalidSignature');
    return address;
  }

  async #rowOf(account: AccountId, walletAddress: string): Promise<Row> {
    const { db, directory } = this.#parts;
    if (directory.get(account)?.address !== walletAddress.toLowerCase()) throw new ApiError('NotYours', { field: 'walletAddress' });
    const row = await db.selectFrom('accounts_embedded_wallet').selectAll().where('account', '=', account).executeTakeFirst();
    if (row === undefined) throw new ApiError('UnknownThing', { field: 'wallet' });
    return row;
  }

  async #encrypted(account: AccountId, { serverShare, recovery, device }: Shares) {
    const { keys } = this.#parts;
    return {
      sealed_share: await keys.encrypt(account, Buffer.from(serverShare), shareOwner(account)),
      sealed_recovery: await keys.encrypt(account, Buffer.from(recovery), recoveryOwner(account)),
      device_hash: hashToken(device),
      under_person_key: true,
    };
  }

  /** @throws ApiError UnknownThing where the key of the person is erased. */
  async #decrypt(account: AccountId, encrypted: Buffer, what: string): Promise<string> {
    const bytes = await this.#parts.keys.decrypt(account, encrypted, what);
    if (bytes === undefined) throw new ApiError('UnknownThing', { field: 'wallet' });
    return bytes.toString('utf8');
  }

  /** Shares of before there was a key per person are sealed by the master key. */
  async #takeOver(): Promise<void> {
    const { db, keys } = this.#parts;
    const old = await db.selectFrom('accounts_embedded_wallet').selectAll().where('under_person_key', '=', false).execute();
    for (const row of old) {
      const account = accountId(row.account);
      await db.transaction().execute(async (tx) => {
        const shares = {
          sealed_share: await keys.takeOver(account, row.sealed_share, shareOwner(account)),
          sealed_recovery: await keys.takeOver(account, row.sealed_recovery, recoveryOwner(account)),
        };
        await tx
          .updateTable('accounts_embedded_wallet')
          .set({ ...shares, under_person_key: true })
          .where('account', '=', account)
          .execute();
      });
    }
  }

  #keep({ from, to }: Move): void {
    this.#wallets.add(to);
    this.#openedFrom.set(from, to);
  }
}

const shareOwner = (account: AccountId): string => `wallet share ${account}`;
const recoveryOwner = (account: AccountId): string => `wallet recovery ${account}`;

/** It was opened by a name and has it still. */
function canCreate(names: Names, account: AccountId): boolean {
  const { isWithoutWallet, email, tel } = names.factsOf(account);
  return isWithoutWallet && (email !== null || tel !== null);
}

/** What else follows the name. */
async function moveRows({ from, to }: Move, tx: Transaction<AccountsTables>): Promise<void> {
  await tx.updateTable('accounts_trace').set({ account: to }).where('account', '=', from).execute();
  await tx.updateTable('accounts_collection').set({ account: to }).where('account', '=', from).execute();
}
