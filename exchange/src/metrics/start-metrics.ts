/** The metrics of this program: served from the first moment, so that a start that takes long is seen. */
import { accountsService } from '@orrery/accounts';
import type { Leases } from '@orrery/foundation';
import type { Gateway, Probe } from '@orrery/gateway';
import { indexerService } from '@orrery/indexer';
import type { Heart } from '@orrery/protocol';
import type { Closing } from '../closing.ts';
import { staleness } from '../history/freshness.ts';
import type { HistoryInThread } from '../history/history-thread.ts';
import type { Door } from '../port.ts';
import type { HeartPending, HeartReadiness } from '../program-heart.ts';
import { historyService } from '../services/history.ts';
import type { StartedServices } from '../services/service.ts';
import type { StartedDatabase } from '../start-database.ts';
import { countCommands, measure, measureBackground, measureFollowers, measureHeart } from './measure.ts';
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
  /** The same, where the process writes history and does nothing else. */
  beginProjector(parts: ProjectorParts): void;
}

interface ProjectorParts {
  readonly heart: Heart & HeartPending & HeartReadiness;
  readonly projector: HistoryInThread;
  readonly database: StartedDatabase;
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
      ready = () => readyUnless(heart.unready());
      measureHeart(metrics, heart, standbys);
    },
    beginProjector({ heart, projector, database }) {
      ready = () => readyUnless(heart.unready() ?? projector.status().failure ?? staleness(projector.staleSince()));
      measureHeart(metrics, heart, () => undefined);
      measureFollowers(metrics, heart, { projector: () => projector.status().seq });
      measureBackground(metrics, { pools: { writes: database, reads: database.reads }, leases: projector });
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
      countCommands(metrics, heart).catch(onTrouble);
    },
  };
}

const readyUnless = (why: string | undefined): Probe =>
  why === undefined ? { status: 200, text: 'ready\n' } : { status: 503, text: `${why}\n` };
