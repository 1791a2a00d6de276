/**
 * The one owner of the operator's nonces. What is to be sent is a parcel in SQL: it gets a nonce and is signed there, and
 * only then broadcast, so that after a crash the very same transaction is sent again and never a second one beside it.
 */
import { checkHold } from '@orrery/foundation';
import type { Kysely } from 'kysely';
import { keccak256, parseTransaction, type Hex, type LocalAccount, type PublicClient } from 'viem';
import { finalBlock } from './confirmations.ts';
import { CARRIES_PARCEL, type IndexerTables } from './tables.ts';

export interface SenderOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly client: PublicClient;
  readonly chainId: number;
  readonly operator: LocalAccount;
  readonly required: number;
  readonly now: () => number;
  readonly onTrouble: (error: Error) => void;
  /** Called with the hash of a signed parcel before it is broadcast; may be called again. */
  readonly onSigned: (parcel: { purpose: Purpose; reference: string; hash: string }) => Promise<void>;
}

export type Purpose = 'request' | 'release' | 'claim';

export interface NewParcel {
  readonly purpose: Purpose;
  readonly reference: string;
  readonly recipient: string;
  readonly data: Hex;
  readonly gas: number;
  /** Not sent before this time, in unix milliseconds. */
  readonly notBefore: number;
}

/** Sent and not final at the same time: more, and nodes begin to drop the last. */
const IN_FLIGHT_MAX = 16;
const REBROADCAST_MS = 10_000;
const STUCK_MS = 60_000;
/** Nothing waits longer by design. What waits longer, or was done in the future, was noted before the clock was set back: it is due. */
const LONGEST_WAIT_MS = 660_000;
/** Nodes want a tenth more to replace a transaction, of the most that it pays and of its tip. */
const FEE_RISE_PERCENT = 125n;
const TIP_MIN = 1_000_000_000n;

