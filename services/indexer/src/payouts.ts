/**
 * Withdrawals on their way out: held → reviewed where a person looks at it → signed with a deadline → requested from the vault → after its dispute delay released →
 * posted when the payout is final on the chain. A vault without a delay, such as an earlier version's, releases at once.
 * Each arrow is on disk before the next begins, and the vault pays an id once: a crash anywhere delays, and never pays twice.
 * Money goes back only when it can not be paid any more: the deadline has passed in a block that stays, and the id is unused.
 * A posted payout that the chain takes back is owed on the chain: it is sent until it lies there again.
 */
import { type Deployment, exchangeVaultAbi, NATIVE_TOKEN, type Withdrawal, withdrawalTypedData } from '@orrery/contracts';
import type { Command, Heart } from '@orrery/protocol';
import { assert } from '@orrery/units';
import type { ExpressionBuilder, Kysely } from 'kysely';
import { encodeFunctionData, type Hex, type LocalAccount, type PublicClient } from 'viem';
import { isAsRequested } from './alarms.ts';
import { lowerCase } from './chain-block.ts';
import { finalBlock, settledBlock } from './confirmations.ts';
import type { ListedToken, ListedTokens } from './listed-tokens.ts';
import type { Reviews } from './reviews.ts';
import type { Head } from './scanner.ts';
import type { Sender } from './sender.ts';
import type { IndexerTables } from './tables.ts';

export interface PayoutsOptions {
  readonly sql: Kysely<IndexerTables>;
  readonly heart: Heart;
  readonly client: PublicClient;
  readonly deployment: Deployment;
  readonly operator: LocalAccount;
  readonly tokens: ListedTokens;
  readonly sender: Sender;
  readonly reviews: Pick<Reviews, 'isPassed' | 'beginSigning' | 'stopped'>;
  /** Whether what the ledger had at the start is known here: from then on a withdrawal that was signed once is not taken for a new one. */
  readonly isCaughtUp: () => boolean;
  readonly required: number;
  /** How long a signed withdrawal can be paid. */
  readonly payableSeconds: number;
  readonly now: () => number;
}

interface Payout {
  readonly withdrawal_id: string;
  readonly account: number;
  readonly asset: number;
  readonly amount: string;
  readonly recipient: string;
  readonly state: IndexerTables['indexer_payout']['state'];
  readonly deadline: number | null;
  readonly review: IndexerTables['indexer_payout']['review'];
}

type SignedPayout = Payout & { readonly deadline: number };

type Step = 'request' | 'release';

const RELEASE_GAS = 400_000;
/** By which the clocks of the chain's producers may differ from ours. */
const CLOCK_MARGIN_MS = 2_000;
const RETRY_MS = 5_000;
const RETRY_MAX_MS = 300_000;

export class Payouts {
  readonly #options: PayoutsOptions;

  constructor(options: PayoutsOptions) {
    this.#options = options;
  }

  /** What the chain has done already. */
  async settle(head: Head): Promise<void> {
    await this.#postPaid(head);
    await this.#refundExpired(head);
    await this.#refundStopped();
    await this.#forgetRecalls(head);
  }

