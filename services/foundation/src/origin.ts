/** What the text of an origin, or of a host, says about where it is. */

/** Whether a host, without its port, can be no other machine than the one that names it; IPv6 with or without brackets. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' || hostname.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(hostname) || /^\[?::1\]?$/.test(hostname)
  );
}

/** Whether a browser takes secure cookies from this origin: over TLS, and from the machine itself. These are the secure contexts of the web platform. */
export function isTrustworthy(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'https:' || isLoopback(hostname);
}

/** An origin with port 0 stands for the port that the server takes, which is not known before it listens. */
export const atPort = (origin: string, port: number): string => origin.replace(/:0$/, `:${port}`);
