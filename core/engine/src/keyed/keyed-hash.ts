/**
 * HalfSipHash-1-3 (Aumasson and Bernstein): a client that does not know the key cannot choose names whose hashes collide. The key is no part of the
 * state: what an engine decides does not depend on it.
 */

/** Two 32-bit numbers. A secret of the process where clients choose names. */
export interface HashKey {
  readonly low: number;
  readonly high: number;
}

/** Where nobody floods: replays of a known history, and tests. */
export const OPEN_KEY: HashKey = { low: 0, high: 0 };

const FINAL_ROUNDS = 3;

/** 32 bits, of a text in ASCII: the journal holds no other names. */
export function keyedHash(text: string, { low, high }: HashKey): number {
  let v0 = low;
  let v1 = high;
  let v2 = low ^ 0x6c796765;
  let v3 = high ^ 0x74656462;
  const whole = text.length & ~3;
  for (let at = 0; at <= whole; at += 4) {
    const last = at === whole;
    const word = last ? lastWord(text, whole) : wordAt(text, at);
    v3 ^= word;
    for (let round = last ? -FINAL_ROUNDS : 0; round <= 0; round += 1) {
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      if (last && round === -FINAL_ROUNDS) {
        v0 ^= word;
        v2 ^= 0xff;
      }
    }
    if (!last) v0 ^= word;
  }
  return v1 ^ v3;
}

function wordAt(text: string, at: number): number {
  return text.charCodeAt(at) | (text.charCodeAt(at + 1) << 8) | (text.charCodeAt(at + 2) << 16) | (text.charCodeAt(at + 3) << 24);
}

/** The characters that fill no word, beside the length. */
function lastWord(text: string, whole: number): number {
  let word = text.length << 24;
  for (let at = whole; at < text.length; at += 1) word |= text.charCodeAt(at) << ((at - whole) * 8);
  return word;
}
