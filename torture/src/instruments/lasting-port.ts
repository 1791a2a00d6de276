/** Ports for processes that are ended and started again at the same one: the system gives none of them to another process meanwhile. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const RANGE = '/proc/sys/net/ipv4/ip_local_port_range';
/** Of Linux, where the file can not be read. */
const USUAL_RANGE = '32768 60999';
const FIRST = 10_000;
const LAST = 65_535;
/** Too few ports below the range: those above it are taken. */
const FEW = 1_000;
const TRIES = 200;

const given = new Set<number>();

/** Free at the loopback address, and outside the range of which the system gives ports; never given twice by this process. */
export async function lastingPort(): Promise<number> {
  const { from, to } = outside(rangeOfSystem());
  for (let count = 0; count < TRIES; count += 1) {
    const port = from + Math.floor(Math.random() * (to - from));
    if (given.has(port)) continue;
    given.add(port);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${from} to ${to} is free`);
}

function rangeOfSystem(): string {
  try {
    return readFileSync(RANGE, 'utf8');
  } catch {
    return USUAL_RANGE;
  }
}

/** @param range the first and the last port of it. @returns the first of the others, and the one after the last */
export function outside(range: string): { readonly from: number; readonly to: number } {
  const [first = 0, last = LAST] = range.trim().split(/\s+/).map(Number);
  return first - FIRST >= FEW || LAST - last < FEW ? { from: FIRST, to: Math.max(first, FIRST + FEW) } : { from: last + 1, to: LAST + 1 };
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => void server.close(() => resolve(true)));
  });
}
