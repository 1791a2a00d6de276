/** What is listed, kept up with the heart; not the prices, which change with every trade. */
import type { Heart, View } from '@orrery/protocol';
import { advance, load, MarketsView, mayRegister } from '@orrery/views';

/** Follows until the heart stops. `onTrouble` is called when following ends by a failure. */
export function followMarkets(heart: Heart, onTrouble: (error: unknown) => void): MarketsView {
  const view = heart.open();
  const markets = new MarketsView();
  load(view, markets);
  follow(view, markets).catch(onTrouble);
  return markets;
}

async function follow({ tail }: View, markets: MarketsView): Promise<void> {
  for await (const batch of tail) for (const applied of batch) if (mayRegister(applied)) advance(applied, markets);
}
