/** Addresses and CIDR ranges from which an API key may be used. */
import { isIP } from 'node:net';

const IPV6_PREFIX_MIN = 64;

/** An address or a range: not of everything, and in IPv6 not wider than one site. */
export function isIpRange(text: string): boolean {
  const [address = '', prefixText, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  const bits = version === 4 ? 32 : 128;
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  return Number.isInteger(prefix) && prefix <= bits && prefix >= (version === 4 ? 1 : IPV6_PREFIX_MIN);
}
