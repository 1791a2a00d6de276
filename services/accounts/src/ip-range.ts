/** Addresses and CIDR ranges from which an API key may be used, and how many addresses they are together. */
import { isIP } from 'node:net';

/** An IPv4 list covers at most a /16 together, an IPv6 list a /48: one site. More is anywhere, in however many parts it is written. */
const COVERED_MAX = { 4: 1n << 16n, 6: 1n << 80n } as const;
const BITS = { 4: 32, 6: 128 } as const;
/** `::ffff:0:0/96` is all of IPv4. */
const MAPPED = 0xffffn;
const MAPPED_BITS = 96;

interface IpRange {
  readonly version: 4 | 6;
  readonly first: bigint;
  /** A power of two. */
  readonly size: bigint;
}

/** Whether each is an address or a range, and all of them together are not more than one site. */
export function isIpList(list: readonly string[]): boolean {
  const ranges = list.map(rangeOf).filter((range) => range !== undefined);
  return ranges.length === list.length && ([4, 6] as const).every((version) => covered(ranges, version) <= COVERED_MAX[version]);
}

/** Of two ranges one is within the other, or they share nothing. */
function covered(ranges: readonly IpRange[], version: 4 | 6): bigint {
  const outer = new Map<bigint, bigint>();
  const ofVersion = ranges.filter((range) => range.version === version).toSorted((one, other) => (one.size > other.size ? -1 : 1));
  for (const { first, size } of ofVersion) {
    const isWithin = [...outer].some(([start, length]) => first >= start && first < start + length);
    if (!isWithin) outer.set(first, size);
  }
  return [...outer.values()].reduce((sum, size) => sum + size, 0n);
}

function rangeOf(text: string): IpRange | undefined {
  const [address = '', prefixText, ...rest] = text.split('/');
  const version = isIP(address);
  if ((version !== 4 && version !== 6) || rest.length > 0 || address.includes('%')) return undefined;
  const bits = BITS[version];
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (!Number.isInteger(prefix) || prefix < 0 || prefix > bits) return undefined;
  const value = version === 4 ? valueOf(address.split('.'), 10) : valueOf(groupsOf(address), 16);
  if (version === 6 && prefix >= MAPPED_BITS && value >> 32n === MAPPED)
    return within(value & 0xffff_ffffn, { version: 4, spare: bits - prefix });
  return within(value, { version, spare: bits - prefix });
}

const within = (value: bigint, { version, spare }: { version: 4 | 6; spare: number }): IpRange => {
  const size = 1n << BigInt(spare);
  return { version, first: value - (value % size), size };
};

const valueOf = (parts: readonly string[], radix: 10 | 16): bigint =>
  parts.reduce((sum, part) => sum * (radix === 10 ? 256n : 65_536n) + BigInt(Number.parseInt(part, radix)), 0n);

/** The eight groups of an IPv6 address, as the URL standard writes them: no dots, `::` for zeros. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]/`).hostname.slice(1, -1).split('::');
  const groups = (text: string | undefined): string[] => (text === undefined || text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail)];
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}
