/** The market-maker of a fund: quotes both sides of perpetual contracts around the index price with the fund's own money, sized by what it is worth. */
import { ContractDesk, type Life, Pace, type QuotedContract } from '@orrery/market-maker';
import { type Client, contractTerms } from '@orrery/sdk';
import { freeIn, LEAST_MOVE, money, moveMoney, SETTLE, SETTLE_DECIMALS } from './amounts.ts';

/** The rules of the strategy: the words beside the fund are made of these numbers. */
export const MAKING = {
  coins: ['BTC', 'ETH', 'SOL'],
  /** On each side. */
  levels: 3,
  /** Of the worth of the fund, on the level next to the market; a little more further away. */
  levelPercent: 1,
  /** The largest position in one contract, either way, of the worth of the fund. */
  positionPercent: 10,
  /** No quote is nearer to the index price: more than the fee of a maker. */
  halfSpreadPpm: 600,
  /** At the largest position all quotes stand this much lower or higher. */
  skewPpm: 200,
  /** Quotes are moved when the price has moved by this, and looked at again after this number of seconds. */
  movePpm: 200,
  reviewSeconds: 30,
  /** Quotes are taken out when the index price is older, in seconds. */
  staleSeconds: 15,
} as const;

export interface MakingOptions {
  readonly client: Client;
  readonly life: Life;
  readonly log: (line: string) => void;
}

const OPERATIONS_PER_SECOND = 20;
const DOLLAR = 10n ** BigInt(SETTLE_DECIMALS);

export class Making {
  readonly #options: MakingOptions;
  #desk: ContractDesk | undefined;
  #dollars = 0;

  constructor(options: MakingOptions) {
    this.#options = options;
  }

  /** @returns true @throws what keeps it from quoting; the next round begins with reading. */
  async round(): Promise<boolean> {
    // What an earlier run has left is taken out first. Quotes follow the price, and are taken out when it is old, whatever keeps the fund from being weighed.
    const desk = this.#desk ?? (await this.#open());
    this.#desk = desk;
    const [weighed] = await Promise.allSettled([this.#weigh()]);
    await desk.round();
    if (weighed.status === 'rejected') throw weighed.reason;
    return true;
  }

  /** Takes its quotes out; its positions it keeps. */
  async end(): Promise<void> {
    await this.#desk?.withdraw();
  }

  /** What the fund is worth, with all of its money where the margin is. */
  async #weigh(): Promise<void> {
    const { client } = this.#options;
    const balances = (await client.balances()).filter(({ coin }) => coin === SETTLE);
    const positions = await client.positions();
    const profit = positions.reduce((sum, { unrealizedProfit }) => sum + money(unrealizedProfit ?? '0'), 0n);
    this.#dollars = Number((balances.reduce((sum, { balance }) => sum + money(balance), 0n) + profit) / DOLLAR);
    const [funding, spot] = [freeIn(balances, 'funding'), freeIn(balances, 'spot')];
    const moved = funding >= LEAST_MOVE ? funding : 0n;
    if (moved > 0n) await moveMoney(client, { amount: moved, from: 'funding', to: 'spot' });
    if (spot + moved >= LEAST_MOVE) await moveMoney(client, { amount: spot + moved, from: 'spot', to: 'futures' });
  }

  async #open(): Promise<ContractDesk> {
    const { client, life, log } = this.#options;
    const listed = await client.futuresSymbols();
    const contracts = MAKING.coins.flatMap((coin, place): readonly QuotedContract[] => {
      const info = listed.find(({ symbol }) => symbol === `${coin}_${SETTLE}`);
      return info === undefined ? [] : [{ rules: contractTerms(info), ladder: () => this.#ladder(place) }];
    });
    const { staleSeconds, reviewSeconds, movePpm } = MAKING;
    const pace = new Pace({ perSecond: OPERATIONS_PER_SECOND, now: Date.now, wait: (ms) => life.pause(ms) });
    const times = { staleMs: staleSeconds * 1_000, reviewMs: reviewSeconds * 1_000, tolerancePpm: movePpm };
    const desk = new ContractDesk({ client, contracts, pace, life, ...times, log });
    await desk.begin();
    log('quotes both sides');
    return desk;
  }

  #ladder(seed: number) {
    // Before it has been weighed nothing is quoted.
    const levels = this.#dollars === 0 ? 0 : MAKING.levels;
    const { levelPercent, positionPercent, halfSpreadPpm, skewPpm: skewMaxPpm } = MAKING;
    const percent = (part: number): number => Math.floor((this.#dollars * part) / 100);
    return { seed, levels, halfSpreadPpm, skewMaxPpm, levelDollars: percent(levelPercent), positionDollars: percent(positionPercent) };
  }
}
