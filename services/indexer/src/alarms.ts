/**
 * What an honest chain never shows: money that the vault paid and the ledger did not request, money that is gone without an
 * event, and other roles or caps than those of the deployment. Each is recorded once, halts money, and ends by a person's act.
 */
import type { Heart } from '@orrery/protocol';
import { assert, atoms, printAtoms } from '@orrery/units';
import type { Kysely } from 'kysely';
import type { ListedTokens } from './listed-tokens.ts';
import type { Head } from './scanner.ts';
import type { Shortfall } from './solvency.ts';
import type { IndexerTables } from './tables.ts';

export interface Alarm {
  /** Of the fact: an alarm is raised once for it, also after a person has ended it. */
  readonly key: string;
  readonly reason: string;
  readonly block: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export async function raiseAlarm(sql: Kysely<IndexerTables>, { key, reason, block, at }: Alarm): Promise<void> {
  await sql
    .insertInto('indexer_halt')
    .values({ kind: 'alarm', key, reason, block_number: block, since: at, ended_at: null })
    .onConflict((row) => row.column('key').doNothing())
    .execute();
}

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
  readonly token: string;
  readonly recipient: string;
  readonly amount: string;
}

interface Requested {
  readonly asset: number;
  readonly amount: string;
  readonly recipient: string;
}

/** Whether the vault paid what was requested: the coin, the amount and the recipient. */
export function isAsRequested(release: Omit<Release, 'withdrawal_id' | 'block_number'>, payout: Requested, tokens: ListedTokens): boolean {
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

  /** Compares each release with the ledger's request; one without is judged when everything that the heart knows has been read. */
  async judgeReleases(): Promise<void> {
    const { sql, tokens, heart, followed } = this.#options;
    const releases = await sql
      .selectFrom('indexer_release')
      .leftJoin('indexer_payout', 'indexer_payout.withdrawal_id', 'indexer_release.withdrawal_id')
      .select(['indexer_release.withdrawal_id', 'block_number', 'token', 'indexer_release.recipient', 'indexer_release.amount'])
      .select(['asset', 'state', 'indexer_payout.amount as requested_amount', 'indexer_payout.recipient as requested_recipient'])
      .where('judged', '=', false)
      .execute();
    for (const release of releases) {
      const { asset, state, requested_amount: amount, requested_recipient: recipient } = release;
      const isRequested =
        asset !== null && amount !== null && recipient !== null && isAsRequested(release, { asset, amount, recipient }, tokens);
      if (!isRequested || state === 'refunded') {
        const by = this.#requestedBy.get(release.withdrawal_id) ?? heart.status().seq;
        this.#requestedBy.set(release.withdrawal_id, by);
        if (followed() < by) continue;
        await this.#raiseRelease(release);
      }
      this.#requestedBy.delete(release.withdrawal_id);
      await sql.updateTable('indexer_release').set({ judged: true }).where('withdrawal_id', '=', release.withdrawal_id).execute();
    }
  }

  async #raiseRelease({ withdrawal_id: id, token, recipient, amount, block_number: block }: Release): Promise<void> {
    const { sql, now } = this.#options;
    const reason = `the vault released ${this.#print(token, BigInt(amount))} to ${recipient} in block ${block}, which the ledger did not request (${id})`;
    await raiseAlarm(sql, { key: `release:${id}`, reason, block, at: now() });
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
