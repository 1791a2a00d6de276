/** The prices of the outside world: a walk in ticks that everybody can look up, with a jump now and then. */
import type { Market } from '@orrery/protocol';
import type { Chance } from '../chance.ts';
import { SECOND } from '../plan.ts';

/** Around the end of 2025, in ticks of each market. */
const BEGINNINGS: Readonly<Record<string, number>> = {
  BTC_USDC: 1_000_000,
  BTC_USD: 1_000_000,
  ETH_USDC: 350_000,
  SOL_USDC: 18_000,
  BNB_USDC: 90_000,
  WSOSO_USDC: 8_000,
};
const STEP_MS = 10 * SECOND;
const STEP_PPM = 300;
const JUMP_PPM = 80_000;
const PPM = 1_000_000;

export class Outside {
  readonly #walks = new Map<number, { readonly chance: Chance; readonly prices: number[] }>();
  readonly #chance: Chance;

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  /** In ticks. */
  price({ market, symbol }: Pick<Market, 'market' | 'symbol'>, now: number): number {
    let walk = this.#walks.get(market);
    if (walk === undefined) {
      walk = { chance: this.#chance.split(symbol), prices: [BEGINNINGS[symbol] ?? 10_000] };
      this.#walks.set(market, walk);
    }
    const { chance, prices } = walk;
    const step = Math.floor(now / STEP_MS);
    while (prices.length <= step) {
      const change = chance.oneIn(400) ? JUMP_PPM : STEP_PPM;
      prices.push(Math.max(100, Math.round(((prices.at(-1) ?? 0) * (PPM + chance.between(-change, change))) / PPM)));
    }
    return prices[step] ?? 1;
  }
}
