/** Gives the engine what coins are worth outside, while an advertisement follows it. */
import type { AssistPrice, Fiat, Heart } from '@orrery/protocol';
import { type AssetId, fiatPrice, parseDecimal } from '@orrery/units';
import type { Board } from './board.ts';
import type { Coins } from './coins.ts';
import { ASSIST_FRESH_MS, type DeskState } from './desk-state.ts';
import type { AssistPort } from './ports.ts';

/** The engine's are renewed before they are too old to be taken, with room for a round that fails. */
const RENEWED_MS = 20_000;
const PRICE_DECIMALS = 4;
/** Of a text with more decimals the rest is cut. */
const TEXT_DECIMALS = 18;

interface FeedParts {
  readonly heart: Heart;
  readonly board: Board;
  readonly coins: Coins;
  readonly desk: DeskState;
  readonly assist: AssistPort;
  readonly now: () => number;
}

export class AssistFeed {
  readonly #parts: FeedParts;

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** For the advertisements that are there. */
  async run(): Promise<void> {
    const floating = this.#parts.board.all().filter(({ pricing }) => pricing.kind === 'FLOATING');
    await this.#feed(new Set(floating.map(({ asset, currency }) => `${asset} ${currency}`)));
  }

  /** For one that is about to be there. */
  feedOne(asset: AssetId, currency: Fiat): Promise<void> {
    return this.#feed(new Set([`${asset} ${currency}`]));
  }

  async #feed(wanted: ReadonlySet<string>): Promise<void> {
    if (wanted.size === 0) return;
    const { heart, desk, now } = this.#parts;
    const at = now();
    const prices = this.#outside().filter(({ asset, currency }) => wanted.has(`${asset} ${currency}`));
    const due = prices.filter((price) => {
      const known = desk.known(price);
      return known === undefined || at - known.at >= RENEWED_MS;
    });
    if (due.length > 0) await heart.submit({ type: 'SetAssistPrices', prices: due });
  }

  /** What is fresh outside; a price that is too old there is given to nobody. */
  #outside(): AssistPrice[] {
    return this.#parts.assist().flatMap(({ coin, currency, price, ageMs }) => {
      const asset = this.#parts.coins.traded().find(({ code }) => code === coin);
      const units = price === null ? undefined : unitsOf(price);
      if (asset === undefined || units === undefined || (ageMs !== null && ageMs > ASSIST_FRESH_MS)) return [];
      return [{ asset: asset.asset, currency, price: units }];
    });
  }
}

/** Rounded down to the grid of prices; undefined where nothing is left. */
function unitsOf(text: string) {
  const whole = parseDecimal(text, TEXT_DECIMALS);
  const units = whole === undefined ? 0n : whole / 10n ** BigInt(TEXT_DECIMALS - PRICE_DECIMALS);
  return units === 0n ? undefined : fiatPrice(units);
}
