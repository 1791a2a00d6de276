/**
 * The same with 100,000 resting orders over a wide range. npm `nodejs-order-book` becomes slower with every operation there: it takes more than
 * a minute for the million on a quiet machine. On a busy machine it runs for a bounded time, and our book is compared with it on
 * the operations it finished.
 */
import { drive, prepare, verify } from './book/drive.ts';
import { generateFlow, type Flow } from './book/flow.ts';
import { bookHash } from './book/hash.ts';
import { NodejsOrderBook, OwnBook } from './book/subjects.ts';
import { DEEP } from './book/workloads.ts';
import { collectGarbage, medianRate, rateOf, rounded, spent, whole, type Rate } from './measure.ts';
import type { Findings, Part } from './part.ts';

const PASSES = 3;
const SLICE = 10_000;
const OTHER_SECONDS = 100;

export const deepPart: Part = { name: 'deep', about: 'our book beside nodejs-order-book, 100,000 resting orders', measure };

export interface Prefix extends Rate {
  readonly operations: number;
  readonly hash: string;
}

function measure(): Findings {
  const flow = generateFlow(DEEP);
  const own = new OwnBook();
  const rates: Rate[] = [];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    rates.push(rateUpTo(own, flow, flow.operations));
    verify(own, flow);
  }
  const theirs = otherUpTo(flow, OTHER_SECONDS);
  const same = medianRate(Array.from({ length: PASSES }, () => rateUpTo(own, flow, theirs.operations)));
  if (bookHash(own.levels()) !== theirs.hash) throw new Error('the two books differ after the same operations');
  const ours = medianRate(rates.slice(1));
  const times = same.perSecond / theirs.perSecond;
  const processorTimes = same.perProcessorSecond / theirs.perProcessorSecond;
  return {
    figures: {
      deep: {
        opsPerSec: Math.round(ours.perSecond),
        timesNodejsOrderBook: Math.round(times),
        nodejsOrderBookOpsPerSec: Math.round(theirs.perSecond),
        comparedOnOperations: theirs.operations,
        opsPerProcessorSec: Math.round(ours.perProcessorSecond),
        timesByProcessorTime: Math.round(processorTimes),
      },
    },
    lines: [
      `our book            ${whole(ours.perSecond)} operations/s, ${whole(ours.perProcessorSecond)} a second of processor time, the final book checked`,
      `nodejs-order-book   ${whole(theirs.perSecond)} operations/s on the first ${whole(theirs.operations)} of 1,000,000, ours ${whole(same.perSecond)} on these`,
      `ratio               ${rounded(times, 0)} x, by processor time ${rounded(processorTimes, 0)} x, both books the same after them`,
    ],
  };
}

function rateUpTo(own: OwnBook, flow: Flow, operations: number): Rate {
  prepare(own, flow);
  collectGarbage();
  return rateOf(
    operations,
    spent(() => drive(own, flow, flow.prefill, flow.prefill + operations)),
  );
}

/** The seconds for which `nodejs-order-book` runs. */
export function otherUpTo(flow: Flow, seconds: number): Prefix {
  const other = new NodejsOrderBook();
  prepare(other, flow);
  collectGarbage();
  let operations = 0;
  let [wallSeconds, processorSeconds] = [0, 0];
  while (wallSeconds < seconds && operations < flow.operations) {
    const from = flow.prefill + operations;
    const time = spent(() => drive(other, flow, from, from + SLICE));
    wallSeconds += time.wallSeconds;
    processorSeconds += time.processorSeconds;
    operations += SLICE;
  }
  return { ...rateOf(operations, { wallSeconds, processorSeconds }), operations, hash: bookHash(other.levels()) };
}