  /** What is to be done on the chain. Who has a deposit in suspense waits. */
  async send(head: Head): Promise<void> {
    const frozen = this.#options.sql.selectFrom('indexer_suspense').select('account');
    const payable = this.#open().where(isNotOnItsWay).where('account', 'not in', frozen);
    for (const payout of await payable.execute()) await this.#sendOpen(payout, head);
    for (const payout of await this.#recalled().where(isNotOnItsWay).execute()) await this.#sendRecalled(payout, head);
  }

  /** The next step of a payout: its request, or its release when the dispute delay is over. */
  async #put(payout: SignedPayout, { token, head }: { token: ListedToken; head: Head }): Promise<void> {
    const { sql, deployment, now } = this.#options;
    if ((deployment.disputeSeconds ?? 0) === 0) return this.#putStep('release', payout, token);
    const requested = await sql
      .selectFrom('indexer_request')
      .select('releasable_at')
      .where('withdrawal_id', '=', payout.withdrawal_id)
      .where('deadline', '=', payout.deadline)
      .executeTakeFirst();
    if (requested === undefined) return this.#putStep('request', payout, token);
    const isDue = Math.max(head.time, now() - CLOCK_MARGIN_MS) >= requested.releasable_at * 1000;
    if (isDue && !(await this.#isCancelled(payout.withdrawal_id))) await this.#putStep('release', payout, token);
  }

  /** A signed parcel is recorded in the ledger before it is broadcast. */
  async markSent(withdrawalId: string, txHash: string): Promise<void> {
    await this.#submit({ type: 'MarkWithdrawalSent', withdrawalId, txHash });
  }

  async #sendOpen(payout: Payout, head: Head): Promise<void> {
    const token = this.#options.tokens.ofAsset(payout.asset);
    if (payout.state === 'held' && payout.deadline === null && (token === undefined || (await this.#isImpossible(payout, token)))) {
      // Nothing was signed, so nothing can ever be paid.
      await this.#submit({ type: 'RefundWithdrawal', withdrawalId: payout.withdrawal_id });
      return;
    }
    assert(token !== undefined, 'a withdrawal with a deadline is of a listed token');
    if (!(await this.#options.reviews.isPassed(payout))) return;
    const deadline = payout.deadline ?? (await this.#setDeadline(payout, head));
    if (deadline * 1000 > head.time && (await this.#vaultCanPay(payout, token))) await this.#put({ ...payout, deadline }, { token, head });
  }

  /** The earlier signature may have expired. A later deadline cannot pay twice: it has the same id, and is never refunded. */
  async #sendRecalled(payout: Payout, head: Head): Promise<void> {
    const token = this.#options.tokens.ofAsset(payout.asset);
    assert(token !== undefined, 'what was posted is of a listed token');
    if (await this.#isUsed(payout.withdrawal_id)) return;
    const isPayable = payout.deadline !== null && payout.deadline * 1000 > head.time;
    const deadline = isPayable ? payout.deadline : await this.#setDeadline(payout, head);
    if (await this.#vaultCanPay(payout, token)) await this.#put({ ...payout, deadline }, { token, head });
  }

  async #setDeadline({ withdrawal_id: id }: Payout, head: Head): Promise<number> {
    const deadline = Math.floor(head.time / 1000) + this.#options.payableSeconds;
    await this.#options.sql.updateTable('indexer_payout').set({ deadline }).where('withdrawal_id', '=', id).execute();
    return deadline;
  }

  async #postPaid(head: Head): Promise<void> {
    const { sql, required, tokens } = this.#options;
    const paid = await sql
      .selectFrom('indexer_payout')
      .innerJoin('indexer_release', 'indexer_release.withdrawal_id', 'indexer_payout.withdrawal_id')
      .select(['indexer_payout.withdrawal_id', 'asset', 'indexer_payout.amount', 'indexer_payout.recipient', 'state'])
      .select(['tx_hash', 'token', 'indexer_release.amount as paid_amount', 'indexer_release.recipient as paid_to'])
      .where('state', 'in', ['held', 'sent'])
      .where('block_number', '<=', finalBlock(head.number, required))
      .execute();
    for (const row of paid) {
      // Paid otherwise, it is an alarm, and stays open for the person who ends that.
      if (!isAsRequested({ token: row.token, amount: row.paid_amount, recipient: row.paid_to }, row, tokens)) continue;
      // Anyone may send what we signed: the transaction that paid need not be ours.
      if (row.state === 'held') await this.markSent(row.withdrawal_id, row.tx_hash);
      await this.#submit({ type: 'PostWithdrawal', withdrawalId: row.withdrawal_id, txHash: row.tx_hash });
    }
  }

  async #refundExpired(head: Head): Promise<void> {
    const { sql, required } = this.#options;
    const settled = await sql
      .selectFrom('indexer_block')
      .select('time')
      .where('number', '=', settledBlock(head.number, required))
      .executeTakeFirst();
    if (settled === undefined) return;
    const expired = await this.#open()
      .where('deadline', '<', Math.floor(settled.time / 1000))
      .where(isUnpaid)
      .execute();
    for (const { withdrawal_id: withdrawalId } of expired) {
      if (!(await this.#isUsed(withdrawalId))) await this.#submit({ type: 'RefundWithdrawal', withdrawalId });
    }
  }

  /** Nothing of them was signed, so nothing of them can be paid. */
  async #refundStopped(): Promise<void> {
    const { reviews, isCaughtUp } = this.#options;
    if (!isCaughtUp()) return;
    for (const withdrawalId of await reviews.stopped()) await this.#submit({ type: 'RefundWithdrawal', withdrawalId });
  }

  async #forgetRecalls(head: Head): Promise<void> {
    const { sql, required } = this.#options;
    // Two statements: of one with both conditions the server reads every release and every payout.
    await sql
      .deleteFrom('indexer_recall')
      .where((row) =>
        row.exists(
          row
            .selectFrom('indexer_release')
            .select('token')
            .whereRef('indexer_release.withdrawal_id', '=', 'indexer_recall.withdrawal_id')
            .where('block_number', '<=', finalBlock(head.number, required)),
        ),
      )
      .execute();
    await sql
      .deleteFrom('indexer_recall')
      .where((row) =>
        row.exists(
          row
            .selectFrom('indexer_payout')
            .select('asset')
            .whereRef('indexer_payout.withdrawal_id', '=', 'indexer_recall.withdrawal_id')
            .where('state', '=', 'refunded'),
        ),
      )
      .execute();
  }

  #isCancelled(withdrawalId: string): Promise<boolean> {
    const { client, deployment } = this.#options;
    const args = [withdrawalId as Hex] as const;
    return client.readContract({ address: deployment.vault, abi: exchangeVaultAbi, functionName: 'cancelled', args });
  }

  #isUsed(withdrawalId: string): Promise<boolean> {
    const { client, deployment } = this.#options;
    return client.readContract({
      address: deployment.vault,
      abi: exchangeVaultAbi,
      functionName: 'used',
      args: [withdrawalId as Hex],
    });
  }

  async #putStep(step: Step, payout: SignedPayout, token: ListedToken): Promise<void> {
    if (!(await this.#options.reviews.beginSigning(payout.withdrawal_id))) return;
    const { sql, sender, operator, deployment, now } = this.#options;
    const withdrawal = this.#withdrawal(payout, token);
    const signature = await operator.signTypedData(
      withdrawalTypedData({ chainId: deployment.chainId, vault: deployment.vault, withdrawal }),
    );
    const { failures } = await sql
      .selectFrom('indexer_parcel')
      .select(({ fn }) => fn.countAll<number>().as('failures'))
      .where('purpose', '=', step)
      .where('state', '=', 'failed')
      .where('reference', '=', payout.withdrawal_id)
      .executeTakeFirstOrThrow();
    await sender.put({
      purpose: step,
      reference: payout.withdrawal_id,
      recipient: deployment.vault,
      gas: RELEASE_GAS,
      data: encodeFunctionData({ abi: exchangeVaultAbi, functionName: step, args: [withdrawal, signature] }),
      notBefore: failures === 0 ? 0 : now() + Math.min(RETRY_MS * 2 ** failures, RETRY_MAX_MS),
    });
  }

  #withdrawal({ withdrawal_id: id, recipient, amount, deadline }: SignedPayout, { native, address }: ListedToken): Withdrawal {
    const token = native ? NATIVE_TOKEN : (address as Hex);
    return { id: id as Hex, token, to: recipient as Hex, amount: BigInt(amount), deadline: BigInt(deadline) };
  }

  /** The vault would refuse it at any time. */
  async #isImpossible({ recipient, amount }: Payout, token: ListedToken): Promise<boolean> {
    const { client, deployment, tokens } = this.#options;
    const refused = new Set([
      lowerCase(`0x${'0'.repeat(40)}`),
      lowerCase(NATIVE_TOKEN),
      lowerCase(deployment.vault),
      ...tokens.all.map(({ address }) => address),
    ]);
    if (refused.has(lowerCase(recipient))) return true;
    const { hourly, daily } = await client.readContract({
      address: deployment.vault,
      abi: exchangeVaultAbi,
      functionName: 'outflowCaps',
      args: [token.address as Hex],
    });
    return BigInt(amount) > hourly || BigInt(amount) > daily;
  }

  /** Not now, when the vault is paused or has paid out its hour: later. */
  async #vaultCanPay({ amount }: Payout, token: ListedToken): Promise<boolean> {
    const vault = { address: this.#options.deployment.vault, abi: exchangeVaultAbi } as const;
    const { client } = this.#options;
    const paused = await client.readContract({ ...vault, functionName: 'paused' });
    const available = await client.readContract({ ...vault, functionName: 'outflowAvailable', args: [token.address as Hex] });
    return !paused && BigInt(amount) <= available;
  }

  #open() {
    return this.#payouts().where('state', 'in', ['held', 'sent']);
  }

  /** The ledger has let them go, and the chain has not. */
  #recalled() {
    const recalls = this.#options.sql.selectFrom('indexer_recall').select('withdrawal_id');
    return this.#payouts().where('state', '=', 'posted').where('withdrawal_id', 'in', recalls).where(isUnpaid);
  }

  #payouts() {
    return this.#options.sql
      .selectFrom('indexer_payout')
      .select(['withdrawal_id', 'account', 'asset', 'amount', 'recipient', 'state', 'deadline', 'review']);
  }

