/** Where engines come from: new ones, and ones that go on from the bytes of an old one. */
import { createHash } from 'node:crypto';
import type { Engine } from '@orrery/engine';
import { assert } from '@orrery/units';

export interface EngineFactory {
  createEngine(): Engine;
  decodeState(bytes: Uint8Array): Engine;
}

/** SHA-256 of the canonical state: equal for equal states, whatever their history. */
export function stateHash(state: Uint8Array): Uint8Array {
  return createHash('sha256').update(state).digest();
}

/** The layout in which `encodeState` writes unless it is given another. */
export function newestLayout(engine: Engine): number {
  const newest = engine.stateLayouts()[0];
  assert(newest !== undefined, 'a state can be written in some layout');
  return newest;
}

/** Whether the hash is that of the engine's state, in any of the layouts in which it can be written. */
export function hasHash(engine: Engine, hash: Uint8Array): boolean {
  return engine.stateLayouts().some((layout) => sameBytes(stateHash(engine.encodeState(layout)), hash));
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
