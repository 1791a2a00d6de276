/** The role `heart`: keeps the journal and matches, for processes that do everything else. */
import { openDataFolder } from './data-folder.ts';
import { serveHeart } from './link/serve-heart.ts';
import { openLog } from './log.ts';
import { startMetrics } from './metrics/start-metrics.ts';
import { resetPrices, startHeart } from './start-heart.ts';
import type { StartOptions } from './start.ts';
import type { Surroundings } from './surroundings.ts';
import { openTraces } from './traces/open-traces.ts';

/** @throws StartError with one sentence for the person who runs the program; what was started by then is stopped. */
export async function startHeartAlone(options: StartOptions): Promise<void> {
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
  const log = openLog(config);
  const surroundings: Surroundings = { config, closing, log, onFatal, traces: await openTraces({ config, closing, log }) };
  const watched = config.metrics === undefined ? undefined : await startMetrics(config.metrics, { closing, say });
  say('opening the journal');
  const started = await startHeart(surroundings, resetPrices, watched?.metrics.onGroup, say);
  await serveHeart(surroundings, started);
  watched?.beginHeart(started);
  say(`this heart leads in epoch ${started.heart.epoch}, from command ${started.heart.status().seq}`);
}
