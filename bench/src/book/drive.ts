/** Applies a flow to a book and checks the result. */
import { ADD, CANCEL, WIDTH, type Flow } from './flow.ts';
import { bookHash } from './hash.ts';
import type { Subject } from './subjects.ts';

/** An empty book, filled with what the flow begins with. */
export function prepare(subject: Subject, flow: Flow): void {
  subject.prepareIds(flow.maxId);
  subject.reset();
  drive(subject, flow, 0, flow.prefill);
}

/** The operations from `from` up to, not including, `to`. */
export function drive(subject: Subject, { records }: Flow, from: number, to: number): void {
  for (let at = from * WIDTH; at < to * WIDTH; at += WIDTH) {
    const kind = records[at] ?? 0;
    const side = records[at + 1] ?? 0;
    const id = records[at + 2] ?? 0;
    if (kind === CANCEL) subject.cancel(id);
    else if (kind === ADD) subject.add(side, id, records[at + 3] ?? 0, records[at + 4] ?? 0);
    else subject.take(side, id, records[at + 3] ?? 0, records[at + 4] ?? 0);
  }
}

/** The whole flow is through: the book must be the expected one. */
export function verify(subject: Subject, { expected }: Flow): void {
  const hash = bookHash(subject.levels());
  if (subject.trades() !== expected.trades) throw new Error(`${subject.name}: ${subject.trades()} trades, not ${expected.trades}`);
  if (hash !== expected.hash) throw new Error(`${subject.name}: the final book is ${hash}, not ${expected.hash}`);
}
