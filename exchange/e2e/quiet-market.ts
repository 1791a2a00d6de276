/** A market where no market-maker is stocked: who sells there, and when it traded last. */
import { createClient } from '@orrery/sdk';
import { type Person, prepareToTrade, signIn } from './person.ts';

export async function offerToSell(url: string, symbol: string): Promise<void> {
  const seller = await newSeller(url);
  const price = await outsidePrice(seller, symbol);
  await seller.client.createOrder({ symbol, direction: 'SELL', tradeType: 'LIMIT', price, totalAmount: '0.05' });
}

export async function offerContracts(url: string, symbol: string): Promise<void> {
  const seller = await newSeller(url);
  await seller.client.transfer({ coin: 'USDC', amount: '5000', from: 'spot', to: 'futures' });
  const order = { symbol, positionSide: 'BOTH', orderType: 'LIMIT', orderSide: 'SELL', origQty: '0.05' } as const;
  await seller.client.createFuturesOrder({ ...order, price: await outsidePrice(seller, symbol) });
}

async function newSeller(url: string): Promise<Person> {
  const seller = await signIn(url, { from: '203.0.113.250' });
  await prepareToTrade(url, seller);
  return seller;
}

async function outsidePrice({ client }: Person, symbol: string): Promise<string> {
  const { p: price } = await client.indexPrice({ symbol });
  if (price === null) throw new Error(`${symbol} has no outside price`);
  return price;
}

/** The unix second of the latest trade: a lucky block of that time is one of the day on which its sender traded. */
export async function timeOfTrade(url: string, symbol: string): Promise<number> {
  const [deal] = await createClient({ baseUrl: url }).deals({ symbol, num: 1 });
  if (deal === undefined) throw new Error('nobody has traded');
  return Math.floor(deal.t / 1_000);
}
