/** Deposits that left the chain after they were credited, as operators see them, and the write-off of one that will not return. */
import { ApiError, type LostDeposit } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import type { Heart } from '@orrery/protocol';
import { assert, atoms, printAtoms } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { ListedTokens } from './listed-tokens.ts';
import type { IndexerTables } from './tables.ts';

interface WriteOffsOptions {
  readonly heart: Heart;
  readonly sql: Kysely<IndexerTables>;
  readonly tokens: ListedTokens;
}

export class WriteOffs {
  readonly #options: WriteOffsOptions;

  constructor(options: WriteOffsOptions) {
    this.#options = options;
  }

  /** Those that are away and those that were written off, the latest to leave first. */
  async lost({ page, size }: { page: number; size: number }): Promise<{ list: LostDeposit[]; total: number }> {
    const total = await countUpTo(this.#options.sql, this.#all().select('indexer_orphan.key'));
    const rows = await this.#rows()
      .orderBy((row) => row.fn.coalesce('since', row.val(0)), 'desc')
      .orderBy('indexer_orphan.key')
      .limit(size)
      .offset((page - 1) * size)
      .execute();
    return { list: rows.map((row) => this.#shown(row)), total };
  }

  /** Undefined when no deposit of this key is away. */
  async find(key: string): Promise<LostDeposit | undefined> {
    const row = await this.#rows().where('indexer_orphan.key', '=', key).executeTakeFirst();
    return row === undefined ? undefined : this.#shown(row);
  }

  /** Written off again nothing happens. @throws ApiError when it is on the chain again. */
  async writeOff(key: string): Promise<void> {
    const { events } = await this.#options.heart.submit({ type: 'WriteOffDeposit', key });
    const refused = events.find((event) => event.type === 'CommandRejected');
    if (refused !== undefined) throw new ApiError(refused.reason, { field: refused.field });
  }

  #all() {
    return this.#options.sql
      .selectFrom('indexer_orphan')
      .leftJoin('indexer_write_off', (join) =>
        join.onRef('indexer_write_off.key', '=', 'indexer_orphan.key').on('indexer_write_off.returned_at', 'is', null),
      )
      .where((row) => row.or([row('settled_at', 'is', null), row('indexer_write_off.key', 'is not', null)]));
  }

  #rows() {
    return this.#all()
      .leftJoin('indexer_suspense', 'indexer_suspense.key', 'indexer_orphan.key')
      .leftJoin('indexer_deposit', 'indexer_deposit.key', 'indexer_orphan.key')
      .innerJoin('indexer_account', 'indexer_account.address', 'indexer_orphan.address')
      .select([
        'indexer_orphan.key',
        'indexer_orphan.token',
        'indexer_orphan.amount',
        'indexer_orphan.since',
        'indexer_account.account',
        'indexer_suspense.amount as suspended',
        'indexer_deposit.block_number as block',
        'indexer_write_off.paid',
        'indexer_write_off.written_at as writtenAt',
      ]);
  }

  #shown(row: Lost): LostDeposit {
    const token = this.#options.tokens.at(row.token);
    assert(token !== undefined, 'a deposit that was credited is of a listed token');
    const print = (amount: string): string => printAtoms(atoms(BigInt(amount)), token.decimals);
    const [, txHash = ''] = row.key.split(':');
    return {
      key: row.key,
      txHash,
      account: row.account,
      coin: token.coin,
      amount: print(row.amount),
      suspended: print(row.suspended ?? '0'),
      since: row.since,
      state: row.block === null ? (row.paid === null ? 'LOST' : 'WRITTEN_OFF') : 'RETURNING',
      paid: row.paid === null ? null : print(row.paid),
      writtenAt: row.writtenAt,
    };
  }
}

interface Lost {
  readonly key: string;
  readonly token: string;
  readonly amount: string;
  readonly since: number | null;
  readonly account: number;
  readonly suspended: string | null;
  readonly block: number | null;
  readonly paid: string | null;
  readonly writtenAt: number | null;
}
