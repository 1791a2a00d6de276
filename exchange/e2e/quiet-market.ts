/** A market where no market-maker is stocked: who sells there, and when it traded last. */
import { createClient } from '@orrery/sdk';
import { prepareToTrade, signIn } from './person.ts';

export async function offerToSell(url: string, symbol: string): Promise<void> {
  const seller = await signIn(url, { from: '203.0.113.250' });
  await prepareToTrade(url, seller);
  const { p: price } = await seller.client.indexPrice({ symbol });
  if (price === null) throw new Error(`${symbol} has no outside price`);
  await seller.client.createOrder({ symbol, direction: 'SELL', tradeType: 'LIMIT', price, totalAmount: '0.05' });
}

/** The unix second of the latest trade: a lucky block of that time is one of the day on which its sender traded. */
export async function timeOfTrade(url: string, symbol: string): Promise<number> {
  const [deal] = await createClient({ baseUrl: url }).deals({ symbol, num: 1 });
  if (deal === undefined) throw new Error('nobody has traded');
  return Math.floor(deal.t / 1_000);
}
