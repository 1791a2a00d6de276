/** Shortens an address or hash to its first six and last four characters: `0x1234…abcd`. */
export function shortHash(hash: string): string {
  return hash.length <= 12 ? hash : `${hash.slice(0, 6)}…${hash.slice(-4)}`;
}

/** An address in groups of four, for reading it against another screen before money leaves. */
export function groupsOfFour(address: string): readonly string[] {
  const digits = address.startsWith('0x') ? address.slice(2) : address;
  return ['0x', ...(digits.match(/.{1,4}/g) ?? [])];
}
