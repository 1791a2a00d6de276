/** Whether the vault holds what the ledger says it holds: each coin separately, at one block, with everything in flight listed. */
import { type Deployment, testTokenAbi } from '@orrery/contracts';
import { type Kysely, sql as query } from 'kysely';
import { decodeFunctionResult, encodeFunctionData, type Hex, type PublicClient } from 'viem';
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
  /** Paid by the vault, and never requested by the ledger. */
  readonly unrequested: bigint;
  /** Sent to the vault without a deposit: more than its events account for. */
  readonly donated: bigint;
  /** Posted, taken back by the chain, and not paid again yet. */
  readonly unpaid: bigint;
  /** In suspense, because its block is gone and it is not on the chain again yet. */
  readonly orphaned: bigint;
  /** Of deposits that were written off and are not back: what the exchange paid for them, which is out of the ledger already. */
  readonly writtenOff: bigint;
  /** What the vault holds beyond all that: below 0 money is missing. A donation first makes good what is missing. */
  readonly difference: bigint;
}

/** By how much a token's balance is below what the vault's own events say; 0 when it is not. */
export interface Shortfall {
  readonly token: string;
  readonly amount: bigint;
}

interface Found {
  readonly report: readonly CoinSolvency[];
  readonly shortfalls: readonly Shortfall[];
}

/** What the tables say of a token. `moved`: deposits less releases, by the vault's events. */
type Totals = Omit<CoinSolvency, 'coin' | 'vault' | 'donated' | 'difference'> & { readonly moved: bigint };

export class Solvency {
  #report: readonly CoinSolvency[] = [];
  #shortfalls: readonly Shortfall[] = [];
  #written = '';
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

  /** Of every token, as the latest check found them. */
  shortfalls(): readonly Shortfall[] {
    return this.#shortfalls;
  }

  /** Answers false when the chain moved meanwhile: balances of two blocks prove nothing. Nodes keep old states seldom, so only the head is asked. */
  async check(head: Head): Promise<boolean> {
    let found: Found;
    try {
      found = await this.#read(head);
    } catch (error) {
      // A node may fail a read of the block that it leaves just then.
      if (await this.#isStill(head)) throw error;
      return false;
    }
    if (!(await this.#isStill(head))) return false;
    this.#report = found.report;
    this.#shortfalls = found.shortfalls;
    await this.#write();
    return true;
  }

  /** Takes what the process that reads the chain found last. */
  async read(): Promise<void> {
    const row = await this.#options.sql.selectFrom('indexer_solvency').select('report').executeTakeFirst();
    if (row !== undefined) this.#report = parsed(row.report);
    // Another process may have written something else since.
    this.#written = '';
  }

  async #write(): Promise<void> {
    const report = printed(this.#report);
    if (report === this.#written) return;
    await this.#options.sql
      .insertInto('indexer_solvency')
      .values({ id: 1, report })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ report }))
      .execute();
    this.#written = report;
  }

  async #isStill({ hash }: Head): Promise<boolean> {
    const newest = await this.#options.client.getBlock();
    return newest.hash === hash;
  }

  async #read(head: Head): Promise<Found> {
    const report: CoinSolvency[] = [];
    const shortfalls: Shortfall[] = [];
    for (const { coin, asset, address } of this.#options.tokens.all) {
      const vault = await this.#balance(address);
      const { moved, ...totals } = await this.#totals({ asset, token: address });
      const { ledger, uncredited, unposted, unpaid, orphaned } = totals;
      const donated = vault > moved ? vault - moved : 0n;
      const beyond = vault - uncredited + unposted - unpaid + orphaned - ledger;
      const difference = beyond > donated ? beyond - donated : smaller(beyond, 0n);
      report.push({ coin, vault, ...totals, donated, difference });
      shortfalls.push({ token: address, amount: vault < moved ? await this.#confirmed(address, moved, head) : 0n });
    }
    return { report, shortfalls };
  }

  #balance(token: string): Promise<bigint> {
    const { client, deployment } = this.#options;
    return client.readContract({ address: token as Hex, abi: testTokenAbi, functionName: 'balanceOf', args: [deployment.vault] });
  }

