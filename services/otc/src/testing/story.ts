/** For tests: what people do most of the time, as calls. */
import type { CreateOtcAdvertisement, OtcOrderDetail, OwnOtcAdvertisement } from '@orrery/api';
import type { Market, Person } from './market.ts';

export async function addMethod(market: Market, who: Person, kind: 'BANK' | 'ALIPAY' = 'ALIPAY'): Promise<string> {
  const body = { kind, name: `${who.name} Example`, number: '6222000012345678', ...(kind === 'BANK' && { bank: 'A Bank' }) };
  const { paymentMethodId } = await market.call(who, market.otc.handlers.otcPaymentMethod.addOtcPaymentMethod, { body });
  return paymentMethodId;
}

/** 1,000 USDC at 7.12 CNY, from 100 to 5,000 CNY. */
export async function publish(market: Market, who: Person, changes: Partial<CreateOtcAdvertisement> = {}): Promise<OwnOtcAdvertisement> {
  const body = {
    side: 'SELL',
    coin: 'USDC',
    currency: 'cny',
    priceType: 'FIXED',
    price: '7.12',
    amount: '1000',
    minTotal: '100',
    maxTotal: '5000',
    paymentMethodIds: changes.paymentMethodIds ?? [await addMethod(market, who)],
    payWindowMinutes: 15,
    ...changes,
  };
  return market.call(who, market.otc.handlers.otcAdvertising.createOtcAdvertisement, { body });
}

let orders = 0;

/** 100 USDC for 712 CNY. */
export function take(
  market: Market,
  who: Person,
  advertisingId: string,
  changes: { amount?: string; total?: string; price?: string; clientOrderId?: string; paymentMethodIds?: string[] } = {},
): Promise<OtcOrderDetail> {
  orders += 1;
  const size = changes.total === undefined ? { amount: '100' } : {};
  return market.call(who, market.otc.handlers.otcOrder.createOtcOrder, {
    body: { advertisingId, clientOrderId: `order-${orders}`, ...size, ...changes },
  });
}

const of = (market: Market) => market.otc.handlers.otcOrder;

export const detail = (market: Market, who: Person, orderId: string): Promise<OtcOrderDetail> =>
  market.call(who, of(market).otcOrder, { query: { orderId } });
export const pay = (market: Market, who: Person, orderId: string): Promise<OtcOrderDetail> =>
  market.call(who, of(market).markOtcOrderPaid, { body: { orderId } });
export const cancel = (market: Market, who: Person, orderId: string): Promise<OtcOrderDetail> =>
  market.call(who, of(market).cancelOtcOrder, { body: { orderId } });
export const release = (market: Market, who: Person, orderId: string, google = '111111'): Promise<OtcOrderDetail> =>
  market.call(who, of(market).releaseOtcOrder, { body: { orderId, google } });
export const appeal = (market: Market, who: Person, orderId: string, receiptIds: readonly string[] = []): Promise<OtcOrderDetail> =>
  market.call(who, of(market).appealOtcOrder, { body: { orderId, reason: 'OTHER', text: 'Look at this.', receiptIds } });
export const upload = async (market: Market, who: Person, orderId: string): Promise<string> => {
  const body = { type: 'image/png', bytes: new Uint8Array(9) };
  return (await market.call(who, market.otc.handlers.otcReceipt.uploadOtcReceipt, { query: { orderId }, body })).receiptId;
};
export const say = (market: Market, who: Person, orderId: string, text: string, clientMessageId = `message-${(orders += 1)}`) =>
  market.call(who, of(market).sendOtcMessage, { body: { orderId, text, clientMessageId } });
export const chat = async (market: Market, who: Person, orderId: string) =>
  (await market.call(who, of(market).otcMessages, { query: { orderId, pageSize: 50 } })).list.toReversed();
