/**
 * The keys that this service seals with, in SQL and wrapped by the master key, so that every process on the database has the same: that of its own secrets,
 * and, by generations, those that wrap the keys of persons. A new master key begins a new generation.
 */
import { assert } from '@orrery/units';
import { type Kysely, sql, type Transaction } from 'kysely';
import { type ByteBox, newKey, type SecretBox, secretBox } from '../sealed-secret.ts';
import type { AccountsTables } from '../tables.ts';
import { type MasterKey, MasterKeyError } from './master-key.ts';

type Db = Kysely<AccountsTables>;
type Tx = Transaction<AccountsTables>;

/** The number of the key of the service's own secrets; those of persons have numbers from 1 on. */
const OWN = 0;
const FIRST = 1;

export class WrappingKeys {
  /** For secrets of the service, and for keyed hashes. */
  readonly own: SecretBox;
  readonly #db: Db;
  readonly #master: MasterKey;
  readonly #boxes: Map<number, ByteBox>;

  private constructor(parts: { db: Db; master: MasterKey; own: SecretBox; boxes: Map<number, ByteBox> }) {
    this.#db = parts.db;
    this.#master = parts.master;
    this.own = parts.own;
    this.#boxes = parts.boxes;
  }

  /**
   * Makes the keys where there are none: of two processes that do so at once both read back those that stand.
   * @param former the master key until now, where this start brings another
   * @throws MasterKeyError when the keys in SQL are wrapped by neither
   */
  static async open({ db, master, former }: { db: Db; master: MasterKey; former?: MasterKey | undefined }): Promise<WrappingKeys> {
    await make(db, master);
    if (former !== undefined) await rotate(db, { master, former });
    const rows = await db.selectFrom('accounts_wrapping_key').selectAll().execute();
    if (rows.some((row) => row.master !== master.id)) throw foreignKeys();
    const boxes = new Map<number, ByteBox>();
    for (const { generation, wrapped } of rows) boxes.set(generation, secretBox(await master.unwrap(wrapped, boundTo(generation))));
    const own = boxes.get(OWN);
    assert(own !== undefined, 'the key of the secrets of the service is there');
    boxes.delete(OWN);
    return new WrappingKeys({ db, master, own, boxes });
  }

  /** Whether a database has keys already, by whatever master key. */
  static async exist(db: Db): Promise<boolean> {
    return (await db.selectFrom('accounts_wrapping_key').select('generation').limit(1).executeTakeFirst()) !== undefined;
  }

  /** Under it what is made from now on is wrapped. */
  get newest(): number {
    return Math.max(...this.#boxes.keys());
  }

  /** Reads it, where another process began it. @throws MasterKeyError when that was with another master key */
  async box(generation: number): Promise<ByteBox> {
    const known = this.#boxes.get(generation);
    if (known !== undefined) return known;
    const row = await this.#db.selectFrom('accounts_wrapping_key').selectAll().where('generation', '=', generation).executeTakeFirst();
    if (row === undefined || row.master !== this.#master.id) throw foreignKeys();
    const box = secretBox(await this.#master.unwrap(row.wrapped, boundTo(generation)));
    this.#boxes.set(generation, box);
    return box;
  }

  /** Nothing is wrapped by it any more: it goes. One under which another process has just wrapped something stays, and goes at a later start. */
  async forget(generation: number): Promise<void> {
    await sql`
      delete from accounts_wrapping_key old where generation = ${generation}
      and not exists (select from accounts_wrapped_person_key where generation = old.generation)`.execute(this.#db);
    this.#boxes.delete(generation);
  }

  get generations(): readonly number[] {
    return [...this.#boxes.keys()].toSorted((a, b) => a - b);
  }
}

async function make(db: Db, master: MasterKey): Promise<void> {
  if (await WrappingKeys.exist(db)) return;
  await db.transaction().execute(async (tx) => {
    await lock(tx);
    const there = await tx.selectFrom('accounts_wrapping_key').select('generation').execute();
    if (there.length > 0) return;
    await insert(tx, { master, generation: OWN, key: master.sealedBefore ?? newKey() });
    await insert(tx, { master, generation: FIRST, key: newKey() });
  });
}

/** In one transaction: a kill leaves all of them wrapped by the former key, or by the new one. */
async function rotate(db: Db, { master, former }: { master: MasterKey; former: MasterKey }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lock(tx);
    const rows = await tx.selectFrom('accounts_wrapping_key').selectAll().execute();
    const old = rows.filter((row) => row.master === former.id && former.id !== master.id);
    for (const { generation, wrapped } of old) {
      const key = await former.unwrap(wrapped, boundTo(generation));
      const again = { wrapped: await master.wrap(key, boundTo(generation)), master: master.id };
      await tx.updateTable('accounts_wrapping_key').set(again).where('generation', '=', generation).execute();
    }
    const newest = Math.max(...rows.map(({ generation }) => generation));
    if (old.length > 0) await insert(tx, { master, generation: newest + 1, key: newKey() });
  });
}

const lock = (tx: Tx) => sql`lock table accounts_wrapping_key in share row exclusive mode`.execute(tx);

async function insert(tx: Tx, { master, generation, key }: { master: MasterKey; generation: number; key: Buffer }): Promise<void> {
  const wrapped = await master.wrap(key, boundTo(generation));
  await tx.insertInto('accounts_wrapping_key').values({ generation, wrapped, master: master.id }).execute();
}

const boundTo = (generation: number): string => `wrapping key ${generation}`;

const foreignKeys = (): Error =>
  new MasterKeyError(
    'The keys in the database are wrapped by another master key than that of this process: give it the same file, and the former one too where the key was changed.',
  );
