/** For the matrix of calls and callers: what a call is made with, about things of alice's. */
import { createECDH } from 'node:crypto';
import { sampleOf, type Shape } from '../../../services/gateway/src/testing/arbitrary.ts';
import { expect } from 'vitest';
import { alice, bearer, bob, call, keyOf, price, signIn } from './ground.ts';

/** Stands in every order of alice's. */
export const CANARY = 'canary-of-alice';

const orderBody = (clientOrderId?: string): object => ({
  symbol: 'BTC_USDC',
  direction: 'BUY',
  tradeType: 'LIMIT',
  price,
  totalAmount: '0.001',
  ...(clientOrderId === undefined ? {} : { clientOrderId }),
});

/** A limit order that is never reached below, and a stop far above. */
const pairBody = (): Record<string, unknown> => ({
  symbol: 'BTC_USDC',
  direction: 'BUY',
  totalAmount: '0.001',
  above: { tradeType: 'STOP_MARKET', stopPrice: String(Math.round(Number(price) * 1.2)) },
  below: { tradeType: 'LIMIT', price },
});

let orders = 0;
/** An open order of alice's. */
async function placedOrder(): Promise<string> {
  orders += 1;
  const body = orderBody(`${CANARY}-${orders}`);
  const { reason, data } = await call({ method: 'POST', url: '/spot/v1/u/trade/order/create', body, headers: bearer(alice) });
  expect(reason).toBe('ok');
  return String(data);
}

/** Things of alice's that a call may be about, made when a call asks for them. */
const things: Readonly<Record<string, () => unknown>> = {
  symbol: () => 'BTC_USDC',
  coin: () => 'USDC',
  amount: () => '1',
  from: () => 'funding',
  to: () => 'spot',
  walletAddress: () => alice.address,
  address: () => alice.address,
  evmAddress: () => alice.address,
  termsCode: () => 'TERMS',
  taskCode: () => 'INVITE_5',
  async campaignId() {
    const { data } = await call({ method: 'GET', url: '/biz/leaderboard/campaigns' });
    return (data as { campaignId: string }[])[0]?.campaignId;
  },
  message: () => 'not a message of ours',
  username: () => 'nobody',
  tel: () => 'nobody',
  email: () => 'nobody',
  label: () => 'another label',
  realName: () => 'Alice Example',
  country: () => 'DE',
  // Nothing is pushed there: no category is chosen.
  endpoint: () => 'https://fcm.googleapis.com/fcm/send/canary',
  p256dh: () => createECDH('prime256v1').generateKeys('base64url'),
  categories: () => [],
  orderId: placedOrder,
  orderIds: async () => [await placedOrder()],
  orders: () => [orderBody()],
  price: () => String(Number(price) - 1),
  accessKey: async () => (await keyOf(alice, 'READ')).accessKey,
  sessionId: async () => {
    await signIn(alice.wallet);
    const { data } = await call({ method: 'GET', url: '/pro/u/session/list', headers: bearer(alice) });
    const { list } = data as { list: { sessionId: string; current: boolean }[] };
    return list.find(({ current }) => !current)?.sessionId;
  },
};

/** Optional fields without which these calls are about nothing. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  applyAsOtcMerchant: ['name', 'text'],
  order: ['orderId'],
  orderTimeline: ['orderId'],
  fills: ['orderId'],
  cancelOrder: ['orderId'],
  cancelOrders: ['orderIds'],
  createOrders: ['orders'],
  updateOrder: ['price'],
  updateApiKey: ['label'],
  claim: ['address'],
  chainTransactions: ['address'],
  withdraw: ['nonce', 'signature', 'message'],
};

/** Calls about one order of OTC trading. */
const OTC = /otc/i;

export async function inputOf(name: string, { properties = {}, required = [] }: Shape): Promise<Record<string, unknown>> {
  if (name === 'createOrder') return { ...orderBody() };
  if (name === 'createPair') return pairBody();
  const input: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(properties)) {
    if (!required.includes(field) && ALSO[name]?.includes(field) !== true) continue;
    // Orders of OTC trading are counted apart.
    if (field === 'orderId' && OTC.test(name)) {
      input[field] = '999999';
      continue;
    }
    // The receiver of a withdrawal is an address, that of a transfer a wallet.
    input[field] = name === 'withdraw' && field === 'to' ? bob.address : await (things[field]?.() ?? sampleOf(schema));
  }
  return input;
}
