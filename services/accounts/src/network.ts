/** The network that an address lies in: what one home, office or data centre usually has to itself. */
import { isIPv4, isIPv6 } from 'node:net';

const V4_BYTES = 3;
const V6_GROUPS = 3;

/** `192.0.2.0/24` or `2001:db8:1:200::/56`; nothing for what is no address. */
export function networkOf(ip: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;
  if (isIPv4(mapped)) return `${mapped.split('.').slice(0, V4_BYTES).join('.')}.0/24`;
  if (!isIPv6(ip)) return undefined;
  const groups = groupsOf(ip);
  const last = (groups[V6_GROUPS] ?? 0) & 0xff00;
  return `${[...groups.slice(0, V6_GROUPS), last].map((group) => group.toString(16)).join(':')}::/56`;
}

/** The eight groups of an IPv6 address, whichever way it is written. */
function groupsOf(ip: string): readonly number[] {
  const [address = ''] = ip.split('%');
  const [head = '', tail] = address.split('::');
  const parsed = (part: string): readonly number[] => (part === '' ? [] : part.split(':').flatMap(groupOf));
  const [front, back] = [parsed(head), parsed(tail ?? '')];
  return [...front, ...Array<number>(Math.max(0, 8 - front.length - back.length)).fill(0), ...back];
}

/** The last two groups may be written as an IPv4 address. */
function groupOf(text: string): readonly number[] {
  if (!text.includes('.')) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split('.').map(Number);
  return [(a << 8) | b, (c << 8) | d];
}
