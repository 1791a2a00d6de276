/** The role `projector`: follows the heart and writes history into SQL, for processes that read it there. */
import { checkOffsets } from './check-offsets.ts';
import { openDataFolder } from './data-folder.ts';
import { startHistoryThread } from './history/history-thread.ts';
import { holdDataFolder } from './hold-data-folder.ts';
import { houseAddresses } from './house-addresses.ts';
import { followHeart } from './link/follow-heart.ts';
import { openLog } from './log.ts';
import { startMetrics } from './metrics/start-metrics.ts';
import { MIGRATIONS } from './services/services.ts';
import { startDatabase } from './start-database.ts';
import { historyDirectory } from './start-heart.ts';
import { placeOf } from './place.ts';
import type { StartOptions } from './start.ts';
import { troubleOf, type Surroundings } from './surroundings.ts';
import { openTraces } from './traces/open-traces.ts';

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export async function startProjectorAlone(options: StartOptions): Promise<void> {
  try {
    await startParts(options);
  } catch (error) {
    await options.closing.run();
    throw error;
  }
}

async function startParts({ config, say: sayAll, closing, onFatal }: StartOptions): Promise<void> {
  const say = (line: string): void => sayAll(config.redact(line));
  openDataFolder(config.dataDirectory);
  const folder = await holdDataFolder(config.dataDirectory);
  closing.add({ name: 'the data folder', stop: () => folder.release() });
  const log = openLog(config);
  const surroundings: Surroundings = { config, closing, log, onFatal, traces: await openTraces({ config, closing, log }) };
  const watched = config.metrics === undefined ? undefined : await startMetrics(config.metrics, { closing, say });
  say('opening the journal');
  const { heart, durableSeq } = await followHeart(surroundings);
  const database = await startDatabase(surroundings, MIGRATIONS);
  const directory = historyDirectory(config.dataDirectory);
  await checkOffsets(database, { directory, last: () => heart.status().seq });
  const projector = await startHistoryThread({
    directory,
    database: database.address,
    place: placeOf(config.dataDirectory),
    isProjector: true,
    durableSeq,
    houseAddresses: houseAddresses(config),
    nowMs: () => heart.nowMs(),
    onProof: (proof) => heart.acceptProof(proof),
    onDiverged: onFatal,
    onTrouble: troubleOf(surroundings, 'projector'),
    log: (line) => surroundings.log.info({ part: 'projector' }, line),
  });
  closing.add({ name: 'the projector', stop: () => projector.stop() });
  watched?.beginProjector({ heart, database, projector });
}
