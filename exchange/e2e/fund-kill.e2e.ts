/**
 * The fund of the whole program, killed at each of its arrows: while money is paid in, while shares are given back, and at the valuation that pays for them. The program goes on at a
 * later time after each start, as after a night in which it did not run: a fund is valued every ten minutes, and shares are locked for a day. Nobody trades for the fund, so that a
 * share is worth a dollar to the atom.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { ApiKeyCredentials, CallError, type Client, createClient } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { killedWhile } from './killed-while.ts';
import { type KeyOfPerson, prepareToTrade, signIn, transferKey } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const VALUATION = 10 * MINUTE;
/** A start takes less than this multiple of the one before. */
const SLOWER = 1.5;
/** From the call to kill -9: before it is in the journal, and while it is written into SQL, or when it is answered at the latest. */
const KILLED_AFTER_MS = [5, 40];
const AT_ONCE = 100;
const PAID_IN = 100;
const GIVEN_BACK = 30;
const FUND = 'QUANTO1';

withProgram({ env: { ...BEHIND_A_PROXY, ORRERY_MARKET_MAKER: 'off', ORRERY_FUND_MANAGER: 'off' } });

/** How far the clock of the program is ahead. */
let aheadMs = 0;
const clock = (): number => Date.now() + aheadMs;
/** What the last start took. */
let startMs = 10_000;
async function startLater(): Promise<void> {
  const from = performance.now();
  await startAgain({ ORRERY_TEST_LATER_MS: String(aheadMs) });
  startMs = performance.now() - from;
}

/** By a key: it outlives the restarts, and a day in which sessions end. */
const clientOf = (key: KeyOfPerson): Client =>
  createClient({ baseUrl: program.url, credentials: new ApiKeyCredentials({ ...key, now: clock }) });

const killed = (call: () => Promise<unknown>, afterMs: number): Promise<boolean> =>
  killedWhile(call, { afterMs, isAnswered: afterMs === KILLED_AFTER_MS.at(-1) }, startLater);

/** The program stops and goes on at this time. */
async function passTo(time: number): Promise<void> {
  await program.stop();
  aheadMs = Math.round(time - Date.now());
  await startLater();
}

const nextValuation = (from: number): number => Math.ceil(from / VALUATION) * VALUATION;

async function newHolder(from: string): Promise<Client> {
  const person = await signIn(program.url, { from });
  await prepareToTrade(program.url, person);
  await person.client.transfer({ coin: 'USDC', amount: '1000', from: 'spot', to: 'funding' });
  return clientOf(await transferKey(person));
}

/** The record follows history, and may be behind it at a start: what was answered before the kill is in it soon. */
const isInRecord = (who: Client, requestId: string): Promise<boolean> =>
  until(
    `${requestId} is in the record`,
    async () => (await entriesOf(who)).filter((entry) => entry.includes(` ${requestId} `)).length === 1,
  );

const usdcOf = async (who: Client): Promise<number> =>
  Number((await who.balances({ account: 'funding' })).find(({ coin }) => coin === 'USDC')?.availableBalance);

const entriesOf = async (who: Client): Promise<readonly string[]> =>
  (await who.fundHistory({ pageSize: 50 })).list
    .map(({ kind, requestId, status, amount }) => `${kind} ${requestId} ${status} ${amount ?? ''}`.trim())
    .toSorted();

/** @returns the code of the refusal; undefined where the redemption was taken. */
const refusalOf = (call: Promise<unknown>): Promise<number | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CallError) return error.status;
      throw error;
    },
  );

async function share(who: Client): Promise<{ readonly shares: number; readonly frozen: number }> {
  const [own] = await who.fundMine();
  return { shares: Number(own?.shares ?? 0), frozen: Number(own?.frozen ?? 0) };
}

