/** An OTC order of the whole program, killed at each of its arrows: while it is made, marked as paid, released and cancelled. */
import { otcReleaseStatement, type OtcOrderDetail } from '@orrery/api';
import { expect, test } from 'vitest';
import { killedWhile } from './killed-while.ts';
import { momentsOf } from './little-time.ts';
import { claimTokens, type Person, signFor, signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, withProgram } from './with-program.ts';

/** Milliseconds from the call to kill -9: before it is taken, while it is in the journal, while it is written into SQL, after the answer. */
const KILLED_AFTER_MS = momentsOf([2, 10, 40]);
const ARROWS = ['create', 'paid', 'release', 'cancel'] as const;
type Arrow = (typeof ARROWS)[number];
const AMOUNT = '10';

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off' } });

let alice: Person;
let buyers: readonly Person[];
let advertisingId: string;

const create = (by: Person, clientOrderId: string) => by.client.createOtcOrder({ advertisingId, clientOrderId, amount: AMOUNT });

async function release(orderId: string): Promise<OtcOrderDetail> {
  const { status, counterpart, amount, coin } = await alice.client.otcOrder({ orderId });
  if (status === 'RELEASED') return alice.client.otcOrder({ orderId });
  const statement = otcReleaseStatement({ amount, coin, orderId, buyer: counterpart.traderId });
  return alice.client.releaseOtcOrder({ orderId, ...(await signFor(alice, { purpose: 'otc-release', statement })) });
}

/** The call of the arrow, when the order stands before it. */
async function prepared(arrow: Arrow, bob: Person, clientOrderId: string): Promise<() => Promise<unknown>> {
  if (arrow === 'create') return () => create(bob, clientOrderId);
  const { orderId } = await create(bob, clientOrderId);
  if (arrow === 'paid') return () => bob.client.markOtcOrderPaid({ orderId });
  if (arrow === 'cancel') return () => bob.client.cancelOtcOrder({ orderId });
  await bob.client.markOtcOrderPaid({ orderId });
  return () => release(orderId);
}

const balanceOf = async (person: Person): Promise<number> =>
  Number((await person.client.balances({ account: 'funding' })).find(({ coin }) => coin === 'USDC')?.availableBalance);
const escrow = async () => (await alice.client.otcInfo()).escrow.find(({ coin }) => coin === 'USDC');

test('[A11] OT1: kill -9 at each arrow of an order: no answered step is lost, and the coin is released once or returned once', async () => {
  const { url } = program;
  alice = await signIn(url, { from: '10.11.0.1' });
  buyers = await Promise.all(KILLED_AFTER_MS.map((_, index) => signIn(url, { from: `10.11.1.${index + 1}` })));
  for (const person of [alice, ...buyers]) await claimTokens(url, person);
  const { paymentMethodId } = await alice.client.addOtcPaymentMethod({ kind: 'ALIPAY', name: 'Alice Example', number: '13800000000' });
  const terms = { side: 'SELL', coin: 'USDC', currency: 'cny', priceType: 'FIXED', price: '7.1', minTotal: '10', maxTotal: '500' } as const;
  ({ advertisingId } = await alice.client.createOtcAdvertisement({
    ...terms,
    amount: '400',
    paymentMethodIds: [paymentMethodId],
    payWindowMinutes: 30,
  }));
  const before = await Promise.all(buyers.map(balanceOf));
  const answered: boolean[] = [];
  for (const [index, afterMs] of KILLED_AFTER_MS.entries()) {
    const bob = buyers[index];
    if (bob === undefined) throw new Error('there is a buyer for each delay');
    for (const arrow of ARROWS) {
      const clientOrderId = `${arrow}-${afterMs}`;
      const call = await prepared(arrow, bob, clientOrderId);
      const isAnswered = await killedWhile(call, { afterMs, isAnswered: afterMs === KILLED_AFTER_MS.at(-1) });
      for (const person of [alice, ...buyers]) await person.refresh();
      answered.push(isAnswered);
      const after = { create: 'CREATED', paid: 'PAID', release: 'RELEASED', cancel: 'CANCELLED' }[arrow];
      const isThere = async (): Promise<boolean> =>
        (await bob.client.otcOrders({ pageSize: 50 })).list.some(
          (order) => order.clientOrderId === clientOrderId && order.status === after,
        );
      // The record follows history, and may be behind it at a start.
      if (isAnswered) await until(`${arrow} after ${afterMs} ms is in the record`, isThere);
      // The same again, as a page does that got no answer: it changes nothing where it was done.
      await call();
      const { orderId, status } = await create(bob, clientOrderId);
      if (arrow === 'cancel') continue;
      if (status === 'CREATED') await bob.client.markOtcOrderPaid({ orderId });
      expect(await release(orderId)).toMatchObject({ status: 'RELEASED' });
    }
    const { list } = await bob.client.otcOrders({ pageSize: 50 });
    expect(list.map(({ clientOrderId, status }) => `${clientOrderId} ${status}`).toSorted()).toEqual(
      ARROWS.map((arrow) => `${arrow}-${afterMs} ${arrow === 'cancel' ? 'CANCELLED' : 'RELEASED'}`).toSorted(),
    );
    for (const { orderId } of list) {
      const { steps } = await bob.client.otcOrder({ orderId });
      expect(new Set(steps.map(({ status }) => status)).size).toBe(steps.length);
    }
  }
  for (const [index, bob] of buyers.entries()) expect(await balanceOf(bob)).toBeCloseTo((before[index] ?? 0) + 3 * Number(AMOUNT), 6);
  const released = buyers.length * 3 * Number(AMOUNT);
  expect(await escrow()).toEqual({
    coin: 'USDC',
    advertised: String(400 - released),
    inOrders: '0',
    deposits: '0',
    total: String(400 - released),
  });
  expect(answered).toContain(true);
});
