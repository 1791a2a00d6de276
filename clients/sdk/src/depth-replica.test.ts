import * as fc from 'fast-check';
import { depthChecksum, type DepthLevel, type Level } from '@orrery/api';
import { printDecimal } from '@orrery/units';
import { describe, expect, test } from 'vitest';
import { compareDecimals, DepthReplica } from './depth-replica.ts';

const symbol = 'BTC_USDC';

/** The exchange's own book, in the messages of the stream. */
class Source {
  readonly #levels = { 1: new Map<number, string>(), 2: new Map<number, string>() };
  #id = 0;

  set(m: 1 | 2, tenths: number, size: string): DepthLevel {
    if (size === '0') this.#levels[m].delete(tenths);
    else this.#levels[m].set(tenths, size);
    this.#id += 1;
    return { id: this.#id, s: symbol, m, p: printDecimal(BigInt(tenths), 1), q: size, t: 0, c: depthChecksum(this.whole()) };
  }

  whole() {
    const side = (m: 1 | 2): Level[] =>
      [...this.#levels[m]]
        .toSorted(([left], [right]) => (m === 1 ? right - left : left - right))
        .map(([tenths, size]): Level => [printDecimal(BigInt(tenths), 1), size]);
    return { s: symbol, t: 0, id: this.#id, seq: 0, b: side(1), a: side(2) };
  }
}

const change = fc.tuple(fc.constantFrom(1 as const, 2 as const), fc.integer({ min: 1, max: 250 }), fc.constantFrom('0', '1', '2.5', '30'));

describe('O9: the depth at the client’s side', () => {
  test('is the exchange’s after any changes from any start', () => {
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), fc.array(change, { maxLength: 60 }), (before, after) => {
        const source = new Source();
        for (const [m, price, size] of before) source.set(m, price, size);
        const replica = new DepthReplica(symbol);
        expect(replica.reset({ ...source.whole(), c: depthChecksum(source.whole()) })).toBe(true);
        for (const [m, price, size] of after) expect(replica.apply(source.set(m, price, size))).toBe(true);
        expect({ b: replica.bids, a: replica.asks }).toEqual({ b: source.whole().b, a: source.whole().a });
      }),
    );
  });

  test('is not relied on after a gap, until it is sent whole', () => {
    const source = new Source();
    const replica = new DepthReplica(symbol);
    replica.reset(source.whole());
    source.set(1, 100, '1');
    expect(replica.apply(source.set(1, 101, '1'))).toBe(false);
    expect([replica.isProven, replica.bids]).toEqual([false, []]);
    expect(replica.apply(source.set(1, 102, '1'))).toBe(false);
    expect(replica.reset(source.whole())).toBe(true);
    expect(replica.apply(source.set(1, 102, '0'))).toBe(true);
    expect(replica.bids).toEqual([
      ['10.1', '1'],
      ['10', '1'],
    ]);
  });

  test('is not relied on when its checksum is another', () => {
    const source = new Source();
    const replica = new DepthReplica(symbol);
    replica.reset(source.whole());
    expect(replica.apply({ ...source.set(1, 100, '1'), q: '2' })).toBe(false);
    expect(replica.reset({ ...source.whole(), c: 1 })).toBe(false);
  });

  test('takes what it knows already once more', () => {
    const source = new Source();
    const reported = source.set(2, 100, '1');
    const replica = new DepthReplica(symbol);
    replica.reset(source.whole());
    expect(replica.apply(reported)).toBe(true);
    expect(replica.asks).toEqual([['10', '1']]);
  });
});

test('decimals are ordered as numbers are', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.bigInt({ min: 0n, max: 10n ** 12n }), (left, right) => {
      const order = compareDecimals(printDecimal(left, 6), printDecimal(right, 6));
      expect(Math.sign(order)).toBe(left < right ? -1 : left > right ? 1 : 0);
    }),
  );
});
