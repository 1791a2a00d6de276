/** Where people are paid: encrypted under their own key, shown in full to themselves and to the other side of a live order. */
import { randomBytes } from 'node:crypto';
import { type AddOtcPaymentMethod, ApiError, OTC_METHODS_MAX, type OtcPaymentKind, type OtcPaymentMethod } from '@orrery/api';
import { type AccountId, accountId } from '@orrery/units';
import { sql } from 'kysely';
import { malformed } from './money.ts';
import type { PersonKeysPort } from './ports.ts';
import { opened, sealed } from './sealed.ts';
import type { OtcDb, OtcTx } from './tables.ts';

/** What is encrypted. */
interface Said {
  readonly name: string;
  readonly number: string;
  readonly bank: string | null;
}

interface Row {
  readonly method_id: string;
  readonly account: number;
  readonly kind: string;
  readonly sealed: Buffer | null;
  readonly masked: string;
}

const boundTo = (methodId: string): string => `otc payment method ${methodId}`;

export class PaymentMethods {
  readonly #db: OtcDb;
  readonly #keys: PersonKeysPort;
  readonly #now: () => number;

  constructor(parts: { db: OtcDb; keys: PersonKeysPort; now: () => number }) {
    this.#db = parts.db;
    this.#keys = parts.keys;
    this.#now = parts.now;
  }

  /** The latest first. */
  async list(account: AccountId): Promise<OtcPaymentMethod[]> {
    const rows = await this.#db
      .selectFrom('otc_payment_method')
      .selectAll()
      .where('account', '=', account)
      .where('removed_at', 'is', null)
      .orderBy('created_at', 'desc')
      .orderBy('method_id')
      .execute();
    return Promise.all(rows.map((row) => this.shown(row)));
  }

  /** @throws ApiError MissingField of a bank without its name, TooMany. */
  async add(account: AccountId, { kind, name, number, bank: given }: AddOtcPaymentMethod): Promise<OtcPaymentMethod> {
    const bank = given ?? null;
    if (kind === 'BANK' && bank === null) throw new ApiError('MissingField', { field: 'bank' });
    if (kind !== 'BANK' && bank !== null) throw malformed('bank', 'bank is for accounts of banks');
    const methodId = randomBytes(16).toString('hex');
    const said: Said = { name: name.trim(), number: number.trim(), bank };
    if (said.name === '') throw malformed('name');
    const row = {
      method_id: methodId,
      account,
      kind,
      sealed: await sealed(this.#keys, account, boundTo(methodId), said),
      masked: JSON.stringify({ name: maskedName(said.name), number: maskedNumber(said.number), bank }),
      created_at: this.#now(),
      removed_at: null,
    };
    await this.#db.transaction().execute(async (tx) => {
      await lockMethods(tx, account);
      const { count } = await tx
        .selectFrom('otc_payment_method')
        .select((of) => of.fn.countAll<number>().as('count'))
        .where('account', '=', account)
        .where('removed_at', 'is', null)
        .executeTakeFirstOrThrow();
      if (count >= OTC_METHODS_MAX)
        throw new ApiError('TooMany', { field: 'paymentMethods', message: `a person has at most ${OTC_METHODS_MAX} payment methods` });
      await tx.insertInto('otc_payment_method').values(row).execute();
    });
    return this.shown(row);
  }

  /** @throws ApiError UnknownThing unless it is one of the account, NotNow while a live advertisement names it. */
  async remove(account: AccountId, methodId: string): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      await lockMethods(tx, account);
      const named = await sql`
        select 1 from otc_advertisement a join otc_advertisement_text t on t.account = a.account and t.client_id = a.client_id
        where a.account = ${account} and a.state <> 'TAKEN_DOWN' and ${methodId} = any(t.method_ids) limit 1`.execute(tx);
      const { numDeletedRows } = await tx
        .deleteFrom('otc_payment_method')
        .where('account', '=', account)
        .where('method_id', '=', methodId)
        .executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw new ApiError('UnknownThing', { field: 'paymentMethodId' });
      if (named.rows.length > 0) throw new ApiError('OtcMethodInUse', { field: 'paymentMethodId' });
    });
  }

  /** Their kinds, in the order of the ids. @throws ApiError UnknownThing unless each is one of the account. */
  async kindsOf(db: OtcDb | OtcTx, account: AccountId, methodIds: readonly string[]): Promise<OtcPaymentKind[]> {
    const rows = await db
      .selectFrom('otc_payment_method')
      .select(['method_id', 'kind'])
      .where('account', '=', account)
      .where('removed_at', 'is', null)
      .where('method_id', 'in', [...methodIds])
      .execute();
    const kinds = new Map(rows.map((row) => [row.method_id, row.kind as OtcPaymentKind]));
    return methodIds.map((methodId) => {
      const kind = kinds.get(methodId);
      if (kind === undefined) throw new ApiError('UnknownThing', { field: 'paymentMethodIds' });
      return kind;
    });
  }

  /** In full where the bytes are there and their key too, masked otherwise. */
  async shown({ method_id: paymentMethodId, account, kind: text, sealed: bytes, masked }: Row): Promise<OtcPaymentMethod> {
    const kind = text as OtcPaymentKind;
    const said =
      bytes === null ? undefined : ((await opened(this.#keys, accountId(account), boundTo(paymentMethodId), bytes)) as Said | undefined);
    if (said !== undefined) return { paymentMethodId, kind, ...said, masked: false };
    return { paymentMethodId, kind, ...(JSON.parse(masked) as Said), masked: true };
  }
}

/** One at a time of an account: no method goes while an advertisement begins to name it. */
export async function lockMethods(tx: OtcTx, account: AccountId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('otc_payment_method'), ${account}::int)`.execute(tx);
}

/** The first letter of each part. */
const maskedName = (name: string): string =>
  name
    .split(/\s+/)
    .map((part) => `${/^./u.exec(part)?.[0] ?? ''}***`)
    .join(' ');

/** The last two characters. */
const maskedNumber = (number: string): string => `…${number.slice(-2)}`;
