/** The coins that are listed, and which of them are traded here. */
import { ApiError } from '@orrery/api';
import type { Asset, Heart } from '@orrery/protocol';
import { assert, type AssetId } from '@orrery/units';

const OTC_COINS = ['USDC', 'BTC', 'ETH', 'WSOSO'] as const;

export class Coins {
  readonly #byId = new Map<AssetId, Asset>();
  readonly #byCode = new Map<string, Asset>();

  /** All that is listed at this moment: coins are listed before services start. */
  static of(heart: Heart): Coins {
    const coins = new Coins();
    const view = heart.open();
    view.close();
    for (const fact of view.facts) {
      if (fact.type !== 'AssetRegistered') continue;
      const { type: _, ...asset } = fact;
      coins.#byId.set(asset.asset, asset);
      coins.#byCode.set(asset.code, asset);
    }
    return coins;
  }

  byId(asset: AssetId): Asset {
    const found = this.#byId.get(asset);
    assert(found !== undefined, 'the asset is listed');
    return found;
  }

  byCode(code: string): Asset | undefined {
    return this.#byCode.get(code);
  }

  /** Those that are traded here. */
  traded(): readonly Asset[] {
    return OTC_COINS.flatMap((code) => this.byCode(code) ?? []);
  }

  /** @throws ApiError UnknownThing unless the coin is traded here. */
  field(code: string): Asset {
    const found = this.traded().find((asset) => asset.code === code);
    if (found === undefined) throw new ApiError('UnknownThing', { field: 'coin' });
    return found;
  }
}
