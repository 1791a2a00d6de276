/** What the two of a pair traded, with one another and with others, by market and block: what an operator looks at before judging them. */
import type { AccountId, MarketId } from '@orrery/units';
import { BLOCK_MS, type Flow, type Leg } from './flows.ts';

export interface PairTrades {
  /** When the block of four hours began, unix milliseconds. */
  readonly at: number;
  readonly market: MarketId;
  /** With one another. */
  readonly trades: number;
  /** Quote atoms of those. */
  readonly volume: bigint;
  /** Quote atoms given for what each bought, less those received for what it sold, with anybody. */
  readonly winnerBought: bigint;
  readonly loserBought: bigint;
}

interface Pair {
  readonly winner: AccountId;
  readonly loser: AccountId;
}

/** The latest first. @param startsAt of the campaign of these flows */
export function pairTrades(flows: Iterable<Flow>, { winner, loser }: Pair, startsAt: number): readonly PairTrades[] {
  const found = new Map<string, { -readonly [Field in keyof PairTrades]: PairTrades[Field] }>();
  for (const { market, block, taker, maker, takerLeg, makerLeg, trades } of flows) {
    const legOf = (account: AccountId): Leg | undefined => (taker === account ? takerLeg : maker === account ? makerLeg : undefined);
    const [won, lost] = [legOf(winner), legOf(loser)];
    if (won === undefined && lost === undefined) continue;
    const at = (Math.floor(startsAt / BLOCK_MS) + block) * BLOCK_MS;
    const row = found.get(`${market} ${block}`) ?? { at, market, trades: 0, volume: 0n, winnerBought: 0n, loserBought: 0n };
    found.set(`${market} ${block}`, row);
    row.winnerBought -= won?.cash ?? 0n;
    row.loserBought -= lost?.cash ?? 0n;
    if (won === undefined || lost === undefined) continue;
    row.trades += trades;
    row.volume += takerLeg.volume;
  }
  return [...found.values()].sort((left, right) => right.at - left.at || left.market - right.market);
}