  async #submit(command: Command): Promise<void> {
    const { events } = await this.#options.heart.submit(command);
    const refused = events.find((event) => event.type === 'CommandRejected');
    // Our read model may lag behind the ledger: then the withdrawal has moved on already, and the follower will update it.
    assert(refused === undefined || refused.reason === 'WithdrawalNotInState', `the ledger refused ${command.type}: ${refused?.reason}`);
  }
}

type PayoutRow = ExpressionBuilder<IndexerTables, 'indexer_payout'>;

/** Neither waits to be sent nor was sent and is not known to have failed. */
function isNotOnItsWay(row: PayoutRow) {
  const parcels = row
    .selectFrom('indexer_parcel')
    .select('id')
    .whereRef('reference', '=', 'withdrawal_id')
    .where((parcel) =>
      parcel.or([
        parcel.and([parcel('purpose', '=', 'release'), parcel('indexer_parcel.state', '!=', 'failed')]),
        // A request that is final is followed by its release.
        parcel.and([parcel('purpose', '=', 'request'), parcel('indexer_parcel.state', 'in', ['queued', 'sent'])]),
      ]),
    );
  return row.not(row.exists(parcels));
}

function isUnpaid(row: PayoutRow) {
  const releases = row
    .selectFrom('indexer_release')
    .select('token')
    .whereRef('indexer_release.withdrawal_id', '=', 'indexer_payout.withdrawal_id');
  return row.not(row.exists(releases));
}
