/** The outside prices of each contract in its last round: what index and mark were made of. */
import type { Applied, ExternalSample, IndexSample } from '@orrery/protocol';
import type { MarketId, Millis } from '@orrery/units';

export interface LastRound {
  /** When the ages of the samples were measured. */
  readonly at: Millis;
  readonly index: readonly IndexSample[];
  readonly external: readonly ExternalSample[];
}

/** Facts name no samples: a contract has none until its next round, which comes every few seconds. */
export class PriceRoundsView {
  readonly #rounds = new Map<MarketId, LastRound>();

  apply({ command, events, at }: Applied): void {
    if (command.type !== 'SubmitPrices' || events.some(({ type }) => type === 'CommandRejected')) return;
    const { market, index, external } = command;
    this.#rounds.set(market, { at, index, external });
  }

  round(market: MarketId): LastRound | undefined {
    return this.#rounds.get(market);
  }
}
