/** What every part of the program is started with. */
import type { FastifyBaseLogger } from 'fastify';
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import type { Traces } from './traces/traces.ts';

export interface Surroundings {
  readonly config: Config;
  readonly closing: Closing;
  readonly log: FastifyBaseLogger;
  /** Something without which the program can not go on has failed. */
  readonly onFatal: (error: Error) => void;
  /** Where they are kept. */
  readonly traces?: Traces | undefined;
}

/** Reports failures that are retried. */
export const troubleOf =
  ({ log }: Surroundings, part: string) =>
  (error: unknown): void => {
    log.error({ part, err: error }, 'trouble');
  };

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));
