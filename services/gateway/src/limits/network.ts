/** The network of an address: whose calls, sockets and streams are counted together. The only place that reads an address. */
import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Text that is no address, such as a proxy's `unknown`, is one network. */
const NO_ADDRESS = 'unknown';
const SITE_GROUPS = 4;

/**
 * What one subscriber has: an IPv4 address itself, or the /64 of an IPv6 address, which holds more addresses than anybody counts. An IPv4
 * address written as IPv6 (`::ffff:192.0.2.1`) is the IPv4 address.
 */
export function networkOf(ip: string): string {
  if (isIPv4(ip)) return ip;
  const address = parsed(ip);
  if (address === undefined) return NO_ADDRESS;
  return address instanceof ipaddr.IPv6 ? `${groups(address.parts.slice(0, SITE_GROUPS))}::/64` : address.toString();
}

/**
 * What one home, office or data centre usually has: `192.0.2.0/24` or `2001:db8:1:200::/56`; undefined for what is no address. For traces,
 * which are compared with those of earlier months: the text of a neighbourhood never changes.
 */
export function neighbourhoodOf(ip: string): string | undefined {
  const address = parsed(ip);
  if (address === undefined) return undefined;
  if (address instanceof ipaddr.IPv6) {
    const [first = 0, second = 0, third = 0, fourth = 0] = address.parts;
    return `${groups([first, second, third, fourth & 0xff00])}::/56`;
  }
  return `${address.octets.slice(0, 3).join('.')}.0/24`;
}

/** The address itself, in its usual spelling; undefined for what is no address. */
export const addressOf = (ip: string): string | undefined => parsed(ip)?.toString();

/** Four decimal parts or IPv6: other ways to write IPv4, such as `0x7f.1`, are no address here. */
function parsed(ip: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  if (isIPv4(ip)) return ipaddr.IPv4.parse(ip);
  return ipaddr.IPv6.isValid(ip) ? ipaddr.process(ip) : undefined;
}

const groups = (parts: readonly number[]): string => parts.map((part) => part.toString(16)).join(':');
