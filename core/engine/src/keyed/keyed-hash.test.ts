import { describe, expect, test } from 'vitest';
import { keyedHash, OPEN_KEY, type HashKey } from './keyed-hash.ts';

const CHAINS = 4_096;
const chainOf = (text: string, key: HashKey): number => keyedHash(text, key) & (CHAINS - 1);

/** How many of the names stand in the longest chain. */
function longestChain(names: readonly string[], key: HashKey): number {
  const chains = new Map<number, number>();
  for (const name of names) chains.set(chainOf(name, key), (chains.get(chainOf(name, key)) ?? 0) + 1);
  return Math.max(...chains.values());
}

/** Names that all stand in the first chain under a known key, as an attacker would search for them. */
function floodUnder(key: HashKey, count: number): readonly string[] {
  const names: string[] = [];
  for (let number = 0; names.length < count; number += 1) if (chainOf(`flood-${number}`, key) === 0) names.push(`flood-${number}`);
  return names;
}

describe('the hash of a name', () => {
  // Under HalfSipHash-1-3 as a naive twin computes it, in numbers of any size.
  test.each(['', 'a', 'abc', 'abcd', 'abcde', 'the-client-order-id-of-36-characters'])('is HalfSipHash-1-3 of %j', (text) => {
    for (const key of [OPEN_KEY, { low: 0x03020100, high: 0x07060504 }, { low: -1, high: 0x7fffffff }])
      expect(keyedHash(text, key) >>> 0).toBe(naive(text, key));
  });

  test('flooding: three thousand names of one chain are spread by a key that their author does not know', () => {
    const flood = floodUnder(OPEN_KEY, 3_000);
    expect(longestChain(flood, OPEN_KEY)).toBe(3_000);
    for (const key of [
      { low: 1, high: 0 },
      { low: 0x5eed, high: 0x1234567 },
    ])
      expect(longestChain(flood, key)).toBeLessThan(12);
  }, 60_000);
});

/** The definition, step by step, with one variable a step and no sign. */
function naive(text: string, { low, high }: HashKey): number {
  const MASK = 0xffffffffn;
  const rotate = (value: bigint, by: bigint): bigint => ((value << by) | (value >> (32n - by))) & MASK;
  let v = [BigInt(low) & MASK, BigInt(high) & MASK, (BigInt(low) & MASK) ^ 0x6c796765n, (BigInt(high) & MASK) ^ 0x74656462n] as [
    bigint,
    bigint,
    bigint,
    bigint,
  ];
  const round = (): void => {
    let [a, b, c, d] = v;
    a = (a + b) & MASK;
    b = rotate(b, 5n) ^ a;
    a = rotate(a, 16n);
    c = (c + d) & MASK;
    d = rotate(d, 8n) ^ c;
    a = (a + d) & MASK;
    d = rotate(d, 7n) ^ a;
    c = (c + b) & MASK;
    b = rotate(b, 13n) ^ c;
    c = rotate(c, 16n);
    v = [a, b, c, d];
  };
  const bytes = [...Buffer.from(text, 'latin1')];
  const padded = [...bytes];
  while (padded.length % 4 !== 3) padded.push(0);
  padded.push(bytes.length & 0xff);
  for (let at = 0; at < padded.length; at += 4) {
    const word = BigInt(Buffer.from(padded.slice(at, at + 4)).readUInt32LE());
    v[3] ^= word;
    round();
    v[0] ^= word;
  }
  v[2] ^= 0xffn;
  for (let last = 0; last < 3; last += 1) round();
  return Number(v[1] ^ v[3]);
}
