/** What is over: written into SQL by a thread that follows the journal, and read from there. */
import { accountsService } from '@orrery/accounts';
import { exportRoutes, portfolioRoutes, timelineRoutes, type TableHandlers } from '@orrery/api';
import {
  exportHandlers,
  ExportJobs,
  History,
  migrations,
  portfolioHandlers,
  type ProjectorTables,
  timelineHandlers,
  Timelines,
} from '@orrery/projector';
import type { Heart } from '@orrery/protocol';
import { followMarkets } from '../history/follow-markets.ts';
import { houseAddresses } from '../house-addresses.ts';
import { type HistoryInThread, type HistoryThreadOptions, startHistoryThread } from '../history/history-thread.ts';
import type { HistoryTime } from '../program-heart.ts';
import { historyDirectory } from '../start-heart.ts';
import { placeOf } from '../place.ts';
import { troubleOf } from '../surroundings.ts';
import { serve } from './service.ts';
import type { Kysely } from 'kysely';

const routes = { portfolio: portfolioRoutes, timeline: timelineRoutes, export: exportRoutes };

interface HistoryPorts extends HistoryThreadOptions {
  readonly heart: Heart & HistoryTime;
  readonly sql: Kysely<ProjectorTables>;
  /** For what is written here: jobs of exports. */
  readonly jobs: Kysely<ProjectorTables>;
  /** Of links to exports. */
  readonly linkKey: Buffer;
}

interface RunningHistory {
  readonly projector: HistoryInThread;
  readonly history: History;
  readonly exports: ExportJobs;
  readonly handlers: TableHandlers<typeof routes>;
  stop(): Promise<void>;
}

function open({ heart, sql, jobs, linkKey, ...thread }: HistoryPorts): RunningHistory {
  const projector = startHistoryThread(thread);
  const listed = followMarkets(heart, (error) => thread.onTrouble(String(error)));
  const history = new History({ db: sql, ...listed, projector });
  const exports = new ExportJobs({
    db: jobs,
    linkKey,
    seq: () => heart.status().seq,
    now: () => heart.nowMs(),
    onWaiting: () => projector.wakeExports(),
  });
  return {
    projector,
    history,
    exports,
    handlers: {
      export: exportHandlers(exports),
      portfolio: portfolioHandlers(history.portfolio),
      timeline: timelineHandlers(
        new Timelines({ db: sql, markets: listed.markets, caughtUp: () => projector.reached(heart.status().seq) }),
      ),
    },
    stop: () => projector.stop(),
  };
}

export const historyService = { name: 'projector', routes, migrations, open };

export const historyEntry = serve(historyService, ({ surroundings, heart, database, durableSeq }, started) => ({
  heart,
  sql: database.readsOf<ProjectorTables>(),
  jobs: database.of<ProjectorTables>(),
  linkKey: started.of(accountsService).box.keyFor('export links'),
  directory: historyDirectory(surroundings.config.dataDirectory),
  database: database.address,
  place: placeOf(surroundings.config.dataDirectory),
  isProjector: surroundings.config.duties.has('projector'),
  durableSeq,
  houseAddresses: houseAddresses(surroundings.config),
  nowMs: () => heart.nowMs(),
  onProof: (proof) => heart.acceptProof(proof),
  onDiverged: surroundings.onFatal,
  onTrouble: troubleOf(surroundings, 'projector'),
  log: (line) => surroundings.log.info({ part: 'projector' }, line),
}));
