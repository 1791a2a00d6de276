/** Faucet claims that the ledger has reserved: paid by one chain transaction each, and settled when that is final. */
import { type Deployment, faucetAbi } from '@orrery/contracts';
import type { ClaimOutcome, Heart } from '@orrery/protocol';
import { assert } from '@orrery/units';
import type { Kysely } from 'kysely';
import { encodeFunctionData, keccak256, toBytes, type Hex, type PublicClient } from 'viem';
import type { Sender } from './sender.ts';
import type { IndexerTables } from './tables.ts';

export interface ClaimsOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly heart: Heart;
  readonly deployment: Deployment;
  readonly sender: Sender;
  readonly client: PublicClient;
  readonly now: () => number;
}

export interface ClaimProgress {
  /** `waiting` until its transaction is sent, `sent` until that is final. */
  readonly state: 'waiting' | 'sent' | 'paid' | 'failed';
  readonly txHash: string | undefined;
}

/** Six deposits, most of them first ones, and the gas money. */
const CLAIM_GAS = 1_500_000;
const PATIENCE_MS = 600_000;

export class Claims {
  readonly #options: ClaimsOptions;

  constructor(options: ClaimsOptions) {
    this.#options = options;
  }

  async step(): Promise<void> {
    await this.#sendReserved();
    await this.#settleFinal();
  }

  /** Undefined when the ledger has reserved no such claim, or we have not heard of it yet. */
  async progress(claimId: string): Promise<ClaimProgress | undefined> {
    const claim = await this.#options.sql
      .selectFrom('indexer_claim')
      .leftJoin('indexer_parcel', (join) => join.onRef('reference', '=', 'claim_id').on('purpose', '=', 'claim'))
      .select(['indexer_claim.state', 'hashes', 'indexer_parcel.state as parcel'])
      .where('claim_id', '=', claimId)
      .executeTakeFirst();
    if (claim === undefined) return undefined;
    const sent = claim.parcel === null || claim.parcel === 'queued' ? 'waiting' : 'sent';
    return { state: claim.state === 'reserved' ? sent : claim.state, txHash: claim.hashes?.at(-1) };
  }

  async #sendReserved(): Promise<void> {
    const { sql, sender, deployment } = this.#options;
    const reserved = await sql
      .selectFrom('indexer_claim')
      .innerJoin('indexer_account', 'indexer_account.account', 'indexer_claim.account')
      .select(['claim_id', 'address'])
      .where('state', '=', 'reserved')
      .where((row) =>
        row.not(
          row.exists(row.selectFrom('indexer_parcel').select('id').where('purpose', '=', 'claim').whereRef('reference', '=', 'claim_id')),
        ),
      )
      .execute();
    for (const { claim_id: claimId, address } of reserved) {
      const notBefore = await this.#claimableAt(address as Hex);
      await sender.put({
        purpose: 'claim',
        reference: claimId,
        recipient: deployment.faucet,
        gas: CLAIM_GAS,
        notBefore,
        data: encodeFunctionData({ abi: faucetAbi, functionName: 'claim', args: [address as Hex, claimKey(claimId)] }),
      });
    }
  }

  /**
   * The faucet's day began when it paid, seconds after the ledger's day began when it reserved: the next claim waits for
   * those seconds. A longer wait is no matter of seconds; then the faucet refuses, and the claim returns to the budget.
   */
  async #claimableAt(account: Hex): Promise<number> {
    const { client, deployment, now } = this.#options;
    const seconds = await client.readContract({ address: deployment.faucet, abi: faucetAbi, functionName: 'claimableAt', args: [account] });
    const at = Number(seconds) * 1000;
    return at > now() + PATIENCE_MS ? 0 : at;
  }

  async #settleFinal(): Promise<void> {
    const { sql } = this.#options;
    const done = await sql
      .selectFrom('indexer_claim')
      .innerJoin('indexer_parcel', (join) => join.onRef('reference', '=', 'claim_id').on('purpose', '=', 'claim'))
      .select(['claim_id', 'indexer_parcel.state'])
      .where('indexer_claim.state', '=', 'reserved')
      .where('indexer_parcel.state', 'in', ['succeeded', 'failed'])
      .execute();
    for (const { claim_id: claimId, state } of done) await this.#settle(claimId, state === 'succeeded' ? 'paid' : 'failed');
  }

  async #settle(claimId: string, outcome: ClaimOutcome): Promise<void> {
    const { events } = await this.#options.heart.submit({ type: 'SettleFaucetClaim', claimId, outcome });
    const refused = events.find((event) => event.type === 'CommandRejected');
    assert(refused === undefined, `the ledger refused to settle claim ${claimId}: ${refused?.reason}`);
  }
}

/** The faucet knows claims by 32 bytes. */
export function claimKey(claimId: string): Hex {
  return keccak256(toBytes(claimId));
}
