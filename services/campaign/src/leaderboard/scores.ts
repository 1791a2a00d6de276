/**
 * The two boards of a campaign, from its flows. Only trades with another cluster count, on either board: profit that is shifted
 * between accounts of one hand is as little a merit as volume made between them.
 *
 * VOLUME: quote atoms traded in trades in which the account paid a fee, as taker or maker. Of what the accounts of one cluster trade on one
 * UTC day no more than the cap counts in all: above it each has its share of the cap, rounded down.
 *
 * PNL, realised and unrealised, in quote atoms: what the account's trades of the period brought against not having traded at all,
 *
 *     PNL = sum of (quote received − quote given) + sum over markets of value(base received − base given, mark),
 *
 * both after fees, where the mark is the outside price at the end of the period (until then: now) and `value` is rounded down. Deposits,
 * withdrawals, transfers and faucet claims are no trades and so are in neither sum; what was owned before and not traded has no part in it.
 *
 * Perpetual contracts count alike, as if their lots were bought and sold, by their mark price; funding is no trade. What the exchange took over or
 * deleveraged left at that price. An inverse contract counts on the board of volume alone. What of this counts, and for whom: `profits.ts`.
 *
 * An example, fees of 0.1 %: alice claims 10,000 USDC, buys 0.1 BTC at 50,000 (gives 5,000 USDC, receives 0.0999 BTC), sells 0.05 BTC
 * at 60,000 (receives 2,997 USDC); the mark at the end is 62,000. Her cash is −5,000 + 2,997 = −2,003 USDC, her base 0.0499 BTC,
 * worth 3,093.8 USDC: PNL = 1,090.8 USDC. The 10,000 USDC count for nothing.
 */
import type { AccountId } from '@orrery/units';
import { cappedShare } from '../clusters/cap.ts';
import type { Board } from '../tables/leaderboard.ts';
import type { Flow, Leg } from './flows.ts';
import { type Counted, profits, type ProfitGround } from './profits.ts';

export interface Score {
  readonly account: AccountId;
  /** Quote atoms; of PNL they may be below 0. */
  readonly value: bigint;
  /** Its last trade that counts: of equal values the one that came there earlier stands before. */
  readonly lastSeq: number;
}

/** One on the board of profit. */
export interface ProfitScore extends Score {
  readonly counted: Counted;
  readonly counterparties: number;
}

export interface ScoreGround extends ProfitGround {
  /** Of a flow's block. */
  readonly dayOf: (block: number) => number;
  /** Quote atoms of the accounts of one cluster that count on one UTC day; without it everything does. */
  readonly volumeCapPerDay: bigint | undefined;
  /** The exchange's own accounts and the blocked ones stand on no board. */
  readonly isRanked: (account: AccountId) => boolean;
}

interface Tally {
  /** By UTC day. */
  readonly volume: Map<number, bigint>;
  lastSeq: number;
}

/** Every account that is ranked, best first. */
export function standings(board: Board, ground: ScoreGround): readonly Score[] {
  return board === 'VOLUME' ? volumeScores(ground) : profitScores(ground).filter(({ counted }) => counted !== 'NOTHING');
}

/** Best first, and those among them that are not ranked yet. */
export function profitScores(ground: ScoreGround): readonly ProfitScore[] {
  return profits(ground)
    .filter(({ account }) => ground.isRanked(account))
    .sort(byRank);
}

function volumeScores(ground: ScoreGround): readonly Score[] {
  const all: Score[] = [];
  const tallied = tallies(ground);
  const volumes = countedVolumes(tallied, ground);
  for (const [account, { lastSeq }] of tallied) {
    const value = volumes.get(account) ?? 0n;
    if (ground.isRanked(account) && value > 0n) all.push({ account, value, lastSeq });
  }
  return all.sort(byRank);
}

function byRank(left: Score, right: Score): number {
  if (left.value !== right.value) return left.value > right.value ? -1 : 1;
  return left.lastSeq - right.lastSeq || left.account - right.account;
}

/** What of each account's volume counts, by the cap of each cluster and day. */
function countedVolumes(tallied: ReadonlyMap<AccountId, Tally>, { clusterOf, volumeCapPerDay: cap }: ScoreGround) {
  const together = new Map<AccountId, Map<number, bigint>>();
  for (const [account, { volume }] of tallied) {
    const days = together.get(clusterOf(account)) ?? new Map<number, bigint>();
    together.set(clusterOf(account), days);
    for (const [day, own] of volume) days.set(day, (days.get(day) ?? 0n) + own);
  }
  const counted = new Map<AccountId, bigint>();
  for (const [account, { volume }] of tallied) {
    let sum = 0n;
    for (const [day, own] of volume) {
      const all = together.get(clusterOf(account))?.get(day) ?? own;
      sum += cap === undefined ? own : cappedShare({ own, all, cap });
    }
    counted.set(account, sum);
  }
  return counted;
}

function tallies({ flows, clusterOf, dayOf }: ScoreGround): ReadonlyMap<AccountId, Tally> {
  const found = new Map<AccountId, Tally>();
  for (const flow of flows) {
    // What the exchange took over or deleveraged is no trade.
    if (flow.trades === 0 || clusterOf(flow.taker) === clusterOf(flow.maker)) continue;
    const day = dayOf(flow.block);
    count(found, flow.taker, { flow, day, leg: flow.takerLeg });
    count(found, flow.maker, { flow, day, leg: flow.makerLeg });
  }
  return found;
}

function count(found: Map<AccountId, Tally>, account: AccountId, { flow, day, leg }: { flow: Flow; day: number; leg: Leg }): void {
  const tally = found.get(account) ?? { volume: new Map<number, bigint>(), lastSeq: 0 };
  found.set(account, tally);
  tally.volume.set(day, (tally.volume.get(day) ?? 0n) + leg.volume);
  tally.lastSeq = Math.max(tally.lastSeq, flow.lastSeq);
}
