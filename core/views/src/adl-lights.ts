/**
 * How near a position is to being deleveraged, as lights: its place by profit and leverage among the positions of the same direction in its contract. The
 * fifth that is closed first has five.
 */
import type { Position } from '@orrery/protocol';
import { adlLights, unrealizedProfit } from '@orrery/rules';
import { NO_TICKS, type MarketId, type Ticks } from '@orrery/units';
import { holdingOf, leverageOf, type MarginViews } from './margin-account.ts';
import type { ListedContract } from './contracts.ts';

/** Scores of all positions of a direction, from the least. */
interface Ranking {
  readonly mark: Ticks;
  readonly long: Float64Array;
  readonly short: Float64Array;
}

export class AdlLights {
  readonly #views: MarginViews;
  /** By contract; a ranking holds until the mark price changes. */
  readonly #rankings = new Map<MarketId, Ranking>();

  constructor(views: MarginViews) {
    this.#views = views;
  }

  /** 1 to 5 lights; 1 while the mark price is not known. */
  of(position: Position): number {
    const listed = this.#views.contracts.contract(position.market);
    if (listed === undefined || listed.mark === NO_TICKS) return 1;
    const ranking = this.#rankingOf(listed);
    const scores = position.size > 0 ? ranking.long : ranking.short;
    const higher = scores.length - firstAbove(scores, this.#score(position, listed));
    // One that was opened since the ranking was made is not in it.
    return adlLights(Math.min(higher + 1, Math.max(1, scores.length)), Math.max(1, scores.length));
  }

  #rankingOf(listed: ListedContract): Ranking {
    const { market } = listed.contract;
    const known = this.#rankings.get(market);
    if (known?.mark === listed.mark) return known;
    const scores: Record<'long' | 'short', number[]> = { long: [], short: [] };
    for (const position of this.#views.positions.inMarket(market)) {
      scores[position.size > 0 ? 'long' : 'short'].push(this.#score(position, listed));
    }
    const ranking = { mark: listed.mark, long: Float64Array.from(scores.long).sort(), short: Float64Array.from(scores.short).sort() };
    this.#rankings.set(market, ranking);
    return ranking;
  }

  /** As `rankForAdl` ranks, for showing: profit ratio times leverage, of a loss divided by it. */
  #score(position: Position, listed: ListedContract): number {
    const share = Number(unrealizedProfit(holdingOf(position), listed.mark, listed.contract)) / Number(position.cost);
    const leverage = leverageOf(this.#views, position, listed);
    return share > 0 ? share * leverage : share / leverage;
  }
}

/** The index of the first score above `score` in a sorted list; its length when there is none. */
function firstAbove(scores: Float64Array, score: number): number {
  let [low, high] = [0, scores.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((scores[middle] ?? 0) > score) high = middle;
    else low = middle + 1;
  }
  return low;
}
