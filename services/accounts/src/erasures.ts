/**
 * Erasures: an account is deleted a waiting time after its owner or two operators have asked for it, and may be kept until then. What is asked for
 * is a row, which goes last, so that a program that was killed goes on with it at its next start.
 */
import { ApiError, type Erasure } from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { type AccountId, accountId } from '@orrery/units';
import type { Selectable } from 'kysely';
import { erasePerson, type EraserParts, type PersonOnRecord } from './erase-person.ts';
import { holdingsOf } from './holdings.ts';
import type { Outbox } from './mail/outbox.ts';
import { erasedLetter, type EventPlace } from './names/letters.ts';
import type { Notices } from './names/notices.ts';
import type { AccountsTables } from './tables.ts';

/** What another service keeps of a person, gone when it resolves; asked for again it changes nothing. */
export type ErasesElsewhere = (person: PersonOnRecord) => Promise<void>;

interface Wish {
  readonly account: AccountId;
  readonly askedBy: Erasure['askedBy'];
  readonly abandon: boolean;
}

interface ErasuresParts extends EraserParts {
  readonly heart: Heart;
  readonly directory: AccountDirectory;
  readonly notices: Notices;
  readonly outbox: Outbox;
  readonly waitMs: number;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

/** Where nobody's browser caused it. */
const OURS: EventPlace = { userAgent: 'the exchange itself', ip: 'none' };

export class Erasures {
  readonly #parts: ErasuresParts;
  /** Undefined until every service is open: nothing is erased in part. */
  #elsewhere: readonly ErasesElsewhere[] | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(parts: ErasuresParts) {
    this.#parts = parts;
  }

  get waitSeconds(): number {
    return this.#parts.waitMs / 1_000;
  }

  /** From here on what is due is done. */
  begin(elsewhere: readonly ErasesElsewhere[]): void {
    this.#elsewhere = elsewhere;
  }

  async of(account: AccountId): Promise<Erasure | undefined> {
    const row = await this.#parts.db.selectFrom('accounts_erasure').selectAll().where('account', '=', account).executeTakeFirst();
    return row === undefined ? undefined : erasureOf(row);
  }

  /** @throws ApiError AccountNotEmpty with what there is, UnknownThing where there is no account. */
  check({ account, abandon }: Pick<Wish, 'account' | 'abandon'>): void {
    const { directory, heart } = this.#parts;
    if (directory.get(account) === undefined) throw new ApiError('UnknownThing', { field: 'account' });
    const holdings = abandon ? undefined : holdingsOf(heart, account);
    if (holdings === undefined) return;
    const message = `this account still has ${holdings}: take everything out first, or say that you give it up`;
    throw new ApiError('AccountNotEmpty', { field: 'abandon', message });
  }

  /** @throws ApiError AlreadyThere while it waits already. */
  async ask(wish: Wish, place: EventPlace = OURS): Promise<Erasure> {
    const { db, notices, now, waitMs } = this.#parts;
    this.check(wish);
    const { account, askedBy, abandon } = wish;
    const row = { account, asked_by: askedBy, asked_at: now(), due_at: now() + waitMs, abandon };
    const written = await db
      .insertInto('accounts_erasure')
      .values(row)
      .onConflict((conflict) => conflict.column('account').doNothing())
      .returning('account')
      .executeTakeFirst();
    if (written === undefined)
      throw new ApiError('AlreadyThere', { field: 'erasure', message: 'this account waits to be deleted already' });
    notices.notify(account, 'erasureAsked', { ...place, dueAt: row.due_at });
    return erasureOf(row);
  }

  /** @throws ApiError UnknownThing where nothing waits, or its time has come. */
  async keep(account: AccountId, place: EventPlace = OURS): Promise<void> {
    const { db, now } = this.#parts;
    const kept = await db
      .deleteFrom('accounts_erasure')
      .where('account', '=', account)
      .where('due_at', '>', now())
      .returning('account')
      .executeTakeFirst();
    if (kept === undefined) throw new ApiError('UnknownThing', { field: 'erasure', message: 'nobody has asked to delete this account' });
    this.#parts.notices.notify(account, 'accountKept', place);
  }

  /** Does what is due by the clock, one after the other. */
  async runDue(): Promise<void> {
    const elsewhere = this.#elsewhere;
    if (elsewhere === undefined) return;
    const run = this.#running.then(async () => {
      const { db, now, onTrouble } = this.#parts;
      const due = await db.selectFrom('accounts_erasure').selectAll().where('due_at', '<=', now()).orderBy('due_at').execute();
      for (const row of due) await this.#run(accountId(row.account), row.abandon, elsewhere).catch(onTrouble);
    });
    this.#running = run.catch(() => undefined);
    await run;
  }

  async #run(account: AccountId, abandon: boolean, elsewhere: readonly ErasesElsewhere[]): Promise<void> {
    const { db, directory, heart, names, notices, outbox } = this.#parts;
    // Who deletes the row writes the letter: the other of two that were at it at once does not.
    const drop = async (): Promise<boolean> =>
      (await db.deleteFrom('accounts_erasure').where('account', '=', account).returning('account').execute()).length > 0;
    if (!abandon && holdingsOf(heart, account) !== undefined) {
      // It came in after it was asked for.
      if (await drop()) notices.notify(account, 'erasureRefused', OURS);
      return;
    }
    const receivers = (['email', 'phone'] as const).flatMap((kind) => names.nameOf(account, kind) ?? []);
    for (const person of this.#personsOf(account)) {
      // The signatures that they stand for are deleted.
      for (const flag of ['termsAccepted', 'connected'] as const) await directory.unsetFlag(person.account, flag);
      for (const erase of elsewhere) await erase(person);
      await erasePerson(person, this.#parts);
    }
    const isOurs = await drop();
    outbox.forget(receivers.map(({ text }) => text));
    const [first] = receivers;
    if (isOurs && first !== undefined && outbox.canSend(first.kind === 'email' ? 'email' : 'text')) outbox.put(erasedLetter(first));
  }

  /** An e-mail wallet has an account of its own beside the one from which it was made. */
  #personsOf(account: AccountId): readonly PersonOnRecord[] {
    const { directory, wallets } = this.#parts;
    const from = wallets.sourceOf(account);
    return [...(from === undefined ? [] : [from]), account].flatMap((each) => {
      const address = directory.get(each)?.address;
      return address === undefined ? [] : [{ account: each, address }];
    });
  }
}

const erasureOf = (row: Selectable<AccountsTables['accounts_erasure']>): Erasure => ({
  askedBy: row.asked_by,
  askedTime: row.asked_at,
  dueTime: row.due_at,
  abandon: row.abandon,
});
