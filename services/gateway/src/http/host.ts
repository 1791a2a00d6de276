/** The host that a request names, parsed in this one place: whether it is well-formed, and whether it is one of ours. */
import type { IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { ApiError } from '@orrery/api';
import { atPort, isLoopback } from '@orrery/foundation';

/** What is read of a request: Node's `IncomingMessage` is one. */
interface Named {
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
}

export interface HostsOptions {
  /** Origins at whose hosts this exchange is reached, beside loopback ones; port 0 stands for the port that is taken. */
  readonly origins: readonly string[];
  /** Proxies in front whose X-Forwarded-Host and X-Forwarded-Proto are believed; 0: none. */
  readonly proxyHops: number;
}

const FORWARDED_HOST = 'x-forwarded-host';
const FORWARDED_PROTOCOL = 'x-forwarded-proto';
/** A name, an IPv4 or a bracketed IPv6 address, and a port. */
const HOST = /^([\w.-]+|\[[\d:a-f.]+\])(?::(\d{1,5}))?$/i;
const PORT_MAX = 65_535;
/** What stands for all addresses of the machine is the host of none. */
const EVERY_ADDRESS: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

export class Hosts {
  readonly #origins: readonly string[];
  readonly #proxyHops: number;
  #port = 0;
  #known: ReadonlySet<string> = new Set();

  constructor({ origins, proxyHops }: HostsOptions) {
    this.#origins = origins;
    this.#proxyHops = proxyHops;
  }

  /** The server listens: its address is one of its hosts, and port 0 is its port. */
  listensAt({ address, port }: AddressInfo): void {
    this.#port = port;
    const own = EVERY_ADDRESS.has(address) ? 'localhost' : address.includes(':') ? `[${address}]` : address;
    this.#known = new Set(
      [`http://${own}:${port}`, `http://localhost:${port}`, ...this.#origins].flatMap((origin) => hostsOf(atPort(origin, port))),
    );
  }

  /**
   * The origin by which the caller reached us. A host that is neither listed nor on this machine is refused, so that nobody signs a message for
   * a host that only passes it on.
   * @throws ApiError 400 for a host that is missing, repeated or malformed, 421 for one that is not ours.
   */
  originOf(request: Named): string {
    const protocol = this.#protocolOf(request);
    return new URL(`${protocol}://${this.#hostOf(request)}`).origin;
  }

  /** @throws as `originOf`. */
  check(request: Named): void {
    this.#hostOf(request);
  }

  /** Whether the request names the host of this origin. @throws as `originOf`. */
  isAt(request: Named, origin: string): boolean {
    return hostsOf(atPort(origin, this.#port)).includes(this.#hostOf(request));
  }

  #hostOf(request: Named): string {
    if (isRepeated(request.rawHeaders)) throw new ApiError('RepeatedField', { field: 'host' });
    const { host: named } = request.headers;
    if (named === undefined) throw new ApiError('MissingField', { field: 'host' });
    const direct = this.#read(named, 'host');
    const forwarded = this.#forwarded(request, FORWARDED_HOST);
    const { name, host } = forwarded === undefined ? direct : this.#read(forwarded, FORWARDED_HOST);
    if (!this.#known.has(host) && !isLoopback(name)) throw new ApiError('UnknownHost');
    return host;
  }

  /** Most requests name a host of ours as it is listed: those need no parsing. */
  #read(text: string, field: string): { name: string; host: string } {
    return this.#known.has(text) ? { name: text, host: text } : parse(text, field);
  }

  #protocolOf(request: Named): 'http' | 'https' {
    return this.#forwarded(request, FORWARDED_PROTOCOL) === 'https' ? 'https' : 'http';
  }

  /** What the outermost proxy that is trusted reports: each one adds an entry or leaves the header as it is. */
  #forwarded({ headers }: Named, header: string): string | undefined {
    const value = this.#proxyHops === 0 ? undefined : headers[header];
    if (value === undefined) return undefined;
    const entries = String(value).split(',');
    return entries.at(-this.#proxyHops)?.trim() ?? entries[0]?.trim();
  }
}

/** Before anything else is done for a request, whatever its path. */
export function refuseOtherHosts(server: FastifyInstance, hosts: Hosts): void {
  server.addHook('onRequest', (request, _reply, done) => {
    hosts.check(request.raw);
    done();
  });
}

/** Node keeps the first of two and drops the other, which a proxy in front may have gone by. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1;
}

function parse(text: string, field: string): { name: string; host: string } {
  const [, written = '', port] = HOST.exec(text) ?? [];
  const name = URL.parse(`http://${written}`)?.hostname;
  if (written === '' || name === undefined || (port !== undefined && (Number(port) === 0 || Number(port) > PORT_MAX)))
    throw new ApiError('MalformedField', { field });
  return { name, host: port === undefined ? name : `${name}:${Number(port)}` };
}

/** As a request may write the host of an origin: the port of the scheme may be left out. */
function hostsOf(origin: string): readonly string[] {
  const { protocol, hostname, port } = new URL(origin);
  return port === '' ? [hostname, `${hostname}:${protocol === 'https:' ? 443 : 80}`] : [`${hostname}:${port}`];
}
