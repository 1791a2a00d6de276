/** `fetch`, to the host that each call belongs to. */
import { routed } from './hosts.ts';
import type { Environment, HostTable } from './hosts.ts';

/** Written into the build: see vite.config.ts. */
declare const __ORRERY_HOSTS__: HostTable;
declare const __ORRERY_ENVIRONMENT__: Environment;

export const routedFetch: typeof fetch = (input, init) =>
  fetch(routed(new Request(input, init), { table: __ORRERY_HOSTS__, environment: __ORRERY_ENVIRONMENT__, origin: location.origin }));
