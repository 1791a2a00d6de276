/** The metrics of this program: served from the first moment, so that a start that takes long is seen. */
import { accountsService } from '@orrery/accounts';
import type { Leases } from '@orrery/foundation';
import type { Gateway, Probe } from '@orrery/gateway';
import { indexerService } from '@orrery/indexer';
import type { Heart } from '@orrery/protocol';
import type { Closing } from '../closing.ts';
import type { Door } from '../port.ts';
import type { HeartPending, HeartReadiness } from '../program-heart.ts';
import { historyService } from '../services/history.ts';
import type { StartedServices } from '../services/service.ts';
import type { StartedDatabase } from '../start-database.ts';
import { measure, measureHeart } from './measure.ts';
import { Metrics } from './metrics.ts';
import { startMetricsServer } from './metrics-server.ts';

export interface Measured {
  readonly heart: Heart & HeartPending;
  /** Standbys that have what is durable; undefined where nobody knows, or the journal is in a folder. */
  readonly standbys: () => number | undefined;
  readonly gateway: Gateway;
  readonly database: StartedDatabase;
  readonly leases: Pick<Leases, 'held'>;
  readonly services: StartedServices;
  readonly onTrouble: (error: unknown) => void;
}

export interface WatchedProgram {
  readonly metrics: Metrics;
  /** From here on the parts are measured too, and the process may be ready. */
  begin(parts: Measured): void;
  /** The same, where the process has a heart and nothing else. */
  beginHeart(parts: { readonly heart: Heart & HeartPending & HeartReadiness } & Pick<Measured, 'standbys'>): void;
}

const STARTING: Probe = { status: 503, text: 'the exchange is starting\n' };

/** @throws StartError when the port is taken */
export async function startMetrics(
  door: Door,
  { closing, say }: { closing: Closing; say: (line: string) => void },
): Promise<WatchedProgram> {
  const metrics = new Metrics();
  let ready = (): Probe => STARTING;
  const server = await startMetricsServer(door, { metrics, ready: () => ready() });
  closing.add({ name: 'the metrics', stop: () => server.close() });
  say(`metrics are at ${server.url}/metrics`);
  return {
    metrics,
    beginHeart({ heart, standbys }) {
      ready = () => {
        const why = heart.unready();
        return why === undefined ? { status: 200, text: 'ready\n' } : { status: 503, text: `${why}\n` };
      };
      measureHeart(metrics, heart, standbys);
    },
    begin({ heart, standbys, gateway, database, leases, services, onTrouble }) {
      ready = () => gateway.ready();
      measure(metrics, {
        heart,
        standbys,
        gateway,
        written: () => services.of(historyService).projector.status().seq,
        indexer: services.of(indexerService),
        pools: { writes: database, reads: database.reads },
        leases,
        codeAlarm: services.of(accountsService).codeAlarm,
      });
      count(metrics, heart).catch(onTrouble);
    },
  };
}

async function count(metrics: Metrics, heart: Heart): Promise<void> {
  for await (const batch of heart.subscribe(heart.status().seq)) for (const applied of batch) metrics.onApplied(applied);
}
