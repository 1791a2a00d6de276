/** What people want of a fund, as commands. */
import { randomUUID } from 'node:crypto';
import { ApiError, type BodyOf, type FaultFigures, type fundRoutes } from '@orrery/api';
import type { Command, Event, Heart, Receipt, RejectFigures } from '@orrery/protocol';
import { type AccountId, assetId, type Atoms, parseAtoms, printDecimal, type Seq } from '@orrery/units';
import type { FundFollower } from './follower.ts';
import type { LiveFunds } from './live.ts';
import type { FundReads } from './reads.ts';
import type { FundDb } from './tables.ts';

interface RequestParts {
  readonly heart: Heart;
  readonly db: FundDb;
  readonly live: LiveFunds;
  readonly reads: FundReads;
  readonly follower: FundFollower;
}

interface Taken {
  readonly requestId: string;
  /** The first valuation that may execute it; unix milliseconds. */
  readonly earliest: number;
  readonly seq: Seq;
}

export class FundRequests {
  readonly #parts: RequestParts;

  constructor(parts: RequestParts) {
    this.#parts = parts;
  }

  /** @throws ApiError with the reason of the engine; then no money has moved. */
  async subscribe(account: AccountId, wish: BodyOf<(typeof fundRoutes)['fundSubscribe']>): Promise<Taken> {
    const { row, money } = await this.#parts.reads.find(wish.fundId);
    const subscriptionId = wish.subscriptionId ?? randomUUID();
    const amount = amountField(wish.amount, money.decimals, 'amount');
    const receipt = await this.#submit({ type: 'SubscribeToFund', fund: assetId(row.fund), account, subscriptionId, amount });
    return this.#taken(receipt, { account, kind: 'SUBSCRIPTION', requestId: subscriptionId });
  }

  /** @throws ApiError with the reason of the engine; then no share is held. */
  async redeem(account: AccountId, wish: BodyOf<(typeof fundRoutes)['fundRedeem']>): Promise<Taken> {
    const { row, share } = await this.#parts.reads.find(wish.fundId);
    const redemptionId = wish.redemptionId ?? randomUUID();
    const shares = amountField(wish.shares, share.decimals, 'shares');
    const receipt = await this.#submit({ type: 'RedeemFromFund', fund: assetId(row.fund), account, redemptionId, shares });
    return this.#taken(receipt, { account, kind: 'REDEMPTION', requestId: redemptionId });
  }

  /** @returns the fund whose manager it is */
  async heartbeat(account: AccountId): Promise<{ readonly fundId: string; readonly seq: Seq }> {
    const { live, reads } = this.#parts;
    const fund = live.fundOf(account);
    if (fund === undefined) throw new ApiError('UnknownFund', { message: 'this account is the account of no fund' });
    const { seq } = await this.#submit({ type: 'SendFundHeartbeat', account });
    return { fundId: reads.codeOf(fund), seq };
  }

  async #submit(command: Command): Promise<Receipt> {
    const receipt = await this.#parts.heart.submit(command);
    const [first] = receipt.events;
    if (first?.type !== 'CommandRejected') return receipt;
    const { reason, field, figures } = first;
    throw new ApiError(reason, { field: FIELDS[field] ?? field, figures: figures === undefined ? undefined : this.#figuresText(figures) });
  }

  /** Of a request that came before, the valuation is in the record. */
  async #taken({ seq, events }: Receipt, { account, kind, requestId }: Asked): Promise<Taken> {
    const { db, follower } = this.#parts;
    // What is read after the answer has the request in the record.
    await follower.reached(seq);
    const interval = intervalIn(events);
    if (interval !== undefined) return { requestId, earliest: interval, seq };
    const { earliest } = await db
      .selectFrom('fund_entry')
      .select('earliest')
      .where('account', '=', account)
      .where('kind', '=', kind)
      .where('request_id', '=', requestId)
      .executeTakeFirstOrThrow();
    return { requestId, earliest: earliest ?? 0, seq };
  }

  #figuresText({ unit, id, asked, limit }: RejectFigures): FaultFigures | undefined {
    if (unit === 'count') return { asked: String(asked), limit: String(limit), unit: '' };
    const asset = unit === 'atoms' ? this.#parts.live.markets.asset(assetId(id)) : undefined;
    if (asset === undefined) return undefined;
    return { asked: printDecimal(asked, asset.decimals), limit: printDecimal(limit, asset.decimals), unit: asset.code };
  }
}

interface Asked {
  readonly account: AccountId;
  readonly kind: 'SUBSCRIPTION' | 'REDEMPTION';
  readonly requestId: string;
}

/** The fields of commands that calls name otherwise. */
const FIELDS: Readonly<Record<string, string>> = { fund: 'fundId' };

function intervalIn(events: readonly Event[]): number | undefined {
  for (const event of events) if (event.type === 'FundSubscriptionQueued' || event.type === 'FundRedemptionQueued') return event.interval;
  return undefined;
}

function amountField(text: string, decimals: number, field: string): Atoms {
  const parsed = parseAtoms(text, decimals);
  if (parsed !== undefined && parsed > 0n) return parsed;
  throw new ApiError('MalformedField', { field, message: `${field} must be above zero and have at most ${decimals} decimals` });
}
