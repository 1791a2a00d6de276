/** The program's own log: lines of JSON on standard error, without secrets. */
import type { FastifyBaseLogger } from 'fastify';
import { pino } from 'pino';
import type { Config } from './config.ts';

interface Destination {
  write(line: string): void;
}

/** Causes of causes are written so far down. */
const CAUSES_MAX = 5;

interface WrittenError {
  readonly type: string;
  readonly message: string;
  readonly code?: unknown;
  readonly stack?: string | undefined;
  readonly cause?: WrittenError | string;
}

/** What an error is, and its causes: other fields of it, such as the row that a database shows beside a refusal, may be somebody's. */
function writtenError(error: unknown, causesLeft = CAUSES_MAX): WrittenError | string {
  if (!(error instanceof Error)) return String(error);
  const { name, message, stack, cause } = error;
  const hasCause = cause !== undefined && causesLeft > 0;
  return {
    type: name,
    message,
    ...('code' in error && { code: error.code }),
    stack,
    ...(hasCause && { cause: writtenError(cause, causesLeft - 1) }),
  };
}

export function openLog(
  { logLevel, redact }: Pick<Config, 'logLevel' | 'redact'>,
  to: Destination = pino.destination(2),
): FastifyBaseLogger {
  const serializers = { err: (error: unknown) => writtenError(error) };
  return pino({ level: logLevel, base: null, serializers }, { write: (line: string) => to.write(redact(line)) });
}
