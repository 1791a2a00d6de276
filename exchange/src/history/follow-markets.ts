/** What is listed, kept up with the heart; not the prices, which change with every trade. */
import type { Contract, Event, Heart, View } from '@orrery/protocol';
import type { MarketId } from '@orrery/units';
import { advance, load, MarketsView, mayRegister } from '@orrery/views';

export interface Listed {
  readonly markets: MarketsView;
  /** Undefined where the market is a spot market. */
  readonly contractOf: (market: MarketId) => Contract | undefined;
}

/** Follows until the heart stops. `onTrouble` is called when following ends by a failure. */
export function followMarkets(heart: Heart, onTrouble: (error: unknown) => void): Listed {
  const view = heart.open();
  const markets = new MarketsView();
  const contracts = new Contracts();
  load(view, markets, contracts);
  follow(view, markets, contracts).catch(onTrouble);
  return { markets, contractOf: (market) => contracts.get(market) };
}

class Contracts {
  readonly #contracts = new Map<MarketId, Contract>();

  get(market: MarketId): Contract | undefined {
    return this.#contracts.get(market);
  }

  apply(event: Event): void {
    if (event.type !== 'ContractRegistered') return;
    const { type: _, ...contract } = event;
    this.#contracts.set(event.market, contract);
  }
}

async function follow({ tail }: View, markets: MarketsView, contracts: Contracts): Promise<void> {
  for await (const batch of tail) for (const applied of batch) if (mayRegister(applied)) advance(applied, markets, contracts);
}
