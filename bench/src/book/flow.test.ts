import { describe, expect, test } from 'vitest';
import { generateFlow } from './flow.ts';

describe('the flow of the book benchmark', () => {
  // The fingerprints were found by an independent generator of the same flow.
  test('around one price ends in the known book', () => {
    const flow = generateFlow({ seed: 42, operations: 1_000_000, resting: 1000, spread: 'narrow' });
    expect(flow.expected).toEqual({ trades: 172_082, notional: 749_058_129_120n, hash: '194fc5cb' });
    expect(flow.maxId).toBe(600_341);
  });

  test('over a wide range ends in the known book', () => {
    const flow = generateFlow({ seed: 42, operations: 1_000_000, resting: 100_000, spread: 'wide' });
    expect(flow.expected).toEqual({ trades: 172_610, notional: 754_558_063_312n, hash: '12033947' });
    expect(flow.maxId).toBe(699_663);
  });
});
