/** For tests: a book kept from the stream alone, as a client would, every number and checksum of it checked. */
import { expect } from 'vitest';
import { depthChecksum, type Depth, type DepthLevel, type Level } from '@orrery/api';

export class Replica {
  id = -1;
  readonly sides: Record<1 | 2, Map<string, string>> = { 1: new Map(), 2: new Map() };
  proofs = 0;

  whole(depth: Depth): void {
    this.id = depth.id;
    this.sides[1] = new Map(depth.b);
    this.sides[2] = new Map(depth.a);
    expect(this.checksum()).toBe(depth.c);
  }

  level({ id, m, p, q, c }: DepthLevel): void {
    expect(id).toBe(this.id + 1);
    this.id = id;
    if (q === '0') this.sides[m].delete(p);
    else this.sides[m].set(p, q);
    if (c === undefined) return;
    expect(this.checksum()).toBe(c);
    this.proofs += 1;
  }

  checksum(): number {
    const sorted = (side: 1 | 2): Level[] =>
      [...this.sides[side]].sort(([left], [right]) => (side === 1 ? Number(right) - Number(left) : Number(left) - Number(right)));
    return depthChecksum({ b: sorted(1), a: sorted(2) });
  }
}
