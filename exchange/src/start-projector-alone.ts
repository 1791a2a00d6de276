/** The role `projector`: follows the heart and writes history into SQL, for processes that read it there. */
import { beginProcess, type StartOptions, startOrStop } from './begin-process.ts';
import { checkOffsets } from './check-offsets.ts';
import { startHistoryThread } from './history/history-thread.ts';
import { houseAddresses } from './house-addresses.ts';
import { followHeart } from './link/follow-heart.ts';
import { MIGRATIONS } from './services/services.ts';
import { startDatabase } from './start-database.ts';
import { historyDirectory } from './start-heart.ts';
import { placeOf } from './place.ts';
import { troubleOf } from './surroundings.ts';

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export const startProjectorAlone = (options: StartOptions): Promise<void> => startOrStop(options.closing, () => startParts(options));

async function startParts(options: StartOptions): Promise<void> {
  const { config, closing, onFatal } = options;
  const { surroundings, watched, say } = await beginProcess(options, { isHeld: true });
  say('opening the journal');
  const { heart, durableSeq } = await followHeart(surroundings);
  const database = await startDatabase(surroundings, MIGRATIONS);
  const directory = historyDirectory(config.dataDirectory);
  await checkOffsets(database, { directory, last: () => heart.status().seq });
  const projector = startHistoryThread({
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
  await projector.started;
  watched?.beginProjector({ heart, database, projector });
}
