/**
 * Addresses that callers come from, as a proxy in front of the program reports them (`ORRERY_PROXY_HOPS=1`). What is limited by address is
 * limited by person, and in files that share a program too: each address is used once in a run.
 */
/** The runner counts the processes that it has started: one for each file. */
const file = Number(process.env['VITEST_WORKER_ID'] ?? 0);
let callers = 0;

/** Of the network kept for measurements, 198.18.0.0/15; files have networks of their own in it. */
export function nextAddress(): string {
  callers += 1;
  if (callers > 254) throw new Error('a file has 254 addresses of callers');
  return `198.${18 + ((file >> 8) & 1)}.${file & 255}.${callers}`;
}