  /** A node that lags reports the balance of another block than its head: only the balance at the head's hash is evidence. */
  async #confirmed(token: string, moved: bigint, head: Head): Promise<bigint> {
    const { client, deployment } = this.#options;
    const data = encodeFunctionData({ abi: testTokenAbi, functionName: 'balanceOf', args: [deployment.vault] });
    const call = [{ to: token as Hex, data }, { blockHash: head.hash as Hex }] as const;
    const result = await client.request({ method: 'eth_call', params: call as never });
    const vault = decodeFunctionResult({ abi: testTokenAbi, functionName: 'balanceOf', data: result });
    return vault < moved ? moved - vault : 0n;
  }

  /** In one statement, so that no deposit is counted on both sides or on none. */
  async #totals({ asset, token }: { asset: number; token: string }): Promise<Totals> {
    const { rows } = await query<Record<keyof Totals | 'credited' | 'posted', string>>`
      select
        (select coalesce(sum(amount), 0) from indexer_credit where asset = ${asset}) as credited,
        (select coalesce(sum(amount), 0) from indexer_payout where asset = ${asset} and state = 'posted') as posted,
        (select coalesce(sum(amount), 0) from indexer_deposit d where token = ${token} and not exists (select from indexer_credit c where c.key = d.key)) as uncredited,
        (select coalesce(sum(amount), 0) from indexer_release r where token = ${token}
          and exists (select from indexer_payout p where p.withdrawal_id = r.withdrawal_id and p.state in ('held', 'sent'))) as unposted,
        (select coalesce(sum(amount), 0) from indexer_release r where token = ${token}
          and not exists (select from indexer_payout p where p.withdrawal_id = r.withdrawal_id and p.state <> 'refunded')) as unrequested,
        (select coalesce(sum(amount), 0) from indexer_deposit where token = ${token})
          - (select coalesce(sum(amount), 0) from indexer_release where token = ${token}) as moved,
        (select coalesce(sum(amount), 0) from indexer_payout p where asset = ${asset} and state = 'posted'
          and withdrawal_id in (select withdrawal_id from indexer_recall)
          and not exists (select from indexer_release r where r.withdrawal_id = p.withdrawal_id)) as unpaid,
        (select coalesce(sum(amount), 0) from indexer_suspense s where asset = ${asset}
          and not exists (select from indexer_deposit d where d.key = s.key)) as orphaned,
        (select coalesce(sum(paid), 0) from indexer_write_off where asset = ${asset} and returned_at is null) as "writtenOff"
    `.execute(this.#options.sql);
    const [row] = rows;
    if (row === undefined) throw new Error('the database summed nothing');
    return {
      ledger: BigInt(row.credited) - BigInt(row.posted),
      uncredited: BigInt(row.uncredited),
      unposted: BigInt(row.unposted),
      unrequested: BigInt(row.unrequested),
      moved: BigInt(row.moved),
      unpaid: BigInt(row.unpaid),
      orphaned: BigInt(row.orphaned),
      writtenOff: BigInt(row.writtenOff),
    };
  }
}

const printed = (report: readonly CoinSolvency[]): string =>
  JSON.stringify(report, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));

function parsed(text: string): readonly CoinSolvency[] {
  const coins = JSON.parse(text) as readonly Readonly<Record<keyof CoinSolvency, string>>[];
  return coins.map(({ coin, ...amounts }) => {
    const exact = Object.entries(amounts).map(([name, amount]) => [name, BigInt(amount)] as const);
    return { coin, ...(Object.fromEntries(exact) as Omit<CoinSolvency, 'coin'>) };
  });
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
