/** Where engines come from: new ones, and ones that go on from the bytes of an old one. */
import { createHash } from 'node:crypto';
import type { Engine } from '@orrery/engine';

export interface EngineFactory {
  createEngine(): Engine;
  decodeState(bytes: Uint8Array): Engine;
}

/** SHA-256 of the canonical state: equal for equal states, whatever their history. */
export function stateHash(state: Uint8Array): Uint8Array {
  return createHash('sha256').update(state).digest();
}
