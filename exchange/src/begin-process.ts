/** What a process begins with, whatever its role. */
import type { Closing } from './closing.ts';
import type { Config } from './config.ts';
import { openDataFolder } from './data-folder.ts';
import { holdDataFolder } from './hold-data-folder.ts';
import { openLog } from './log.ts';
import { startMetrics, type WatchedProgram } from './metrics/start-metrics.ts';
import type { Surroundings } from './surroundings.ts';
import { openTraces } from './traces/open-traces.ts';

export interface StartOptions {
  readonly config: Config;
  /** One line for each step. */
  readonly say: (line: string) => void;
  /** Gets each part as it comes up, so that a program that is still starting can be stopped too. */
  readonly closing: Closing;
  /** Something without which the program can not go on has failed. */
  readonly onFatal: (error: Error) => void;
}

export interface BegunProcess {
  readonly surroundings: Surroundings;
  /** Undefined where nobody asks for metrics. */
  readonly watched: WatchedProgram | undefined;
  /** One line for each step, without secrets. */
  readonly say: (line: string) => void;
}

/** @param isHeld whether it keeps other processes out of its data folder; a heart does so by its journal */
export async function beginProcess(options: StartOptions, { isHeld }: { readonly isHeld: boolean }): Promise<BegunProcess> {
  const { config, closing, onFatal } = options;
  const say = (line: string): void => options.say(config.redact(line));
  openDataFolder(config.dataDirectory);
  if (isHeld) {
    const folder = await holdDataFolder(config.dataDirectory);
    closing.add({ name: 'the data folder', stop: () => folder.release() });
  }
  const log = openLog(config);
  const surroundings: Surroundings = { config, closing, log, onFatal, traces: await openTraces({ config, closing, log }) };
  const watched = config.metrics === undefined ? undefined : await startMetrics(config.metrics, { closing, say });
  return { surroundings, watched, say };
}

/** What was started by the time that a start fails is stopped. */
export async function startOrStop<Started>(closing: Closing, start: () => Promise<Started>): Promise<Started> {
  try {
    return await start();
  } catch (error) {
    await closing.run();
    throw error;
  }
}
