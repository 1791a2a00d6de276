/**
 * 64 bits over everything that is mixed in, in its order: cheap enough for every command. It shows that two engines came to other balances or counters
 * from the same commands; it is no defence against somebody who looks for a collision. The multipliers and shifts are those of the 32-bit finalizer of
 * MurmurHash3.
 */
// The way over bytes stays in compiled code, where `Number(BigInt.asIntN(32, value))` leaves it.
const EIGHT_BYTES = new DataView(new ArrayBuffer(8));

export class RunningHash {
  #low = 0;
  #high = 0;

  /** @param value a whole number of 32 bits; of a longer one the low bits count */
  mix(value: number): void {
    let low = Math.imul(this.#low ^ value, 0x85ebca6b);
    low ^= low >>> 13;
    this.#low = low;
    this.#high = Math.imul((this.#high ^ (this.#high >>> 16)) + low, 0xc2b2ae35);
  }

  /** @param value its low 32 bits count, as they do of a number */
  mixBigint(value: bigint): void {
    EIGHT_BYTES.setBigInt64(0, value, true);
    this.mix(EIGHT_BYTES.getInt32(0, true));
  }

  /** The hash in eight bytes; it begins again with nothing mixed in. */
  take(): Uint8Array {
    const bytes = new Uint8Array(8);
    const view = new DataView(bytes.buffer);
    view.setInt32(0, this.#low, true);
    view.setInt32(4, this.#high, true);
    this.#low = 0;
    this.#high = 0;
    return bytes;
  }
}
