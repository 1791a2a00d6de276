/**
 * Keeps the SQL picture of the chain equal to the chain: forward block by block, each linked to the one before, and back
 * to the fork when the chain has changed its branch. Blocks and all that is in them go in and out in one SQL transaction,
 * so a scan may stop anywhere and start again anywhere.
 */
import type { Deployment } from '@orrery/contracts';
import type { Kysely, Transaction } from 'kysely';
import { BlockNotFoundError, type PublicClient } from 'viem';
import { type ChainBlock, readBlock } from './chain-block.ts';
import { raiseAlarm } from './raise-alarm.ts';
import type { IndexerTables } from './tables.ts';

export interface ScannerOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly now: () => number;
  /** Called inside the SQL transaction that removes the blocks, before their removal. */
  readonly onReorg: (sql: Transaction<IndexerTables>, reorg: Reorg) => Promise<void>;
}

export interface Reorg {
  /** The newest block that stays. */
  readonly fork: number;
  /** The newest block that goes. */
  readonly head: number;
}

export interface Head {
  readonly number: number;
  readonly hash: string;
  /** Unix milliseconds. */
  readonly time: number;
}

/** Blocks asked for at the same time, and written together. */
const CHUNK = 16;

export class Scanner {
  readonly #options: ScannerOptions;
  /** A cache of SQL, which has no other writer; undefined when it must be read. */
  #head: Head | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /** The newest block in SQL; undefined before the first. */
  async head(): Promise<Head | undefined> {
    this.#head ??= await this.#newest();
    return this.#head;
  }

  /** Goes on until the chain's head, as it was when asked. Answers whether anything has changed. */
  async scan(): Promise<'moved' | 'same'> {
    const { client, deployment } = this.#options;
    const latest = await client.getBlock();
    const newest = Number(latest.number);
    const before = await this.head();
    for (let head = before; ; head = await this.head()) {
      const next = head === undefined ? deployment.fromBlock : head.number + 1;
      const isBehind = next <= newest;
      if (isBehind && (await this.#forward(next, Math.min(newest, next + CHUNK - 1), head)) === 'linked') continue;
      // The reported latest block may be on the old branch: the next scan queries again.
      if (head !== undefined && (isBehind || (await this.#isReplaced(newest, latest.hash)))) await this.#walkBack(head);
      return (await this.head())?.hash === before?.hash ? 'same' : 'moved';
    }
  }

  /** A lagging node reports a shorter chain; only a different one is a reorganisation. */
  async #isReplaced(number: number, hash: string): Promise<boolean> {
    const stored = this.#head?.number === number ? this.#head : await this.#stored(number);
    return stored !== undefined && stored.hash !== hash;
  }

  async #forward(from: number, to: number, head: Head | undefined): Promise<'linked' | 'replaced'> {
    const { client, deployment } = this.#options;
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
    const blocks = await Promise.all(numbers.map((number) => readBlock(client, deployment, number)));
    const linked: ChainBlock[] = [];
    let parent = head?.hash;
    for (const block of blocks) {
      if (parent !== undefined && block.parentHash !== parent) break;
      linked.push(block);
      parent = block.hash;
    }
    if (linked.length === 0) return 'replaced';
    await this.#store(linked);
    return 'linked';
  }

  async #store(blocks: readonly ChainBlock[]): Promise<void> {
    const { now, deployment } = this.#options;
    const { chainId } = deployment;
    this.#head = undefined;
    await this.#options.sql.transaction().execute(async (sql) => {
      await sql
        .insertInto('indexer_block')
        .values(blocks.map(({ number, hash, parentHash, time }) => ({ number, hash, parent_hash: parentHash, time })))
        .execute();
      for (const { number, transactions, deposits, releases, requests, rights } of blocks) {
        if (transactions.length > 0) {
          await sql
            .insertInto('indexer_transaction')
            .values(
              transactions.map(({ value, hasData, ...rest }) => ({
                ...rest,
                value: String(value),
                has_data: hasData,
                block_number: number,
              })),
            )
            .execute();
        }
        for (const { txHash, logIndex, address, token, amount } of deposits) {
          const key = `${chainId}:${txHash}:${logIndex}`;
          const row = {
            key,
            block_number: number,
            tx_hash: txHash,
            log_index: logIndex,
            address,
            token,
            amount: String(amount),
            state: 'pending' as const,
          };
          await sql.insertInto('indexer_deposit').values(row).execute();
        }
        for (const { withdrawalId, txHash, token, recipient, amount } of releases) {
          const row = { withdrawal_id: withdrawalId, block_number: number, tx_hash: txHash, token, recipient, amount: String(amount) };
          await sql.insertInto('indexer_release').values(row).execute();
        }
        for (const { withdrawalId, txHash, token, recipient, amount, deadline, releasableAt } of requests) {
          const row = { withdrawal_id: withdrawalId, block_number: number, tx_hash: txHash, token, recipient, amount: String(amount) };
          await sql
            .insertInto('indexer_request')
            .values({ ...row, deadline, releasable_at: releasableAt })
            // Requested in turn with other deadlines, the last request counts, and is judged.
            .onConflict((conflict) =>
              conflict.columns(['withdrawal_id', 'deadline']).doUpdateSet({ ...row, releasable_at: releasableAt, judged: false }),
            )
            .execute();
        }
        for (const { txHash, logIndex, sentence } of rights) {
          const key = `rights:${chainId}:${txHash}:${logIndex}`;
          await raiseAlarm(sql, { key, reason: `${sentence} in block ${number}`, block: number, at: now() });
        }
      }
    });
  }

  async #walkBack(head: Head): Promise<void> {
    let fork = head.number - 1;
    for (let stored = await this.#stored(fork); stored !== undefined && !(await this.#isOnChain(stored)); stored = await this.#stored(fork))
      fork -= 1;
    const reorg = { fork, head: head.number };
    this.#head = undefined;
    await this.#options.sql.transaction().execute(async (sql) => {
      await this.#options.onReorg(sql, reorg);
      await sql.deleteFrom('indexer_block').where('number', '>', fork).execute();
    });
  }

  async #stored(number: number): Promise<Head | undefined> {
    return this.#options.sql.selectFrom('indexer_block').select(['number', 'hash', 'time']).where('number', '=', number).executeTakeFirst();
  }

  #newest(): Promise<Head | undefined> {
    return this.#options.sql
      .selectFrom('indexer_block')
      .select(['number', 'hash', 'time'])
      .orderBy('number', 'desc')
      .limit(1)
      .executeTakeFirst();
  }

  /** A height the node does not have is not on its chain. A node that does not answer at all throws. */
  async #isOnChain({ number, hash }: Head): Promise<boolean> {
    try {
      const block = await this.#options.client.getBlock({ blockNumber: BigInt(number) });
      return block.hash === hash;
    } catch (error) {
      if (error instanceof BlockNotFoundError) return false;
      throw error;
    }
  }
}
