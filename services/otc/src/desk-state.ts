/** The terms of the desk and the assist prices that the engine has, as history says them. */
import type { OtcCurrency } from '@orrery/api';
import type { AssistPrice, Event, Fiat, Heart, OtcTerms } from '@orrery/protocol';
import type { AssetId, FiatPrice, Millis } from '@orrery/units';

/** An older one makes no order: so it is in the engine. */
export const ASSIST_FRESH_MS = 60_000;

interface Known {
  readonly price: FiatPrice;
  readonly at: Millis;
}

export class DeskState {
  #terms: OtcTerms | undefined;
  readonly #assist = new Map<string, Known>();

  /** As it is at this moment. */
  load(heart: Heart): void {
    const view = heart.open();
    view.close();
    for (const fact of view.facts) this.apply(fact);
  }

  /** What is older than what is known changes nothing: history may be read from far back. */
  apply(event: Event): void {
    if (event.type === 'OtcTermsSet') {
      const { type: _, ...terms } = event;
      this.#terms = terms;
    } else if (event.type === 'AssistPricesSet') {
      for (const { asset, currency, price } of event.prices) {
        const known = this.#assist.get(keyOf(asset, currency));
        if (known === undefined || known.at <= event.at) this.#assist.set(keyOf(asset, currency), { price, at: event.at });
      }
    }
  }

  /** Undefined while the desk is not open. */
  get terms(): OtcTerms | undefined {
    return this.#terms;
  }

  /** Undefined where there is none that is fresh. */
  assist(asset: AssetId, currency: Fiat, now: number): FiatPrice | undefined {
    const known = this.#assist.get(keyOf(asset, currency));
    return known === undefined || now - known.at > ASSIST_FRESH_MS ? undefined : known.price;
  }

  /** The price that the engine has, however old. */
  known({ asset, currency }: Pick<AssistPrice, 'asset' | 'currency'>): Known | undefined {
    return this.#assist.get(keyOf(asset, currency));
  }
}

const keyOf = (asset: AssetId, currency: OtcCurrency): string => `${asset} ${currency}`;
