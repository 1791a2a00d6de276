/** What others won or lost in trades with funds, hour by hour, against the mark of the moment: whether a leader trades with its own fund is seen in it. */
import type { Trade } from '@orrery/protocol';
import { type AccountId, accountId, type AssetId, type MarketId, type Millis, type Ticks } from '@orrery/units';
import { sql } from 'kysely';
import type { Paused } from './pause.ts';
import type { FundDb, FundRow, FundTx } from './tables.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 30 * 24 * HOUR_MS;

export interface Dealing {
  readonly fund: AssetId;
  /** The other side. */
  readonly account: AccountId;
  readonly hour: number;
  /** When the last pause of the fund ended; 0 where none did. */
  readonly since: number;
  readonly volume: bigint;
  /** Atoms by which the prices of the other side were better than the mark, fees apart: the fund lost as much. */
  readonly gain: bigint;
}

interface Circumstances {
  readonly at: Millis;
  readonly funds: ReadonlyMap<AccountId, AssetId>;
  readonly marks: ReadonlyMap<MarketId, Ticks>;
  readonly pauses: ReadonlyMap<AssetId, Paused>;
}

/** One of each side that is a fund. */
export function dealingsOf(trade: Trade, { at, funds, marks, pauses }: Circumstances): readonly Dealing[] {
  const { takerAccount, makerAccount, takerSide, notional, price } = trade;
  const sides = [
    { own: takerAccount, other: makerAccount, isOtherBuyer: takerSide === 'sell' },
    { own: makerAccount, other: takerAccount, isOtherBuyer: takerSide === 'buy' },
  ];
  const mark = marks.get(trade.market) ?? price;
  // What is paid is proportional to the price, so the division is exact.
  const better = (notional * BigInt(mark - price)) / BigInt(price);
  return sides.flatMap(({ own, other, isOtherBuyer }) => {
    const fund = funds.get(own);
    if (fund === undefined) return [];
    const when = { hour: at - (at % HOUR_MS), since: pauses.get(fund)?.reopened_at ?? 0 };
    return [{ fund, account: other, ...when, volume: notional, gain: isOtherBuyer ? better : -better }];
  });
}

export async function addDealings(tx: FundTx, dealings: readonly Dealing[]): Promise<void> {
  for (const { fund, account, hour, since, volume, gain } of dealings)
    await tx
      .insertInto('fund_dealing')
      .values({ fund, account, hour, since, trades: 1, volume: String(volume), gain: String(gain) })
      .onConflict((conflict) =>
        conflict.columns(['fund', 'account', 'hour', 'since']).doUpdateSet((of) => ({
          trades: sql<number>`fund_dealing.trades + ${of.ref('excluded.trades')}`,
          volume: sql<string>`fund_dealing.volume + ${of.ref('excluded.volume')}`,
          gain: sql<string>`fund_dealing.gain + ${of.ref('excluded.gain')}`,
        })),
      )
      .execute();
}

export async function forgetDealings(db: FundDb, now: number): Promise<void> {
  await db
    .deleteFrom('fund_dealing')
    .where('hour', '<', now - KEPT_MS)
    .execute();
}

export interface Dealt {
  readonly account: AccountId;
  readonly trades: number;
  readonly volume: bigint;
  readonly gain: bigint;
}

interface Wanted {
  readonly fund: Pick<FundRow, 'fund' | 'reopened_at'>;
  readonly accounts: readonly AccountId[];
  readonly from: number;
}

/** Of these accounts with a fund, in the hours since `from`; what was traded before the end of a pause was looked at. */
export async function dealtWith(db: FundDb, { fund: { fund, reopened_at: since }, accounts, from }: Wanted): Promise<readonly Dealt[]> {
  if (accounts.length === 0) return [];
  const rows = await db
    .selectFrom('fund_dealing')
    .select(['account', sql<string>`sum(trades)`.as('trades'), sql<string>`sum(volume)`.as('volume'), sql<string>`sum(gain)`.as('gain')])
    .where('fund', '=', fund)
    .where('since', '=', since)
    .where('account', 'in', accounts)
    .where('hour', '>=', from - (from % HOUR_MS))
    .groupBy('account')
    .orderBy('account')
    .execute();
  return rows.map(({ account, trades, volume, gain }) => ({
    account: accountId(account),
    trades: Number(trades),
    volume: BigInt(volume),
    gain: BigInt(gain),
  }));
}
