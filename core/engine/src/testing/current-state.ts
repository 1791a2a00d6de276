/** The state between two commands, written and read once, however often it is looked at: most of the time of a random test would go there. */
import { decodeSnapshot } from '../snapshot/snapshot-codec.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

export class CurrentState {
  readonly #encode: () => Uint8Array;
  #bytes: Uint8Array | undefined;
  #snapshot: Snapshot | undefined;

  constructor(encode: () => Uint8Array) {
    this.#encode = encode;
  }

  get bytes(): Uint8Array {
    this.#bytes ??= this.#encode();
    return this.#bytes;
  }

  get snapshot(): Snapshot {
    this.#snapshot ??= decodeSnapshot(this.bytes);
    return this.#snapshot;
  }

  /** A command was applied, or another engine goes on. */
  changed(): void {
    this.#bytes = undefined;
    this.#snapshot = undefined;
  }
}

export const sameBytes = (left: Uint8Array, right: Uint8Array): boolean =>
  left.length === right.length && left.every((byte, index) => byte === right[index]);
