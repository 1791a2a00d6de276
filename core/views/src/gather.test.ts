import type { Applied, Event } from '@orrery/protocol';
import { accountId, atoms, millis, parseAddress, seq } from '@orrery/units';
import { expect, test } from 'vitest';
import { gather, sifted } from './gather.ts';

const [address] = [parseAddress(`0x${'1'.repeat(40)}`)];
if (address === undefined) throw new Error('no address');

type Opened = Extract<Event, { type: 'AccountOpened' }>;
const isOpened = (event: Event): event is Opened => event.type === 'AccountOpened';
const opened = (account: number): Opened => ({ type: 'AccountOpened', account: accountId(account), address });
const openings = sifted({ isWanted: isOpened });
const rejected: Event = { type: 'CommandRejected', reason: 'UnknownOrder', field: '' };

function applied(at: number, ...events: readonly Event[]): Applied {
  const command = { type: 'FundBudget', key: `${at}`, budget: 'faucet', asset: 1 as never, amount: atoms(1n) } as const;
  return { seq: seq(at), at: millis(1_000 + at), command, events };
}

/** History that grows when the test says so. */
class Growing implements AsyncIterable<readonly Applied[]> {
  taken = 0;
  returned = false;
  readonly #batches: (readonly Applied[] | Error)[] = [];
  #wake = Promise.withResolvers<void>();
  #ended = false;

  add(...batches: readonly (readonly Applied[] | Error)[]): void {
    this.#batches.push(...batches);
    this.#wake.resolve();
  }

  end(): void {
    this.#ended = true;
    this.#wake.resolve();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Applied[]> {
    try {
      for (;;) {
        const batch = this.#batches.shift();
        if (batch instanceof Error) throw batch;
        if (batch !== undefined) {
          this.taken += 1;
          yield batch;
        } else if (this.#ended) return;
        else {
          await this.#wake.promise;
          this.#wake = Promise.withResolvers();
        }
      }
    } finally {
      this.returned = true;
    }
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a slow reader gets everything it wants at once, and history does not wait for it', async () => {
  const history = new Growing();
  const reader = gather(history, openings)[Symbol.asyncIterator]();
  history.add([applied(1, opened(1)), applied(2, rejected)]);
  const first = await reader.next();
  expect(first.value).toEqual({ piece: [{ event: opened(1), moment: expect.objectContaining({ seq: 1, at: 1_001 }) }], last: 2 });
  for (let at = 3; at <= 50; at += 1) history.add([applied(at, at % 10 === 0 ? opened(at) : rejected)]);
  await settled();
  expect(history.taken).toBe(49);
  const { value } = await reader.next();
  expect(value?.piece.map(({ event }) => event.account)).toEqual([10, 20, 30, 40, 50]);
  expect(value?.last).toBe(50);
});

test('when nothing is wanted it still reports how far history is', async () => {
  const history = new Growing();
  history.add([applied(1, rejected), applied(2)]);
  expect(await gather(history, openings).next()).toEqual({ done: false, value: { piece: [], last: 2 } });
});

test('it ends with history, after its last piece', async () => {
  const history = new Growing();
  history.add([applied(1, opened(1))]);
  history.end();
  const pieces = [];
  for await (const piece of gather(history, openings)) pieces.push(piece.last);
  expect(pieces).toEqual([1]);
});

test('a failure of history is thrown to the reader', async () => {
  const history = new Growing();
  const reader = gather(history, openings);
  history.add([applied(1)], new Error('the journal is gone'));
  await expect(
    (async () => {
      for await (const piece of reader) expect(piece.last).toBe(1);
    })(),
  ).rejects.toThrow('the journal is gone');
});

test('a reader that returns lets go of history', async () => {
  const history = new Growing();
  history.add([applied(1, opened(1))]);
  for await (const piece of gather(history, openings)) if (piece.last === 1) break;
  history.end();
  await settled();
  expect(history.returned).toBe(true);
});
