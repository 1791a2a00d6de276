/** For tests of hearts: a plain order near one price, of which some meet each other. */
import type { PlaceOrder } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, ppm, ticks } from '@orrery/units';

interface Choice {
  between(least: number, most: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

export const drawnOrder = (chance: Choice, { account, clientOrderId }: { account: number; clientOrderId: string }): PlaceOrder => ({
  type: 'PlaceOrder',
  account: accountId(account),
  market: marketId(1),
  clientOrderId,
  side: chance.pick(['buy', 'sell'] as const),
  orderType: 'limit',
  timeInForce: 'GTC',
  price: ticks(chance.between(90, 110)),
  size: lots(chance.between(1, 5)),
  funds: atoms(0n),
  triggerPrice: ticks(0),
  slippagePpm: ppm(0),
  selfTradePrevention: 'expireTaker',
});
