/** The program's own log: lines of JSON on standard error, without secrets. */
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';

interface Destination {
  write(line: string): void;
}

export function openLog(
  { logLevel, redact }: Pick<Config, 'logLevel' | 'redact'>,
  to: Destination = pino.destination(2),
): FastifyBaseLogger {
  return pino({ level: logLevel, base: null }, { write: (line: string) => to.write(redact(line)) });
}
