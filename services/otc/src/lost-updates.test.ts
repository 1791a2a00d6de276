/** Two calls about the same thing at the same moment: neither undoes the other in silence. The rows are in `api/src/testing/updates.txt`. */
import { expect, test } from 'vitest';
import { updatesIn } from '../../../api/src/testing/updates.ts';
import { MINUTE, refusalOf } from './testing/market.ts';
import { addMethod, appeal, cancel, detail, pay, publish, release, take } from './testing/story.ts';
import { alice, bob, market, withMarket } from './testing/with-market.ts';

withMarket();

const calls = () => market.otc.handlers;
const refusals = async (...changes: readonly Promise<unknown>[]) =>
  (await Promise.all(changes.map((change) => refusalOf(change)))).filter((refusal) => refusal !== undefined);
const statusOf = async (orderId: string) => (await detail(market, bob, orderId)).status;

async function made(): Promise<string> {
  const { advertisingId } = await publish(market, alice);
  return (await take(market, bob, advertisingId)).orderId;
}

/** Ripe for a dispute. */
async function paid(): Promise<string> {
  const orderId = await made();
  await pay(market, bob, orderId);
  await market.pass(30 * MINUTE);
  return orderId;
}

async function releaseAndDispute(): Promise<void> {
  const orderId = await paid();
  const refused = await refusals(release(market, alice, orderId), appeal(market, bob, orderId));
  expect(refused).toEqual(['OtcOrderNotInState orderId']);
  expect(['RELEASED', 'DISPUTED']).toContain(await statusOf(orderId));
}

/** By the name of the call. */
const CASES: Readonly<Record<string, () => Promise<void>>> = {
  async updateOtcAdvertisement() {
    const { advertisingId } = await publish(market, alice);
    const update = (body: object) =>
      market.call(alice, calls().otcAdvertising.updateOtcAdvertisement, { body: { advertisingId, ...body } });
    expect(await refusals(update({ price: '7.3' }), update({ minTotal: '200' }), update({ autoReply: 'Hello.' }))).toEqual([]);
    const { list } = await market.call(alice, calls().otcAdvertising.otcOwnAdvertisements);
    expect(list).toMatchObject([{ price: '7.3', minTotal: '200', autoReply: 'Hello.' }]);
  },
  async setOtcAdvertisementStatus() {
    const { advertisingId } = await publish(market, alice);
    const set = (status: string) =>
      market.call(alice, calls().otcAdvertising.setOtcAdvertisementStatus, { body: { advertisingId, status } });
    expect(await refusals(set('PAUSED'), set('TAKEN_DOWN'))).toEqual([]);
    const { list } = await market.call(alice, calls().otcAdvertising.otcOwnAdvertisements);
    expect(list).toMatchObject([{ status: 'TAKEN_DOWN' }]);
    expect(await market.free(alice, 'USDC')).toBe('10000');
  },
  async addOtcPaymentMethod() {
    await Promise.all([addMethod(market, alice), addMethod(market, alice, 'BANK')]);
    expect((await market.call(alice, calls().otcPaymentMethod.otcPaymentMethods)).total).toBe(2);
  },
  async removeOtcPaymentMethod() {
    const ids = [await addMethod(market, alice), await addMethod(market, alice)];
    const remove = (paymentMethodId: string | undefined) =>
      market.call(alice, calls().otcPaymentMethod.removeOtcPaymentMethod, { body: { paymentMethodId } });
    expect(await refusals(remove(ids[0]), remove(ids[1]), remove(ids[1]))).toEqual(['UnknownThing paymentMethodId']);
    expect((await market.call(alice, calls().otcPaymentMethod.otcPaymentMethods)).total).toBe(0);
  },
  async markOtcOrderPaid() {
    const orderId = await made();
    expect(await refusals(pay(market, bob, orderId), pay(market, bob, orderId))).toEqual([]);
    expect((await detail(market, bob, orderId)).steps.map(({ status }) => status)).toEqual(['CREATED', 'PAID']);
  },
  async cancelOtcOrder() {
    const orderId = await paid();
    const refused = await refusals(cancel(market, bob, orderId), release(market, alice, orderId));
    expect(refused).toEqual(['OtcOrderNotInState orderId']);
    expect(['CANCELLED', 'RELEASED']).toContain(await statusOf(orderId));
  },
  releaseOtcOrder: releaseAndDispute,
  appealOtcOrder: releaseAndDispute,
  async appraiseOtcOrder() {
    const orderId = await made();
    await pay(market, bob, orderId);
    await release(market, alice, orderId);
    const appraise = (appraisal: string) => market.call(bob, calls().otcOrder.appraiseOtcOrder, { body: { orderId, appraisal } });
    expect(await refusals(appraise('POSITIVE'), appraise('NEGATIVE'))).toEqual([]);
    const { positive, negative } = (await detail(market, bob, orderId)).counterpart;
    expect(positive + negative).toBe(1);
  },
  async applyAsOtcMerchant() {
    const apply = () => market.call(alice, calls().otcMerchant.applyAsOtcMerchant, { body: { name: 'Good Coins', text: 'x' } });
    expect(await refusals(apply(), apply())).toEqual(['AlreadyThere merchant']);
    expect(await market.free(alice, 'USDC')).toBe('9500');
  },
  async leaveOtcMerchants() {
    await market.call(alice, calls().otcMerchant.applyAsOtcMerchant, { body: { name: 'Good Coins', text: 'x' } });
    const leave = () => market.call(alice, calls().otcMerchant.leaveOtcMerchants);
    expect(await refusals(leave(), leave())).toEqual(['UnknownThing merchant']);
    expect(await market.free(alice, 'USDC')).toBe('10000');
  },
};

test('every call that the table names is made here', () => {
  expect(Object.keys(CASES).toSorted()).toEqual([...updatesIn('services/otc/src/lost-updates.test.ts')].toSorted());
});

test.each(Object.entries(CASES))('[A3] [A11] two at once: %s', async (_, run) => run());
