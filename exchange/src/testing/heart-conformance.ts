/** What every heart does that is reached by the port, wherever it is. */
import { type Applied, type Command, type Heart, HeartError } from '@orrery/protocol';
import { type Address, marketId, parseAddress, seq } from '@orrery/units';
import { expect, test } from 'vitest';

export interface TestedHeart {
  readonly heart: Heart;
  stop(): Promise<void>;
}

export const openAccount = (person: number): Command => ({ type: 'OpenAccount', address: addressOf(person) });

function addressOf(person: number): Address {
  const address = parseAddress(`0x${person.toString(16).padStart(40, '0')}`);
  if (address === undefined) throw new Error(`no address for person ${person}`);
  return address;
}

/** What `source` reports, up to the command `last`. */
export async function take(source: AsyncIterable<readonly Applied[]>, last: number): Promise<readonly Applied[]> {
  const taken: Applied[] = [];
  for await (const batch of source) {
    taken.push(...batch);
    if ((taken.at(-1)?.seq ?? 0) >= last) break;
  }
  return taken;
}

export const seqsOf = (applied: readonly Applied[]): readonly number[] => applied.map(({ seq: at }) => at);
const upTo = (last: number, first = 1): readonly number[] => Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** @param open a heart whose history is empty, and whose owner ends it after each test */
export function describeHeart(open: () => Promise<TestedHeart>): void {
  test('a command is answered with its place, its time and its events', async () => {
    const { heart } = await open();
    const first = await heart.submit(openAccount(1));
    const second = await heart.submit(openAccount(2));
    expect(first).toMatchObject({ seq: 1, events: [{ type: 'AccountOpened', address: addressOf(1) }] });
    expect(second).toMatchObject({ seq: 2, events: [{ type: 'AccountOpened', address: addressOf(2) }] });
    expect(second.at).toBeGreaterThanOrEqual(first.at);
  });

  test('a rejected command is an answer', async () => {
    const { heart } = await open();
    const { seq: at, events } = await heart.submit({ type: 'SetMarketState', market: marketId(9), state: 'HALT' });
    expect(at).toBe(1);
    expect(events).toMatchObject([{ type: 'CommandRejected', reason: 'UnknownMarket' }]);
  });

  test('[R9] who has an answer finds it in the status, in a view and in history', async () => {
    const { heart } = await open();
    for (let person = 1; person <= 20; person += 1) {
      const { seq: at } = await heart.submit(openAccount(person));
      expect(heart.status().seq).toBeGreaterThanOrEqual(at);
      const view = heart.open();
      expect(view.seq).toBeGreaterThanOrEqual(at);
      expect(view.facts.filter(({ type }) => type === 'AccountOpened')).toHaveLength(person);
      view.close();
    }
    expect(seqsOf(await take(heart.subscribe(seq(0)), 20))).toEqual(upTo(20));
  });

  test('commands that are sent together have each a place of their own', async () => {
    const { heart } = await open();
    const receipts = await Promise.all(upTo(300).map((person) => heart.submit(openAccount(person))));
    expect(receipts.map(({ seq: at }) => at).toSorted((one, other) => one - other)).toEqual(upTo(300));
    for (const [index, { events }] of receipts.entries()) expect(events).toMatchObject([{ address: addressOf(index + 1) }]);
  });

  test('a view has the facts, and then everything after them, in order and without a gap', async () => {
    const { heart } = await open();
    for (const person of upTo(5)) await heart.submit(openAccount(person));
    const view = heart.open();
    const [tail] = await Promise.all([
      take(view.tail, view.seq + 40),
      Promise.all(upTo(45, 6).map((person) => heart.submit(openAccount(person)))),
    ]);
    expect(seqsOf(tail).slice(0, 40)).toEqual(upTo(view.seq + 40, view.seq + 1));
    view.close();
  });

  test('a view that is closed ends', async () => {
    const { heart } = await open();
    const view = heart.open();
    const reading = take(view.tail, Number.MAX_SAFE_INTEGER);
    view.close();
    expect(await reading).toEqual([]);
  });

  test('history is read from any place, with what comes later', async () => {
    const { heart } = await open();
    for (const person of upTo(12)) await heart.submit(openAccount(person));
    const reading = take(heart.subscribe(seq(7)), 14);
    await heart.submit(openAccount(13));
    await heart.submit(openAccount(14));
    expect(seqsOf(await reading)).toEqual(upTo(14, 8));
  });

  test('a reader that knows more than history is refused', async () => {
    const { heart } = await open();
    await heart.submit(openAccount(1));
    await expect((async () => take(heart.subscribe(seq(99)), 100))()).rejects.toThrow(RangeError);
  });

  test('a command that has no bytes is refused, and keeps nobody up', async () => {
    const { heart } = await open();
    const unencodable = { type: 'SetMarketState', market: 9n, state: 'HALT' } as never;
    await expect(heart.submit(unencodable)).rejects.toMatchObject({ failure: 'unencodable', outcomeUnknown: false });
    expect(await heart.submit(openAccount(2))).toMatchObject({ seq: 1 });
  });

  test('a heart that has stopped takes nothing and ends its readers', async () => {
    const opened = await open();
    const { heart } = opened;
    await heart.submit(openAccount(1));
    const reading = take(heart.subscribe(seq(0)), Number.MAX_SAFE_INTEGER);
    await opened.stop();
    expect(seqsOf(await reading)).toEqual([1]);
    const refused = heart.submit(openAccount(2));
    await expect(refused).rejects.toThrow(HeartError);
    await expect(refused).rejects.toMatchObject({ failure: 'stopped', outcomeUnknown: false });
  });
}
