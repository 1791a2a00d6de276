/**
 * Whether a fund loses to the hand that leads it. Who is of one hand with a leader is not known here: the accounts come with the question. Above the limit nobody
 * subscribes any more until operators have looked, and open it again: those who are in can leave, and nothing is sold for a finding that may be chance.
 */
import { ApiError } from '@orrery/api';
import type { Heart } from '@orrery/protocol';
import { type AccountId, accountId, type AssetId, assetId, atoms, NO_ATOMS, printDecimal } from '@orrery/units';
import { dealtWith } from './dealings.ts';
import type { LiveFunds } from './live.ts';
import type { FundDb, FundRow } from './tables.ts';

const WATCHED_MS = 24 * 3_600_000;
/** Of what the fund is worth, in parts of a hundred. */
const LOSS_LIMIT = 1n;

export interface LeaderDealing {
  readonly fundId: string;
  /** The accounts of the leader's hand that traded with the fund; by account. */
  readonly members: readonly AccountId[];
  readonly trades: number;
  /** In the coin of the fund, of a day; what the members won is what the fund lost. */
  readonly volume: string;
  readonly gain: string;
  readonly worth: string;
  /** Whether more was lost than may be. */
  readonly isBeyond: boolean;
  /** Whether nobody can subscribe. */
  readonly isPaused: boolean;
}

interface WatchParts {
  readonly heart: Pick<Heart, 'submit'>;
  readonly db: FundDb;
  readonly live: Pick<LiveFunds, 'markets'>;
  readonly now: () => number;
  /** Resolves when everything that was history at the call is in SQL. */
  readonly caughtUp: () => Promise<void>;
}

export interface FundPause {
  /** Unix milliseconds: which pause it is. */
  readonly pausedAt: number;
  /** The one before, in the coin of the fund. */
  readonly capacity: string;
}

/** Who is of one hand with a leader; the leader itself among them. */
export type HandOf = (leader: AccountId) => Promise<readonly AccountId[]>;

export class LeaderWatch {
  readonly #parts: WatchParts;

  constructor(parts: WatchParts) {
    this.#parts = parts;
  }

  /** Of the funds that are open, and traded with the hand that leads them in the last day, and since they were opened again; or are paused. */
  async dealings(handOf: HandOf): Promise<readonly LeaderDealing[]> {
    return (await this.#found(handOf)).map(({ dealing }) => dealing);
  }

  /** Pauses subscriptions where too much was lost. */
  async watch(handOf: HandOf): Promise<void> {
    for (const { fund, dealing } of await this.#found(handOf)) {
      if (!dealing.isBeyond || dealing.isPaused) continue;
      await this.#parts.heart.submit({ type: 'SetFundCapacity', fund, capacity: NO_ATOMS });
    }
  }

  /** Undefined unless this fund is open, and its subscriptions are paused. */
  async pauseOf(fundId: string): Promise<FundPause | undefined> {
    const { live } = this.#parts;
    const row = await this.#pausedRow(fundId);
    const money = row === undefined ? undefined : live.markets.asset(assetId(row.asset));
    if (row?.paused_at == null || money === undefined) return undefined;
    return { pausedAt: row.paused_at, capacity: printDecimal(BigInt(row.open_capacity), money.decimals) };
  }

  /** Ends this pause, with the capacity from before it. Done again nothing happens, also when the fund is paused once more. */
  async resume({ fundId, pausedAt }: { readonly fundId: string; readonly pausedAt: number }): Promise<void> {
    await this.#parts.caughtUp();
    const row = await this.#pausedRow(fundId);
    if (row === undefined || row.paused_at !== pausedAt) return;
    const { events } = await this.#parts.heart.submit({
      type: 'SetFundCapacity',
      fund: assetId(row.fund),
      capacity: atoms(BigInt(row.open_capacity)),
    });
    const [first] = events;
    if (first?.type === 'CommandRejected') throw new ApiError(first.reason);
  }

  #pausedRow(fundId: string): Promise<FundRow | undefined> {
    const { db, live } = this.#parts;
    const share = live.markets.assets().find(({ code }) => code === fundId);
    return db
      .selectFrom('fund')
      .selectAll()
      .where('fund', '=', share?.asset ?? 0)
      .where('status', '=', 'OPEN')
      .where('paused_at', 'is not', null)
      .executeTakeFirst();
  }

  async #found(handOf: HandOf): Promise<readonly { readonly fund: AssetId; readonly dealing: LeaderDealing }[]> {
    const rows = await this.#parts.db.selectFrom('fund').selectAll().where('status', '=', 'OPEN').orderBy('fund').execute();
    const all = await Promise.all(rows.map((row) => this.#of(row, handOf)));
    return all.flatMap((dealing, index) => {
      const row = rows[index];
      return dealing === undefined || row === undefined ? [] : [{ fund: assetId(row.fund), dealing }];
    });
  }

  async #of(row: FundRow, handOf: HandOf): Promise<LeaderDealing | undefined> {
    const { fund, account, leader, asset, worth } = row;
    const isPaused = row.paused_at !== null;
    const { db, live, now } = this.#parts;
    const hand = (await handOf(accountId(leader))).filter((one) => one !== account);
    const dealt = await dealtWith(db, { fund: row, accounts: hand, from: now() - WATCHED_MS });
    const [share, money] = [live.markets.asset(assetId(fund)), live.markets.asset(assetId(asset))];
    if ((dealt.length === 0 && !isPaused) || share === undefined || money === undefined) return undefined;
    const sum = (of: 'volume' | 'gain'): bigint => dealt.reduce((total, one) => total + one[of], 0n);
    const gain = sum('gain');
    return {
      fundId: share.code,
      members: dealt.map((one) => one.account),
      trades: dealt.reduce((total, { trades }) => total + trades, 0),
      volume: printDecimal(sum('volume'), money.decimals),
      gain: `${gain < 0n ? '-' : ''}${printDecimal(gain < 0n ? -gain : gain, money.decimals)}`,
      worth: printDecimal(BigInt(worth), money.decimals),
      isBeyond: gain * 100n > BigInt(worth) * LOSS_LIMIT,
      isPaused,
    };
  }
}
