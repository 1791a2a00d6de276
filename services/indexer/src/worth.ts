/** What an amount is worth in USDC by the outside prices: no trade on our own books moves it. */
import type { IndexPriceSet, View } from '@orrery/protocol';
import { assert, type AssetId, type Atoms, NO_TICKS, printDecimal } from '@orrery/units';
import { load, MarketsView, type Moment, valueAt } from '@orrery/views';

const COIN = 'USDC';

export class Worth {
  readonly #markets = new MarketsView();

  constructor(view: Pick<View, 'seq' | 'facts'>) {
    load(view, this.#markets);
  }

  apply(event: IndexPriceSet, moment: Moment): void {
    this.#markets.apply(event, moment);
  }

  /** In atoms of USDC, rounded down; undefined without an outside price. */
  inUsdc(amount: Atoms, asset: AssetId): Atoms | undefined {
    const coin = this.#markets.asset(asset);
    if (coin?.code === COIN) return amount;
    const listed = coin === undefined ? undefined : this.#markets.marketBySymbol(`${coin.code}_${COIN}`);
    const quote = listed === undefined ? undefined : this.#markets.asset(listed.market.quote);
    if (coin === undefined || listed === undefined || quote === undefined || listed.indexPrice === NO_TICKS) return undefined;
    return valueAt(amount, { price: listed.indexPrice, market: listed.market, base: coin, quote });
  }

  /** @param value in atoms of USDC */
  print(value: Atoms): string {
    const coin = this.#markets.assetByCode(COIN);
    assert(coin !== undefined, `${COIN} is listed`);
    return printDecimal(value, coin.decimals);
  }
}
