/** Operations a second of our book and of npm `nodejs-order-book` on one flow, alternating in one process, the results of both checked. */
import { generateFlow, type Flow } from './book/flow.ts';
import { drive, prepare, verify } from './book/drive.ts';
import { NodejsOrderBook, OwnBook, type Subject } from './book/subjects.ts';
import { BASE } from './book/workloads.ts';
import { collectGarbage, median, medianRate, quantile, rateOf, rounded, spent, whole, type Rate } from './measure.ts';
import type { Findings, Part } from './part.ts';

/** The first pass warms up and does not count. */
const PASSES = 5;
const CHUNK = 100;

export const bookPart: Part = { name: 'book', about: 'our book beside nodejs-order-book, 1,000 resting orders', measure };

function measure(): Findings {
  const flow = generateFlow(BASE);
  const [own, other] = [new OwnBook(), new NodejsOrderBook()];
  const [ownRates, otherRates]: [Rate[], Rate[]] = [[], []];
  for (let pass = 0; pass <= PASSES; pass += 1) {
    ownRates.push(rate(own, flow));
    otherRates.push(rate(other, flow));
  }
  const [ours, theirs] = [medianRate(ownRates.slice(1)), medianRate(otherRates.slice(1))];
  const chunks = chunkTimes(own, flow);
  const times = ours.perSecond / theirs.perSecond;
  const processorTimes = ours.perProcessorSecond / theirs.perProcessorSecond;
  return {
    figures: {
      book: {
        opsPerSec: Math.round(ours.perSecond),
        timesNodejsOrderBook: rounded(times, 1),
        nodejsOrderBookOpsPerSec: Math.round(theirs.perSecond),
        opsPerProcessorSec: Math.round(ours.perProcessorSecond),
        timesByProcessorTime: rounded(processorTimes, 1),
      },
    },
    lines: [
      `our book            ${line(ours)}; of 100 operations: median ${rounded(median(chunks), 1)} µs, slowest 0.1 % ${rounded(quantile(chunks, 0.999), 1)} µs`,
      `nodejs-order-book   ${line(theirs)}`,
      `ratio               ${times.toFixed(1)} x, by processor time ${processorTimes.toFixed(1)} x, the final book of both checked`,
    ],
  };
}

function rate(subject: Subject, flow: Flow): Rate {
  prepare(subject, flow);
  collectGarbage();
  const time = spent(() => drive(subject, flow, flow.prefill, flow.prefill + flow.operations));
  verify(subject, flow);
  return rateOf(flow.operations, time);
}

const line = ({ perSecond, perProcessorSecond }: Rate): string =>
  `${whole(perSecond)} operations/s, ${whole(perProcessorSecond)} a second of processor time`;

/** In microseconds. */
function chunkTimes(subject: Subject, flow: Flow): Float64Array {
  prepare(subject, flow);
  const times = new Float64Array(flow.operations / CHUNK);
  for (let chunk = 0; chunk < times.length; chunk += 1) {
    const from = flow.prefill + chunk * CHUNK;
    const started = performance.now();
    drive(subject, flow, from, from + CHUNK);
    times[chunk] = (performance.now() - started) * 1_000;
  }
  return times;
}