export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async put(parcel: NewParcel): Promise<void> {
    const { notBefore, ...row } = parcel;
    await this.#options.sql
      .insertInto('indexer_parcel')
      .values({
        ...row,
        state: 'queued',
        nonce: null,
        max_fee: null,
        hashes: [],
        raw: null,
        sent_at: null,
        signed_at: null,
        not_before: notBefore,
      })
      .execute();
  }

  async step(head: number): Promise<void> {
    await this.#noteOutcomes(head);
    await this.#giveBackLostNonces(head);
    await this.#raiseStuck();
    await this.#signQueued();
    await this.#broadcast();
  }

  /** While money is halted: nothing new is signed, but what the chain took back is sent again. A claim's deposit returns only so. */
  async sendAgain(): Promise<void> {
    await this.#raiseStuck();
    await this.#broadcast();
  }

  /** A parcel is done when one of its hashes lies in a final block. */
  async #noteOutcomes(head: number): Promise<void> {
    const { sql, required } = this.#options;
    const done = await sql
      .selectFrom('indexer_parcel')
      .innerJoin('indexer_transaction', (join) => join.on(CARRIES_PARCEL))
      .select(['indexer_parcel.id', 'status'])
      .where('state', '=', 'sent')
      .where('block_number', '<=', finalBlock(head, required))
      .execute();
    for (const { id, status } of done) {
      await sql
        .updateTable('indexer_parcel')
        .set({ state: status === 'success' ? 'succeeded' : 'failed' })
        .where('id', '=', id)
        .execute();
    }
  }

  /** Another program used the operator's key: its transaction took the nonce, so this parcel can never be mined and is signed again. */
  async #giveBackLostNonces(head: number): Promise<void> {
    const { sql, operator, required } = this.#options;
    const lost = await sql
      .selectFrom('indexer_parcel')
      .innerJoin('indexer_transaction', 'indexer_transaction.nonce', 'indexer_parcel.nonce')
      .select('indexer_parcel.id')
      .where('state', '=', 'sent')
      .where('sender', '=', operator.address.toLowerCase())
      .where('block_number', '<=', finalBlock(head, required))
      .where((row) => row.not(CARRIES_PARCEL))
      .execute();
    for (const { id } of lost) {
      await sql
        .updateTable('indexer_parcel')
        .set({ state: 'queued', nonce: null, raw: null, sent_at: null, signed_at: null })
        .where('id', '=', id)
        .execute();
    }
  }

  async #raiseStuck(): Promise<void> {
    const { sql, now, client } = this.#options;
    const stuck = await this.#waiting()
      .where((row) => row.or([row('signed_at', '<', now() - STUCK_MS), row('signed_at', '>', now())]))
      .execute();
    if (stuck.length === 0) return;
    const wanted = await client.estimateFeesPerGas();
    for (const parcel of stuck) {
      const before = feesOf(parcel);
      // The node may have lost it, or never had it: that is for the broadcast. Only what pays too little is raised.
      if (before.maxFee >= wanted.maxFeePerGas && before.tip >= wanted.maxPriorityFeePerGas) {
        await sql.updateTable('indexer_parcel').set({ signed_at: now() }).where('id', '=', parcel.id).execute();
        continue;
      }
      const tip = larger(wanted.maxPriorityFeePerGas, raised(before.tip));
      const maxFee = larger(larger(wanted.maxFeePerGas * 2n, raised(before.maxFee)), tip);
      await this.#sign(parcel, { nonce: parcel.nonce ?? 0, maxFee, tip });
    }
  }

  async #signQueued(): Promise<void> {
    const { sql, client, operator, now } = this.#options;
    const inFlight = await this.#waiting().execute();
    const room = Math.max(0, IN_FLIGHT_MAX - inFlight.length);
    const queued = await sql
      .selectFrom('indexer_parcel')
      .selectAll()
      .where('state', '=', 'queued')
      .where((row) => row.or([row('not_before', '<=', now()), row('not_before', '>', now() + LONGEST_WAIT_MS)]))
      .orderBy('id')
      .limit(room)
      .execute();
    if (queued.length === 0) return;
    const mined = await client.getTransactionCount({ address: operator.address, blockTag: 'latest' });
    // A node that lags behind counts too few.
    const { newest } = await sql
      .selectFrom('indexer_parcel')
      .select(({ fn }) => fn.max('nonce').as('newest'))
      .executeTakeFirstOrThrow();
    let nonce = Math.max(mined, newest === null ? 0 : newest + 1);
    const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
    for (const parcel of queued) {
      await this.#sign(parcel, { nonce, maxFee: maxFeePerGas * 2n, tip: larger(TIP_MIN, maxPriorityFeePerGas) });
      nonce += 1;
    }
  }

  async #sign(parcel: Parcel, { nonce, maxFee, tip }: Fees & { nonce: number }): Promise<void> {
    const { sql, operator, chainId, now } = this.#options;
    const raw = await operator.signTransaction({
      type: 'eip1559',
      chainId,
      nonce,
      to: parcel.recipient as Hex,
      data: parcel.data as Hex,
      gas: BigInt(parcel.gas),
      maxFeePerGas: maxFee,
      maxPriorityFeePerGas: smaller(maxFee, tip),
    });
    const hashes = [...parcel.hashes, keccak256(raw)];
    await sql
      .updateTable('indexer_parcel')
      .set({ state: 'sent', nonce, max_fee: String(maxFee), raw, hashes, sent_at: null, signed_at: now() })
      .where('id', '=', parcel.id)
      .execute();
  }

  async #broadcast(): Promise<void> {
    const { sql, client, now, onSigned, onTrouble } = this.#options;
    const due = await this.#waiting()
      .where((row) => row.or([row('sent_at', 'is', null), row('sent_at', '<', now() - REBROADCAST_MS), row('sent_at', '>', now())]))
      .orderBy('nonce')
      .execute();
    for (const { id, purpose, reference, hashes, raw, sent_at: sentBefore } of due) {
      const hash = hashes.at(-1);
      if (raw === null || hash === undefined) continue;
      if (sentBefore === null) await onSigned({ purpose, reference, hash });
      checkHold();
      try {
        await client.sendRawTransaction({ serializedTransaction: raw as Hex });
      } catch (error) {
        // The node may know it already, or have mined it in a block we have not read: the scan will find it. Otherwise the next turn retries.
        if (sentBefore === null) onTrouble(new Error(`the transaction of ${purpose} ${reference} was not taken at once`, { cause: error }));
      }
      await sql.updateTable('indexer_parcel').set({ sent_at: now() }).where('id', '=', id).execute();
    }
  }

  /** Sent, and in no block that we know. */
  #waiting() {
    return this.#options.sql
      .selectFrom('indexer_parcel')
      .selectAll()
      .where('state', '=', 'sent')
      .where((row) => row.not(row.exists(row.selectFrom('indexer_transaction').select('hash').where(CARRIES_PARCEL))));
  }
}

interface Parcel {
  readonly id: number;
  readonly recipient: string;
  readonly data: string;
  readonly gas: number;
  readonly hashes: readonly string[];
}

/** The most that a transaction pays for its gas, and what of it goes to the block's producer at most. */
interface Fees {
  readonly maxFee: bigint;
  readonly tip: bigint;
}

/** As it was signed. */
function feesOf({ raw, max_fee: maxFee }: { readonly raw: string | null; readonly max_fee: string | null }): Fees {
  const tip = raw === null ? undefined : parseTransaction(raw as Hex).maxPriorityFeePerGas;
  return { maxFee: BigInt(maxFee ?? 0), tip: tip ?? 0n };
}

/** Rounded up: a tenth more stays a tenth more of small fees too. */
const raised = (fee: bigint): bigint => (fee * FEE_RISE_PERCENT + 99n) / 100n;

function larger(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}

function smaller(left: bigint, right: bigint): bigint {
  return left < right ? left : right;
}
