/** Traces of this process, where a receiver is set; without one nothing that makes or sends spans is loaded. */
import type { FastifyBaseLogger } from 'fastify';
import type { Closing } from '../closing.ts';
import type { Config } from '../config.ts';
import type { Traces } from './traces.ts';

interface Around {
  readonly config: Pick<Config, 'traces' | 'environment' | 'role'>;
  readonly closing: Closing;
  readonly log: FastifyBaseLogger;
}

export async function openTraces({ config, closing, log }: Around): Promise<Traces | undefined> {
  const { traces: receiver, environment, role } = config;
  if (receiver === undefined) return undefined;
  const { startTraces } = await import('./start-traces.ts');
  const { traces, stop } = startTraces({ receiver, environment, role }, (error) => {
    if (error === undefined) log.warn({ part: 'traces' }, 'the receiver of traces takes them again');
    else log.error({ part: 'traces', err: error }, 'the receiver of traces does not take them: they are dropped until it does');
  });
  closing.add({ name: 'the traces', stop });
  return traces;
}