test('[A12] kill -9 at each arrow of the fund: no answered request is lost, shares are given once and paid once; of 100 redemptions of the same shares at once one is taken', async () => {
  const [alice, bob] = [await newHolder('10.13.0.1'), await newHolder('10.13.0.2')];
  await until('the fund is open', async () => (await alice.fundList()).length === 2);
  const [money, bobsMoney] = [await usdcOf(alice), await usdcOf(bob)];
  const answered: boolean[] = [];

  for (const [index, afterMs] of KILLED_AFTER_MS.entries()) {
    const subscribe = () => alice.fundSubscribe({ fundId: FUND, amount: String(PAID_IN), subscriptionId: `in-${index}` });
    const isAnswered = await killed(subscribe, afterMs);
    answered.push(isAnswered);
    if (isAnswered) await isInRecord(alice, `in-${index}`);
    // The same again, as a page does that got no answer: it changes nothing where it was done.
    await subscribe();
    expect(await usdcOf(alice)).toBe(money - (index + 1) * PAID_IN);
  }
  const paidIn = KILLED_AFTER_MS.length * PAID_IN;
  await bob.fundSubscribe({ fundId: FUND, amount: '10', subscriptionId: 'in' });
  await passTo(nextValuation(clock() + 2 * MINUTE) + 30_000);
  await until('the shares are given', async () => (await share(alice)).shares === paidIn && (await share(bob)).shares === 10);
  expect(await entriesOf(alice)).toEqual(KILLED_AFTER_MS.map((_, index) => `SUBSCRIPTION in-${index} DONE ${PAID_IN}`));

  await passTo(nextValuation(clock() + DAY) + 30_000);
  const refusals = await Promise.all(
    Array.from({ length: AT_ONCE }, (_, index) => refusalOf(bob.fundRedeem({ fundId: FUND, shares: '10', redemptionId: `out-${index}` }))),
  );
  expect(refusals.filter((refusal) => refusal === undefined)).toHaveLength(1);
  expect(await share(bob)).toEqual({ shares: 10, frozen: 10 });

  for (const [index, afterMs] of KILLED_AFTER_MS.entries()) {
    const redeem = () => alice.fundRedeem({ fundId: FUND, shares: String(GIVEN_BACK), redemptionId: `out-${index}` });
    const before = await usdcOf(alice);
    const isAnswered = await killed(redeem, afterMs);
    answered.push(isAnswered);
    if (isAnswered) await isInRecord(alice, `out-${index}`);
    await redeem();
    expect(await share(alice)).toEqual({ shares: paidIn - index * GIVEN_BACK, frozen: GIVEN_BACK });
    expect(await usdcOf(alice)).toBe(before);
    // The first command at the time of a valuation, whatever it is, is behind the valuation in history.
    const due = nextValuation(clock() + 2 * MINUTE);
    await passTo(due - SLOWER * startMs);
    await pause(Math.max(0, due - clock()));
    await killed(redeem, afterMs);
    await until('the redemption is paid', async () => (await usdcOf(alice)) === before + GIVEN_BACK);
    expect((await redeem()).redemptionId).toBe(`out-${index}`);
    expect(await usdcOf(alice)).toBe(before + GIVEN_BACK);
    expect(await share(alice)).toEqual({ shares: paidIn - (index + 1) * GIVEN_BACK, frozen: 0 });
  }

  const back = KILLED_AFTER_MS.length * GIVEN_BACK;
  expect(await usdcOf(alice)).toBe(money - paidIn + back);
  expect([await usdcOf(bob), await share(bob)]).toEqual([bobsMoney, { shares: 0, frozen: 0 }]);
  expect(await entriesOf(alice)).toEqual([
    ...KILLED_AFTER_MS.map((_, index) => `REDEMPTION out-${index} DONE ${GIVEN_BACK}`),
    ...KILLED_AFTER_MS.map((_, index) => `SUBSCRIPTION in-${index} DONE ${PAID_IN}`),
  ]);
  const { shares, aum, waitingRedemptions, waitingSubscriptions, status } = { ...(await alice.fundDetail({ fundId: FUND })) };
  expect({ status, waitingRedemptions, waitingSubscriptions }).toEqual({
    status: 'OPEN',
    waitingRedemptions: '0',
    waitingSubscriptions: '0',
  });
  expect(Number(aum)).toBe(Number(shares));
  expect(answered).toContain(true);
});
