/** The role `heart`: keeps the journal and matches, for processes that do everything else. */
import { beginProcess, type StartOptions, startOrStop } from './begin-process.ts';
import { serveHeart } from './link/serve-heart.ts';
import { openingAlone, startHeart } from './start-heart.ts';

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export const startHeartAlone = (options: StartOptions): Promise<void> => startOrStop(options.closing, () => startParts(options));

async function startParts(options: StartOptions): Promise<void> {
  const { surroundings, watched, say } = await beginProcess(options, { isHeld: false });
  say('opening the journal');
  const started = await startHeart(surroundings, openingAlone, watched?.metrics.onGroup, say);
  await serveHeart(surroundings, started);
  watched?.beginHeart(started);
  say(`this heart leads in epoch ${started.heart.epoch}, from command ${started.heart.status().seq}`);
}
