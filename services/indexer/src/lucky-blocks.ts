/**
 * Finds the lucky blocks among the final ones, each once. A block that the chain takes back although it was final stays
 * listed as taken back; the block that replaces it is checked again.
 */
import { LUCKY_PREFIXES } from '@orrery/api';
import { countUpTo } from '@orrery/foundation';
import type { Address } from '@orrery/units';
import { type Kysely, type Selectable, sql as raw, type Transaction } from 'kysely';
import { lowerCase } from './chain-block.ts';
import { finalBlock } from './confirmations.ts';
import type { Reorg } from './scanner.ts';
import type { IndexerTables } from './tables.ts';

export interface LuckyBlocksOptions {
  readonly sql: Kysely<IndexerTables>;
  /** By connections of their own, for the public list. */
  readonly reads: Kysely<IndexerTables>;
  readonly fromBlock: number;
  readonly required: number;
  readonly now: () => number;
}

export interface LuckyFind {
  /** Counts up in the order of finding; one that comes back after it was taken back has a new one. */
  readonly id: number;
  readonly blockNumber: number;
  readonly blockHash: string;
  /** Unix milliseconds, by the chain's clock. */
  readonly blockTime: number;
  /** Unix milliseconds, by ours. */
  readonly foundAt: number;
  /** The first of the block; undefined in an empty one. */
  readonly transaction:
    | {
        readonly hash: string;
        readonly sender: Address;
        readonly recipient: Address | undefined;
        readonly value: bigint;
        readonly hasData: boolean;
      }
    | undefined;
  readonly isTakenBack: boolean;
}

/** Blocks in which something could have been lucky, and those that were. */
export interface Draws {
  readonly draws: number;
  readonly lucky: number;
}

export interface DrawsQuery {
  /** Whose transaction comes first in the block; every block, the empty ones too, when it is left out. */
  readonly sender?: Address;
  /** Block times: from `from` until before `until`. */
  readonly from: number;
  readonly until: number;
}

const OFFSET = 'lucky';
const PREFIX_LENGTH = LUCKY_PREFIXES[0].length;

export class LuckyBlocks {
  readonly #options: LuckyBlocksOptions;
  readonly #waiters = new Set<{ readonly at: number; readonly resolve: () => void }>();
  #readAt = 0;

  constructor(options: LuckyBlocksOptions) {
    this.#options = options;
  }

  /** @param read.askedAt when the chain was asked for the head: everything final by then is found afterwards. */
  async read({ head, askedAt }: { head: number; askedAt: number }): Promise<void> {
    const { sql, required } = this.#options;
    const final = finalBlock(head, required);
    const read = await this.#cursor(sql);
    if (final > read) {
      await sql.transaction().execute(async (transaction) => {
        await this.#record(transaction, { after: read, until: final });
        await transaction
          .insertInto('indexer_offset')
          .values({ name: OFFSET, value: final })
          .onConflict((row) => row.column('name').doUpdateSet({ value: final }))
          .execute();
      });
    }
    this.#reach(askedAt);
  }

