/** Of a longer number the low 32 bits count in the running hash; a time or an amount has more, so its high ones are another number. */

export const halvesOf = (value: number): readonly [number, number] => [value % 2 ** 32, Math.floor(value / 2 ** 32)];

export const halvesOfLong = (value: bigint): readonly [number, number] => [
  Number(BigInt.asIntN(32, value)),
  Number(BigInt.asIntN(32, value >> 32n)),
];
