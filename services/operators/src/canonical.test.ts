import { expect, test } from 'vitest';
import { canonical, hashOf } from './canonical.ts';

/** Rows of an audit log as an earlier version hashed them, with code of its own. */
const WRITTEN = [
  {
    seq: 1,
    at: 1_795_000_000_000,
    operator: 'alice',
    action: 'JOIN',
    detail: { role: 'admin', operatorId: 'K1' },
    previous_hash: `0x${'0'.repeat(64)}`,
    hash: '0x19898318df151fc99d3374b88b1fb9cfde8ab01bd61d06120552e84692e37f48',
  },
  {
    seq: 2,
    at: 1_795_000_000_001,
    operator: 'Zo\u00eb "Z" \\ \u00dcnal\n',
    action: 'AWARD',
    detail: {
      reason: '\u00f6\u00e4\u00fc \u20ac\u2028 \ud83d\ude00 </script>',
      points: 1e21,
      part: 0.1,
      none: null,
      yes: true,
      left: undefined,
      list: [3, [1, 'b'], { b: 1, a: -0 }],
      '10': 1,
      '9': 2,
      '\u00e9': 1,
      Z: 2,
      '\ud83d\ude00': 3,
      '\ufb33': 4,
    },
    previous_hash: `0x${'ab'.repeat(32)}`,
    hash: '0x608583c452a8fd67cb525eb0b337c6d1c9d7808828795da477bccd1c9d3f50bd',
  },
];

test.each(WRITTEN)('the hash of row $seq is the one it was written with', ({ hash, detail, ...row }) => {
  expect(hashOf({ ...row, detail: canonical(detail) })).toBe(hash);
});

test('the order of fields and those that are undefined make no difference', () => {
  expect(canonical({ b: [1, { d: undefined, c: 'x' }], a: null })).toBe('{"a":null,"b":[1,{"c":"x"}]}');
  expect(hashOf({ a: 1, b: 2 })).toBe(hashOf({ b: 2, c: undefined, a: 1 }));
});

test('half of a surrogate pair is refused: a database would keep another text', () => {
  expect(() => canonical({ reason: '\ud800' })).toThrow('a text is no Unicode');
});
