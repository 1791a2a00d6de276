/**
 * What an honest chain never shows: money that the vault paid and the ledger did not request, money that is gone without an
 * event, and other roles or caps than those of the deployment. Each is recorded once, halts money, and ends by a person's act.
 */
import type { Heart } from '@orrery/protocol';
import { assert, atoms, printAtoms } from '@orrery/units';
import { type Kysely, sql as query } from 'kysely';
import type { ListedTokens } from './listed-tokens.ts';
import { raiseAlarm } from './raise-alarm.ts';
import type { Head } from './scanner.ts';
import type { Shortfall } from './solvency.ts';
import type { IndexerTables } from './tables.ts';

export interface AlarmsOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly heart: Pick<Heart, 'status'>;
  readonly tokens: ListedTokens;
  /** The command up to which the ledger's withdrawals are in our tables. */
  readonly followed: () => number;
  readonly now: () => number;
}

interface Release {
  readonly withdrawal_id: string;
  readonly block_number: number;
  readonly tx_hash: string;
  readonly token: string;
  readonly recipient: string;
  readonly amount: string;
}

/** With what the ledger requested under the same id, where it did. */
interface Found extends Release {
  readonly asset: number | null;
  readonly state: IndexerTables['indexer_payout']['state'] | null;
  readonly requested_amount: string | null;
  readonly requested_recipient: string | null;
}

interface Requested {
  readonly asset: number;
  readonly amount: string;
  readonly recipient: string;
}

/** Whether the vault paid what was requested: the coin, the amount and the recipient. */
export function isAsRequested(release: Pick<Release, 'token' | 'recipient' | 'amount'>, payout: Requested, tokens: ListedTokens): boolean {
  return (
    release.token === tokens.ofAsset(payout.asset)?.address && release.amount === payout.amount && release.recipient === payout.recipient
  );
}

export class Alarms {
  readonly #options: AlarmsOptions;
  /** By withdrawal id: a request for it would lie at or before this command. */
  readonly #requestedBy = new Map<string, number>();

  constructor(options: AlarmsOptions) {
    this.#options = options;
  }

  /** Compares what the vault pays, or will pay, with the ledger's requests; one without is judged when all that the heart knows is read. */
  async judgePayouts(): Promise<void> {
    await this.#judge('indexer_request');
    await this.#judge('indexer_release');
  }

  async #judge(table: 'indexer_request' | 'indexer_release'): Promise<void> {
    const { sql, tokens, heart, followed } = this.#options;
    const { rows } = await query<Found>`
      select paid.withdrawal_id, block_number, tx_hash, token, paid.recipient, paid.amount, asset, state,
        payout.amount as requested_amount, payout.recipient as requested_recipient
      from ${query.table(table)} as paid left join indexer_payout as payout on payout.withdrawal_id = paid.withdrawal_id
      where not judged
    `.execute(sql);
    for (const row of rows) {
      const { asset, state, requested_amount: amount, requested_recipient: recipient } = row;
      const isRequested =
        asset !== null && amount !== null && recipient !== null && isAsRequested(row, { asset, amount, recipient }, tokens);
      if (!isRequested || state === 'refunded') {
        const by = this.#requestedBy.get(row.withdrawal_id) ?? heart.status().seq;
        this.#requestedBy.set(row.withdrawal_id, by);
        if (followed() < by) continue;
        await this.#raise(table, row);
      }
      this.#requestedBy.delete(row.withdrawal_id);
      const judged = sql.updateTable(table).set({ judged: true });
      await judged.where('withdrawal_id', '=', row.withdrawal_id).where('tx_hash', '=', row.tx_hash).execute();
    }
  }

  async #raise(table: 'indexer_request' | 'indexer_release', row: Release): Promise<void> {
    const { sql, now } = this.#options;
    const { withdrawal_id: id, token, recipient, amount, block_number: block } = row;
    const done = table === 'indexer_release' ? 'released' : 'was requested to release';
    const what = `${this.#print(token, BigInt(amount))} to ${recipient} in block ${block}`;
    const reason = `the vault ${done} ${what}, which the ledger did not request (${id})`;
    const key = table === 'indexer_release' ? `release:${id}` : `request:${id}:${row.tx_hash}`;
    await raiseAlarm(sql, { key, reason, block, at: now() });
  }

  /** @param shortfalls of every token that was looked at: 0 ends what was known about a token, so that a later one is another alarm. */
  async judgeBalances(head: Head, shortfalls: readonly Shortfall[]): Promise<void> {
    const { sql, now } = this.#options;
    for (const { token, amount } of shortfalls) {
      if (amount === 0n) {
        await sql
          .updateTable('indexer_halt')
          .set({ key: null })
          .where('key', 'like', `balance:${token}:%`)
          .where('ended_at', 'is not', null)
          .execute();
        continue;
      }
      const known = await sql
        .selectFrom('indexer_halt')
        .select('id')
        .where('key', 'like', `balance:${token}:%`)
        .where((row) => row.or([row('ended_at', 'is', null), row('key', '=', `balance:${token}:${amount}`)]))
        .executeTakeFirst();
      if (known !== undefined) continue;
      const reason = `the vault holds ${this.#print(token, amount)} less at block ${head.number} than its deposits and releases account for`;
      await raiseAlarm(sql, { key: `balance:${token}:${amount}`, reason, block: head.number, at: now() });
    }
  }

  #print(token: string, amount: bigint): string {
    const listed = this.#options.tokens.at(token);
    if (listed === undefined) return `${amount} atoms of ${token}`;
    assert(amount >= 0n, 'an amount is shown without a sign');
    return `${printAtoms(atoms(amount), listed.decimals)} ${listed.coin}`;
  }
}