  /** Inside the SQL transaction that removes the blocks. */
  async onReorg(sql: Transaction<IndexerTables>, { fork }: Reorg): Promise<void> {
    await sql
      .updateTable('indexer_lucky_block')
      .set({ taken_back_at: this.#options.now() })
      .where('block_number', '>', fork)
      .where('taken_back_at', 'is', null)
      .execute();
    await sql.updateTable('indexer_offset').set({ value: fork }).where('name', '=', OFFSET).where('value', '>', fork).execute();
  }

  /** Resolves when everything that was final at `at` is found. */
  reached(at: number): Promise<void> {
    if (at <= this.#readAt) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.add({ at, resolve }));
  }

  /** In the order of finding. */
  async after(id: number): Promise<readonly LuckyFind[]> {
    const rows = await this.#options.sql.selectFrom('indexer_lucky_block').selectAll().where('id', '>', id).orderBy('id').execute();
    return rows.map(asFind);
  }

  async find(blockHash: string): Promise<LuckyFind | undefined> {
    const found = this.#options.sql.selectFrom('indexer_lucky_block').selectAll().where('block_hash', '=', blockHash);
    const row = await found.executeTakeFirst();
    return row && asFind(row);
  }

  /** Hashes of those that were final and are no longer on the chain. */
  async takenBack(): Promise<readonly string[]> {
    const gone = this.#options.sql.selectFrom('indexer_lucky_block').select('block_hash').where('taken_back_at', 'is not', null);
    return (await gone.execute()).map((row) => row.block_hash);
  }

  /** Newest first. */
  async page(query: { sender?: Address; page: number; pageSize: number }): Promise<{ list: readonly LuckyFind[]; total: number }> {
    const { reads } = this.#options;
    let found = reads.selectFrom('indexer_lucky_block');
    if (query.sender !== undefined) found = found.where('sender', '=', query.sender);
    const total = await countUpTo(reads, found.select('id'));
    const rows = await found
      .selectAll()
      .orderBy('block_number', 'desc')
      .orderBy('id', 'desc')
      .limit(query.pageSize)
      .offset((query.page - 1) * query.pageSize)
      .execute();
    return { list: rows.map(asFind), total };
  }

  async draws({ sender, from, until }: DrawsQuery): Promise<Draws> {
    const { sql } = this.#options;
    let blocks = sql
      .selectFrom('indexer_block')
      .where('time', '>=', from)
      .where('time', '<', until)
      .where('number', '<=', await this.#cursor(sql));
    if (sender !== undefined) {
      blocks = blocks.where('number', 'in', (row) =>
        row.selectFrom('indexer_transaction').select('block_number').where('sender', '=', sender).where('position', '=', 0),
      );
    }
    return blocks
      .select(({ fn }) => [
        fn.countAll<number>().as('draws'),
        fn.countAll<number>().filterWhere(BEGINNING_OF_HASH, 'in', LUCKY_PREFIXES).as('lucky'),
      ])
      .executeTakeFirstOrThrow();
  }

  async #cursor(sql: Kysely<IndexerTables>): Promise<number> {
    const offset = await sql.selectFrom('indexer_offset').select('value').where('name', '=', OFFSET).executeTakeFirst();
    return offset?.value ?? this.#options.fromBlock - 1;
  }

  async #record(sql: Transaction<IndexerTables>, { after, until }: { after: number; until: number }): Promise<void> {
    const blocks = await sql
      .selectFrom('indexer_block')
      .leftJoin('indexer_transaction', (join) =>
        join.onRef('block_number', '=', 'indexer_block.number').on('indexer_transaction.position', '=', 0),
      )
      .select(['number', 'indexer_block.hash', 'time', 'indexer_transaction.hash as tx_hash', 'sender', 'recipient', 'value', 'has_data'])
      .where('number', '>', after)
      .where('number', '<=', until)
      .where(BEGINNING_OF_HASH, 'in', LUCKY_PREFIXES)
      .orderBy('number')
      .execute();
    if (blocks.length === 0) return;
    const rows = blocks.map(({ number, hash, time, ...transaction }) => ({
      ...transaction,
      block_number: number,
      block_hash: hash,
      block_time: time,
      found_at: this.#options.now(),
      taken_back_at: null,
    }));
    const hashes = rows.map((row) => row.block_hash);
    await sql.deleteFrom('indexer_lucky_block').where('block_hash', 'in', hashes).where('taken_back_at', 'is not', null).execute();
    await sql.insertInto('indexer_lucky_block').values(rows).execute();
  }

  #reach(at: number): void {
    this.#readAt = Math.max(this.#readAt, at);
    for (const waiter of this.#waiters) {
      if (waiter.at > this.#readAt) continue;
      this.#waiters.delete(waiter);
      waiter.resolve();
    }
  }
}

const BEGINNING_OF_HASH = raw<string>`substr(indexer_block.hash, 1, ${raw.lit(PREFIX_LENGTH)})`;

function asFind(row: Selectable<IndexerTables['indexer_lucky_block']>): LuckyFind {
  const { tx_hash: hash, sender, recipient, value, has_data: hasData } = row;
  return {
    id: row.id,
    blockNumber: row.block_number,
    blockHash: row.block_hash,
    blockTime: row.block_time,
    foundAt: row.found_at,
    isTakenBack: row.taken_back_at !== null,
    transaction:
      hash === null || sender === null
        ? undefined
        : {
            hash,
            sender: lowerCase(sender),
            recipient: recipient === null ? undefined : lowerCase(recipient),
            value: BigInt(value ?? '0'),
            hasData: hasData === true,
          },
  };
}
