/** Fee tiers of contracts: once a UTC day each account gets the tier of what it traded in the fourteen days before. */
import { type Lease, repeat, type Repetition } from '@orrery/foundation';
import type { TradedVolume } from '@orrery/projector';
import { type Applied, type Event, type Heart } from '@orrery/protocol';
import { feeTierOf, rebateTierOf, weightedVolume } from '@orrery/rules';
import { addAtoms, type AccountId, type Atoms, NO_ATOMS, type Seq } from '@orrery/units';
import { isOfOrders, load } from '@orrery/views';

/** History of the day before is written by then. */
const AFTER_MIDNIGHT_MS = 60_000;
const DAY_MS = 86_400_000;
const LOOK_EVERY_MS = 30_000;

interface Tier {
  readonly tier: number;
  readonly rebateTier: number;
}

const NO_TIER: Tier = { tier: 0, rebateTier: 0 };

interface Options {
  readonly heart: Pick<Heart, 'open' | 'submit' | 'end'>;
  readonly history: {
    reached(seq: Seq): Promise<void>;
    readonly contracts: { volumes(query: { readonly now: number }): Promise<readonly TradedVolume[]> };
  };
  /** The house pays and is paid by the contracts' own rates. */
  readonly isHouse: (account: AccountId) => boolean;
  /** What funds pay is the same whatever they trade: a tier would pay a manager for trading often with the money of others. */
  readonly isFund: (account: AccountId) => boolean;
  readonly usdcDecimals: number;
  /** Of all processes on the database its holder sets the tiers. */
  readonly lease: Lease;
  readonly now: () => number;
  readonly onTrouble: (error: unknown) => void;
}

export class FeeTiers {
  readonly #options: Options;
  readonly #tiers = new Map<AccountId, Tier>();
  #close: () => void = () => undefined;
  #timer: Repetition | undefined;
  /** The day whose tiers are set. */
  #doneDay = -1;

  constructor(options: Options) {
    this.#options = options;
  }

  start(): void {
    const view = this.#options.heart.open();
    load(view, { apply: (event) => this.#fold(event) });
    this.#follow(view.tail).catch(this.#options.onTrouble);
    this.#close = () => view.close();
    const { lease, onTrouble } = this.#options;
    this.#timer = repeat({ every: LOOK_EVERY_MS, lease, work: () => this.look(), onTrouble, atOnce: true });
  }

  async stop(): Promise<void> {
    await this.#timer?.stop();
    this.#close();
  }

  /** Sets the tiers of a day that has just begun; what failed is done at the next look. */
  async look(): Promise<void> {
    const now = this.#options.now();
    const day = Math.floor((now - AFTER_MIDNIGHT_MS) / DAY_MS);
    if (day <= this.#doneDay) return;
    await this.setTiers(now);
    this.#doneDay = day;
  }

  /** Of every account whose tier is another one now; those that traded nothing fall back to tier 0. */
  async setTiers(now: number): Promise<void> {
    const { heart, history } = this.#options;
    await history.reached(await heart.end());
    const wanted = this.#wanted(await history.contracts.volumes({ now }));
    for (const account of new Set([...wanted.keys(), ...this.#tiers.keys()])) {
      const { tier, rebateTier } = wanted.get(account) ?? NO_TIER;
      const has = this.#tiers.get(account) ?? NO_TIER;
      if (tier === has.tier && rebateTier === has.rebateTier) continue;
      const { events } = await heart.submit({ type: 'SetFeeTier', account, tier, rebateTier });
      const refused = events.find((event) => event.type === 'CommandRejected');
      if (refused !== undefined) throw new Error(`the fee tier of account ${account} was refused: ${refused.reason}`);
    }
  }

  #wanted(volumes: readonly TradedVolume[]): ReadonlyMap<AccountId, Tier> {
    const allMaker = volumes.map(({ maker }) => maker).reduce((left: Atoms, right) => addAtoms(left, right), NO_ATOMS);
    return new Map(
      volumes
        .filter(({ account }) => !this.#options.isHouse(account) && !this.#options.isFund(account))
        .map(({ account, perpetual, spot, maker }): [AccountId, Tier] => [
          account,
          { tier: feeTierOf(weightedVolume(perpetual, spot), this.#options.usdcDecimals), rebateTier: rebateTierOf(maker, allMaker) },
        ]),
    );
  }

  async #follow(tail: AsyncIterable<readonly Applied[]>): Promise<void> {
    for await (const batch of tail)
      for (const applied of batch) if (!isOfOrders(applied)) for (const event of applied.events) this.#fold(event);
  }

  #fold(event: Event): void {
    if (event.type === 'FeeTierSet') this.#tiers.set(event.account, { tier: event.tier, rebateTier: event.rebateTier });
  }
}
