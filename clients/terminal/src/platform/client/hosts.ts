/**
 * Which host a call goes to. The main API has one host for each environment; spot and perps have the same in all of them.
 * Where a build names none, everything is on the host that serves the page, as the program does it by default.
 */
import type { ClientConfig } from '@orrery/api';

export type Environment = ClientConfig['environment'];

export interface HostTable {
  readonly api: Readonly<Partial<Record<Environment, string>>>;
  readonly spot?: string;
  readonly perps?: string;
}

export interface HostChoice {
  readonly table: HostTable;
  readonly environment: Environment;
  /** Of the page. */
  readonly origin: string;
}

/** The host of a call, by the family its path belongs to. */
export function hostOf(path: string, { table, environment, origin }: HostChoice): string {
  if (path.startsWith('/spot/')) return table.spot ?? origin;
  if (path.startsWith('/futures/')) return table.perps ?? origin;
  return table.api[environment] ?? origin;
}

/** The request as it is, or the same one for the host it belongs to, with the cookies of that host. */
export function routed(request: Request, choice: HostChoice): Request {
  const { pathname, search, origin } = new URL(request.url);
  const host = hostOf(pathname, choice);
  return host === origin ? request : new Request(new Request(host + pathname + search, request), { credentials: 'include' });
}
