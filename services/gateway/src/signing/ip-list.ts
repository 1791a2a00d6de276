/** The addresses from which an API key is used: single ones and CIDR ranges, IPv4 written as IPv6 included. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = readonly [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

const MAPPED_BITS = 96;

export class IpList {
  readonly #ranges: readonly Range[];

  /** @param entries as the accounts service has checked them: `192.0.2.1`, `192.0.2.0/24`, `2001:db8::/32`. */
  constructor(entries: readonly string[]) {
    this.#ranges = entries.map(rangeOf);
  }

  includes(ip: string): boolean {
    if (isIP(ip) === 0) return false;
    const address = ipaddr.process(ip);
    return this.#ranges.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
  }
}

function rangeOf(entry: string): Range {
  const [address = '', bits = isIP(address) === 6 ? '128' : '32'] = entry.split('/');
  const network = ipaddr.parse(address);
  const isMapped = network instanceof ipaddr.IPv6 && network.isIPv4MappedAddress() && Number(bits) >= MAPPED_BITS;
  return isMapped ? [network.toIPv4Address(), Number(bits) - MAPPED_BITS] : [network, Number(bits)];
}
