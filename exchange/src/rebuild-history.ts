/** `npm run rebuild-history`: empties history in SQL and writes it again from the first command of the journal. The exchange must be stopped. */
import { existsSync } from 'node:fs';
import { countRows, emptyProjection, type ProjectorTables, startProjector } from '@orrery/projector';
import { coversHistory, FolderInUse, followFolder, HistoryDamaged, nodeDisk, ReplayDiffers } from '@orrery/sequencer';
import type { Seq } from '@orrery/units';
import type { Kysely } from 'kysely';
import { Closing } from './closing.ts';
import { type Config, readConfig } from './config.ts';
import { ENGINES } from './engines.ts';
import { DurableSeq } from './history/durable-seq.ts';
import { openLog } from './log.ts';
import { MIGRATIONS } from './services/services.ts';
import { startDatabase } from './start-database.ts';
import { StartError } from './start-error.ts';
import { houseAddresses } from './house-addresses.ts';
import { historyDirectory, startHeart } from './start-heart.ts';
import type { Surroundings } from './surroundings.ts';

/** How often the progress is said. */
const SAY_MS = 5_000;

export interface Rebuilt {
  /** The last command of the journal, which history has reached. */
  readonly seq: Seq;
  /** Rows by table. */
  readonly rows: Readonly<Record<string, number>>;
}

interface RebuildOptions {
  readonly config: Config;
  readonly say: (line: string) => void;
  readonly closing: Closing;
}

/**
 * Only what follows from the journal is emptied: history, bills, candles and what tasks count. A run that is cut short leaves history
 * incomplete, and the next start of the exchange writes the rest.
 * @throws StartError with one sentence when the exchange runs, or the journal is missing, damaged or does not begin with the first command.
 */
export async function rebuildHistory({ config, say, closing }: RebuildOptions): Promise<Rebuilt> {
  const directory = historyDirectory(config.dataDirectory);
  if (!existsSync(directory)) throw new StartError(`There is no journal in ${directory}: name the data folder in ORRERY_DATA.`);
  const fatal = Promise.withResolvers<never>();
  // Whether or not anybody waits for it at that moment.
  fatal.promise.catch(() => undefined);
  const log = openLog(config);
  const surroundings: Surroundings = { config, closing, log, onFatal: fatal.reject };
  // It takes the folder: a running exchange has it, and one that is started meanwhile does not get it.
  const { heart } = await startHeart(surroundings).catch(explainInUse);
  if (!coversHistory({ disk: nodeDisk, directory }, 0))
    throw new StartError(`The journal in ${directory} does not begin with the first command: put its missing segments back from a backup.`);
  const sql = (await startDatabase(surroundings, MIGRATIONS)).of<ProjectorTables>();
  const last = heart.status().seq;
  say(`emptying history in SQL, and writing it again from ${last} commands`);
  await emptyProjection(sql);
  await Promise.race([write(sql, { directory, last, houseAddresses: houseAddresses(config), say }), fatal.promise]);
  return { seq: last, rows: await countRows(sql) };
}

function explainInUse(error: unknown): never {
  if (error instanceof StartError && error.cause instanceof FolderInUse)
    throw new StartError(`${error.message}: stop the exchange first.`, { cause: error });
  throw error;
}

interface Writing {
  readonly directory: string;
  readonly last: Seq;
  readonly houseAddresses: readonly string[];
  readonly say: (line: string) => void;
}

async function write(sql: Kysely<ProjectorTables>, { directory, last, houseAddresses: house, say }: Writing): Promise<void> {
  const end = new DurableSeq();
  end.report(last);
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined);
  let saidAt = performance.now();
  const projector = await startProjector({
    source: followFolder({ directory, disk: nodeDisk, engines: ENGINES, end, log: say }),
    db: sql,
    houseAddresses: house,
    onTrouble(error) {
      if (error instanceof HistoryDamaged || error instanceof ReplayDiffers) failure.reject(new StartError(error.message));
      else say(String(error));
    },
    onProgress(progress) {
      if (progress.failure !== undefined) failure.reject(new StartError(progress.failure));
      if (performance.now() - saidAt < SAY_MS) return;
      saidAt = performance.now();
      say(`command ${progress.seq} of ${last}`);
    },
  });
  try {
    await Promise.race([projector.reached(last), failure.promise]);
  } finally {
    await projector.stop();
  }
}

const sayLine = (line: string): void => void process.stderr.write(`orrery: ${line}\n`);

/** @returns the exit code. */
async function main(): Promise<number> {
  const closing = new Closing((part, error) => sayLine(`${part} did not stop cleanly: ${String(error)}`));
  let isStopping = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      isStopping = true;
      void closing.run().then(() => process.exit(130));
    });
  }
  try {
    const { seq: last, rows } = await rebuildHistory({ config: readConfig(process.env), say: sayLine, closing });
    const counts = Object.entries(rows).map(([table, count]) => `${table.replace('projector_', '')} ${count}`);
    process.stdout.write(`History is rebuilt up to command ${last}, the last of the journal. Rows: ${counts.join(', ')}.\n`);
    return 0;
  } catch (error) {
    if (!isStopping) sayLine(sentenceOf(error));
    return 1;
  } finally {
    await closing.run();
  }
}

const sentenceOf = (error: unknown): string => {
  if (error instanceof StartError) return error.message;
  return `history could not be rebuilt: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
};

if (import.meta.main) process.exit(await main());
