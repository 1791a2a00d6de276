/** How even the engine is: the slowest of the chunks of 100 orders beside the median chunk. */
import { Reader } from '@orrery/protocol';
import { generateFlow } from './book/flow.ts';
import { BASE } from './book/workloads.ts';
import { bookStream } from './engine/book-commands.ts';
import { Feed, type OrderStream } from './engine/order-stream.ts';
import { collectGarbage, median, quantile, rounded } from './measure.ts';
import type { Findings, Part } from './part.ts';

const PASSES = 3;
const CHUNK = 100;

export const tailPart: Part = { name: 'tail', about: 'the slowest chunks of 100 orders beside the median one', measure };

/** Of chunks, in microseconds by the clock on the wall: on a busy machine it counts the moments when others had the processor. */
interface Tail {
  readonly medianUs: number;
  /** At 99.9 %. */
  readonly slowUs: number;
  readonly slowestUs: number;
}

function measure(): Findings {
  const stream = bookStream(generateFlow(BASE), { accounts: 1_000, clientOrderIds: false });
  const tails = Array.from({ length: PASSES + 1 }, () => tailOf(stream)).slice(1);
  const of = (field: keyof Tail): number => Math.round(median(tails.map((tail) => tail[field])));
  const tail: Tail = { medianUs: of('medianUs'), slowUs: of('slowUs'), slowestUs: of('slowestUs') };
  const ratio = rounded(tail.slowUs / tail.medianUs, 1);
  return {
    figures: { tail: { ratio, ...tail } },
    lines: [
      `of 100 orders: median ${tail.medianUs} µs, slowest 0.1 % from ${tail.slowUs} µs, slowest ${tail.slowestUs} µs`,
      `ratio ${ratio} x (the chunk at 99.9 % beside the median one)`,
    ],
  };
}

function tailOf(stream: OrderStream): Tail {
  const feed = new Feed(stream);
  collectGarbage();
  const reader = new Reader(stream.orders.bytes);
  const times = new Float64Array(Math.floor(stream.orders.count / CHUNK));
  for (let chunk = 0; chunk < times.length; chunk += 1) {
    const started = performance.now();
    feed.takeFrom(reader, CHUNK);
    times[chunk] = (performance.now() - started) * 1_000;
  }
  return { medianUs: median(times), slowUs: quantile(times, 0.999), slowestUs: quantile(times, 1) };
}
