/** Whether the vault holds what the ledger says it holds: each coin separately, at one block, with everything in flight listed. */
import { type Deployment, testTokenAbi } from '@orrery/contracts';
import { type Kysely, sql as query } from 'kysely';
import type { Hex, PublicClient } from 'viem';
import type { ListedTokens } from './listed-tokens.ts';
import type { Head } from './scanner.ts';
import type { IndexerTables } from './tables.ts';

export interface CoinSolvency {
  readonly coin: string;
  /** In the vault at the block. */
  readonly vault: bigint;
  /** Every ledger account together: people's, held, suspended and the exchange's own. */
  readonly ledger: bigint;
  /** Seen and not credited yet. */
  readonly uncredited: bigint;
  /** Paid by the vault and not posted yet. */
  readonly unposted: bigint;
  /** Posted, taken back by the chain, and not paid again yet. */
  readonly unpaid: bigint;
  /** In suspense, because its block is gone and it is not on the chain again yet. */
  readonly orphaned: bigint;
  /** What the vault holds beyond all that: above 0 tokens arrived without a deposit, below 0 money is missing. */
  readonly difference: bigint;
}

export class Solvency {
  #report: readonly CoinSolvency[] = [];
  readonly #options: { sql: Kysely<IndexerTables>; client: PublicClient; deployment: Deployment; tokens: ListedTokens };

  constructor(options: { sql: Kysely<IndexerTables>; client: PublicClient; deployment: Deployment; tokens: ListedTokens }) {
    this.#options = options;
  }

  report(): readonly CoinSolvency[] {
    return this.#report;
  }

  /** The coins of which money is missing. */
  missing(): readonly string[] {
    return this.#report.filter(({ difference }) => difference < 0n).map(({ coin }) => coin);
  }

  /** Answers false when the chain moved meanwhile: balances of two blocks prove nothing. Nodes keep old states seldom, so only the head is asked. */
  async check(head: Head): Promise<boolean> {
    let report: readonly CoinSolvency[];
    try {
      report = await this.#read();
    } catch (error) {
      // A node may fail a read of the block that it leaves just then.
      if (await this.#isStill(head)) throw error;
      return false;
    }
    if (!(await this.#isStill(head))) return false;
    this.#report = report;
    return true;
  }

  async #isStill({ hash }: Head): Promise<boolean> {
    const newest = await this.#options.client.getBlock();
    return newest.hash === hash;
  }

  async #read(): Promise<readonly CoinSolvency[]> {
    const { client, deployment, tokens } = this.#options;
    const report: CoinSolvency[] = [];
    for (const { coin, asset, address } of tokens.all) {
      const vault = await client.readContract({
        address: address as Hex,
        abi: testTokenAbi,
        functionName: 'balanceOf',
        args: [deployment.vault],
      });
      const { ledger, uncredited, unposted, unpaid, orphaned } = await this.#totals({ asset, token: address });
      const difference = vault - uncredited + unposted - unpaid + orphaned - ledger;
      report.push({ coin, vault, ledger, uncredited, unposted, unpaid, orphaned, difference });
    }
    return report;
  }

  /** In one statement, so that no deposit is counted on both sides or on none. */
  async #totals({ asset, token }: { asset: number; token: string }): Promise<Omit<CoinSolvency, 'coin' | 'vault' | 'difference'>> {
    const { rows } = await query<Record<'credited' | 'posted' | 'uncredited' | 'unposted' | 'unpaid' | 'orphaned', string>>`
      select
        (select coalesce(sum(amount), 0) from indexer_credit where asset = ${asset}) as credited,
        (select coalesce(sum(amount), 0) from indexer_payout where asset = ${asset} and state = 'posted') as posted,
        (select coalesce(sum(amount), 0) from indexer_deposit d where token = ${token} and not exists (select from indexer_credit c where c.key = d.key)) as uncredited,
        (select coalesce(sum(amount), 0) from indexer_release r where token = ${token}
          and not exists (select from indexer_payout p where p.withdrawal_id = r.withdrawal_id and p.state = 'posted')) as unposted,
        (select coalesce(sum(amount), 0) from indexer_payout p where asset = ${asset} and state = 'posted'
          and withdrawal_id in (select withdrawal_id from indexer_recall)
          and not exists (select from indexer_release r where r.withdrawal_id = p.withdrawal_id)) as unpaid,
        (select coalesce(sum(amount), 0) from indexer_suspense s where asset = ${asset}
          and not exists (select from indexer_deposit d where d.key = s.key)) as orphaned
    `.execute(this.#options.sql);
    const [row] = rows;
    if (row === undefined) throw new Error('the database summed nothing');
    return {
      ledger: BigInt(row.credited) - BigInt(row.posted),
      uncredited: BigInt(row.uncredited),
      unposted: BigInt(row.unposted),
      unpaid: BigInt(row.unpaid),
      orphaned: BigInt(row.orphaned),
    };
  }
}
