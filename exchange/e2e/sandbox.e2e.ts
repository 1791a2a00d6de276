/** The calls of testers on the program as `npm start` starts it: nobody waits for a market that falls, or for the hour. */
import { beforeAll, expect, test } from 'vitest';
import { prepareToTrade, signIn, type Person } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

const symbol = 'BTC_USDC';

let tester: Person;

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_SANDBOX: 'everywhere' } });
beforeAll(async () => {
  tester = await signIn(program.url, { from: '203.0.113.60' });
  await prepareToTrade(program.url, tester);
  await tester.client.transfer({ coin: 'USDC', amount: '2000', from: 'spot', to: 'futures' });
  await until('the contract is quoted', async () => {
    const { b, a } = await tester.client.futuresDepth({ symbol });
    return b.length > 0 && a.length > 0;
  });
});

const positionSize = async (): Promise<string> => (await tester.client.positions({ symbol }))[0]?.positionSize ?? '0';

test('[F1] a tester has an order filled, pays funding before the hour, and is liquidated by a fall, step by step in the history', async () => {
  const { client } = tester;
  await client.changePositionType({ symbol, positionType: 'ISOLATED' });
  await client.adjustLeverage({ symbol, leverage: 40 });
  const best = Number((await client.futuresDepth({ symbol })).b[0]?.[0]);
  const orderId = await client.createFuturesOrder({
    symbol,
    orderSide: 'BUY',
    orderType: 'LIMIT',
    price: String(Math.round(best * 0.999)),
    origQty: '0.05',
  });
  expect(await client.fillMyOrder({ orderId })).toEqual({ orderId, filledQty: '0.05', isFilled: true });
  await until('the position is open', async () => (await positionSize()) === '0.05');
  const { fundingRate } = await client.forceFunding({ symbol });
  await until('the funding is in the history', async () => (await client.fundingPayments({ symbol })).items.length === 1);
  expect(Number(fundingRate)).not.toBeNaN();
  await client.movePrice({ symbol, change: '-0.08', seconds: 60 });
  await until('the position is liquidated', async () => (await positionSize()) === '0');
  await until('its steps are in the history', async () => (await client.liquidations({ symbol })).items.length > 0);
  const { items } = await client.positionHistory({ symbol });
  expect(items).toMatchObject([{ symbol, side: 'LONG', maxSize: '0.05', cause: expect.stringMatching(/^(LIQUIDATION|TAKE_OVER|ADL)$/) }]);
  await client.movePrice({ symbol, change: '0', seconds: 1 });
});
