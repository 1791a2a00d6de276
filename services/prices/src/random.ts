/** A seeded generator: 32 bits of state, from a text. For simulated prices, not for secrets. */
export type Random = () => number;

/** Numbers from 0 to below 1; the same seed gives the same ones on every machine. */
export function seededRandom(seed: string): Random {
  let state = fingerprint(seed);
  return () => {
    // Mulberry32.
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

/** FNV-1a. */
function fingerprint(text: string): number {
  let hash = 0x811c_9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x0100_0193);
  return hash;
}

/** Near to normal: mean 0, deviation 1. Sums and products only, so that every machine rounds alike. */
export function bell(random: Random): number {
  let sum = 0;
  for (let index = 0; index < 12; index += 1) sum += random();
  return sum - 6;
}
