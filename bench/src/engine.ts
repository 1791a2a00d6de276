/**
 * Orders a second through the whole engine: the command decoded, checked, its money held, matched, settled in the ledger, every event encoded,
 * all assertions on. On the workloads of the book, whose answers it must give too, and on one where many orders trade.
 */
import { bookStream } from './engine/book-commands.ts';
import { busyContractStream, busyStream } from './engine/busy-flow.ts';
import { Feed, type OrderStream } from './engine/order-stream.ts';
import { generateFlow, type Flow } from './book/flow.ts';
import { BASE, DEEP } from './book/workloads.ts';
import { otherUpTo } from './deep.ts';
import { collectGarbage, medianRate, rateOf, rounded, spent, whole, type Rate } from './measure.ts';
import type { Findings, Part } from './part.ts';

const PASSES = 5;
/** Until the code is compiled as it will stay. */
const WARM_PASSES = 2;
const OTHER_SECONDS = 10;
const ACCOUNTS = 1_000;

export const enginePart: Part = { name: 'engine', about: 'orders through the whole engine, events encoded', measure };

function measure(): Findings {
  const [base, deep] = [generateFlow(BASE), generateFlow(DEEP)];
  const rates = {
    base: measureStream(bookStream(base, { accounts: ACCOUNTS, clientOrderIds: false }), base),
    named: measureStream(bookStream(base, { accounts: ACCOUNTS, clientOrderIds: true }), base),
    deep: measureStream(bookStream(deep, { accounts: ACCOUNTS, clientOrderIds: false }), deep),
    busy: measureStream(busyStream({ seed: 42, commands: 500_000 }), undefined),
    contract: measureStream(busyContractStream({ seed: 42, commands: 500_000 }), undefined),
  };
  const theirs = otherUpTo(deep, OTHER_SECONDS);
  const times = rates.deep.perSecond / theirs.perSecond;
  const row = (what: string, { perSecond, perProcessorSecond }: Rate): string =>
    `${what.padEnd(46)} ${whole(perSecond).padStart(9)} orders/s ${whole(perProcessorSecond).padStart(9)} /s of processor time`;
  return {
    figures: {
      engine: {
        ordersPerSec: Math.round(rates.base.perSecond),
        ordersPerProcessorSec: Math.round(rates.base.perProcessorSecond),
        namedOrdersPerSec: Math.round(rates.named.perSecond),
        deepOrdersPerSec: Math.round(rates.deep.perSecond),
        busyOrdersPerSec: Math.round(rates.busy.perSecond),
        contractOrdersPerSec: Math.round(rates.contract.perSecond),
        timesNodejsOrderBookOnDeep: rounded(times, 1),
      },
    },
    lines: [
      row('1,000 resting', rates.base),
      row('1,000 resting, each order with a clientOrderId', rates.named),
      row('100,000 resting', rates.deep),
      row('20,000 resting, 0.4 trades an order', rates.busy),
      row('the same in a contract', rates.contract),
      `on the deep flow ${times.toFixed(1)} x nodejs-order-book, which does none of the rest (its first ${whole(theirs.operations)} operations)`,
    ],
  };
}

function measureStream(stream: OrderStream, expected: Flow | undefined): Rate {
  return medianRate(Array.from({ length: WARM_PASSES + PASSES }, () => pass(stream, expected)).slice(WARM_PASSES));
}

function pass(stream: OrderStream, flow: Flow | undefined): Rate {
  const feed = new Feed(stream);
  collectGarbage();
  const { count } = stream.orders;
  const time = spent(() => feed.take(stream.orders));
  if (feed.rejected > 0) throw new Error(`${feed.rejected} orders were rejected`);
  if (flow !== undefined && (feed.trades !== flow.expected.trades || feed.bookHash() !== flow.expected.hash))
    throw new Error('the engine ends in another book than the flow expects');
  return rateOf(count, time);
}
