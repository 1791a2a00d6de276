/** Which origins browsers trust as they trust TLS: the secure contexts of the web platform. */

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether a browser takes secure cookies from this origin: over TLS, and from the machine itself. */
export function isTrustworthy(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || LOOPBACK.has(hostname) || hostname.endsWith('.localhost');
}
