import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Feed } from './feed.ts';
import type { FromWorker, ToWorker, View } from './messages.ts';

const VIEW: View = { symbol: 'BTC_USDC', pricePrecision: 1, sizePrecision: 5, interval: '15m', step: 1, rows: 5 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Workers that the test lets fail or speak. */
function workshop() {
  const workers: { sent: ToWorker[]; fail: () => void; say: (message: FromWorker) => void; isOver: boolean }[] = [];
  const feed = new Feed(() => {
    const worker = { sent: [] as ToWorker[], fail: () => {}, say: (_message: FromWorker) => {}, isOver: false };
    workers.push(worker);
    return {
      postMessage: (message) => void worker.sent.push(message),
      listen(onMessage, onFailure) {
        worker.fail = onFailure;
        worker.say = onMessage;
      },
      terminate: () => void (worker.isOver = true),
    };
  });
  return { feed, workers };
}

test('a worker that cannot be loaded is reported, and another is started with all that the page wants', async () => {
  const { feed, workers } = workshop();
  feed.start('http://exchange.test');
  feed.show(VIEW);
  feed.setPace(2);
  feed.signIn({ ticket: () => Promise.resolve('ticket'), listenKey: () => Promise.resolve('key') });
  workers[0]?.fail();
  expect(feed.status.get().phase).toBe('failed');
  expect(workers[0]?.isOver).toBe(true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(workers).toHaveLength(2);
  expect(workers[1]?.sent).toEqual([
    { type: 'start', baseUrl: 'http://exchange.test' },
    { type: 'visibility', visibility: 'visible' },
    { type: 'pace', hertz: 2 },
    { type: 'view', view: VIEW },
    { type: 'account', account: 'signedIn', session: 1 },
  ]);
});

test('a worker that fails again is started later each time, until one has spoken', async () => {
  const { feed, workers } = workshop();
  workers[0]?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  workers[1]?.fail();
  await vi.advanceTimersByTimeAsync(1_999);
  expect(workers).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(workers).toHaveLength(3);
  const idle = { phase: 'live', state: 'idle', heardAt: 0 } as const;
  workers[2]?.say({
    type: 'status',
    status: { phase: 'live', heardAt: 1, resyncs: 0, reconnects: 0, book: 'idle', account: 'idle' },
    own: { spot: idle, contracts: idle },
  });
  expect(feed.status.get().phase).toBe('live');
  workers[2]?.fail();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(workers).toHaveLength(4);
});

test('a worker that failed is started at once where the page asks for it, and a running one is left alone', () => {
  const { feed, workers } = workshop();
  feed.retry();
  expect(workers).toHaveLength(1);
  workers[0]?.fail();
  feed.retry();
  expect(workers).toHaveLength(2);
  // The start that was planned for later is not needed any more.
  vi.advanceTimersByTime(60_000);
  expect(workers).toHaveLength(2);
});

test('what the worker still says of the account before is not shown for the account that is in view now', () => {
  const { feed, workers } = workshop();
  const tickets = { ticket: () => Promise.resolve('ticket'), listenKey: () => Promise.resolve('key') };
  const has = (session: number, twapId: string): FromWorker =>
    ({ type: 'contractAccount', changed: { round: 1, twaps: [{ twapId }] }, session }) as unknown as FromWorker;
  feed.signIn(tickets);
  workers[0]?.say(has(1, 'of the first'));
  expect(feed.contractAccount.get()?.twaps).toMatchObject([{ twapId: 'of the first' }]);
  feed.signOut();
  expect(feed.contractAccount.get()).toBeUndefined();
  feed.signIn(tickets);
  workers[0]?.say(has(1, 'of the first'));
  expect(feed.contractAccount.get()).toBeUndefined();
  const last = workers[0]?.sent.at(-1);
  if (last?.type !== 'account') throw new Error(`the worker was sent ${String(last?.type)} last`);
  workers[0]?.say(has(last.session, 'of the second'));
  expect(feed.contractAccount.get()?.twaps).toMatchObject([{ twapId: 'of the second' }]);
});

test('an account that does not come is asked for again at once when the person wants it, and a visitor’s is not', () => {
  const { feed, workers } = workshop();
  const asked = (): number => workers[0]?.sent.filter(({ type }) => type === 'account').length ?? 0;
  feed.retryOwn();
  expect(asked()).toBe(0);
  feed.signIn({ ticket: () => Promise.resolve('ticket'), listenKey: () => Promise.resolve('key') });
  const [first] = [workers[0]?.sent.at(-1)];
  feed.retryOwn();
  expect([asked(), workers[0]?.sent.at(-1)]).toEqual([2, first]);
});
