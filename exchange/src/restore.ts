/** `npm run restore -- SOURCE DATA [--until SEQ|TIME] [--history-only]`: makes an installation from a set, elsewhere or in place of one that was lost. */
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { emptyProjection, type ProjectorTables } from '@orrery/projector';
import { coversHistory, cutHistory, HistoryDamaged, type HistoryState, nodeDisk, ReplayDiffers, stateOf } from '@orrery/sequencer';
import { databaseOf } from './backup/database-of.ts';
import { filesOf, MANIFEST, readManifest, type SetContent, type StoredFile } from './backup/manifest.ts';
import { findPoint, parseUntil, refuseTraces, turnBackOffsets, type Until } from './backup/point-in-time.ts';
import { runCommand } from './backup/run-command.ts';
import { loadSql } from './backup/sql-copy.ts';
import { clientOf } from './backup/sql-point.ts';
import { check, store, syncFolder } from './backup/stored-file.ts';
import type { Closing } from './closing.ts';
import { type Config, readConfig } from './config.ts';
import { type DatabaseAddress, openDatabase } from './database.ts';
import { ENGINES } from './engines.ts';
import { MIGRATIONS } from './services/services.ts';
import { historyDirectory } from './start-heart.ts';
import { StartError } from './start-error.ts';

interface RestoreOptions {
  readonly config: Config;
  readonly set: string;
  /** A new or empty folder. */
  readonly target: string;
  readonly until?: Until | undefined;
  /** The journal and its snapshots alone, to look at. */
  readonly historyOnly?: boolean;
  readonly say: (line: string) => void;
  readonly closing: Closing;
}

/**
 * Every file is compared with what was stored, and the replayed state with the one that was recorded. The data folder has its name only when all of it is there.
 * @throws StartError with one sentence; then the data folder is not made.
 */
export async function restore(options: RestoreOptions): Promise<HistoryState> {
  const { set, target, say } = options;
  await refuseNonEmpty(target);
  const content = await readManifest(set);
  say(`comparing ${filesOf(content).length} files with what was stored`);
  await refuseStrangers(set, content);
  for (const file of filesOf(content)) await check(set, file);
  const staging = `${target}.unfinished`;
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true, mode: 0o700 });
  for (const file of content.files) if (options.historyOnly !== true || isHistory(file)) await copy(set, file, staging);
  say('replaying history from its newest snapshot');
  const state = await compareState(staging, content, options);
  if (options.historyOnly !== true) await fillDatabase(options, { content, staging, state });
  if (existsSync(target)) await rmdir(target);
  await rename(staging, target);
  await syncFolder(dirname(target));
  return state;
}

const isHistory = ({ path }: StoredFile): boolean => path.startsWith('data/history/');

async function refuseNonEmpty(target: string): Promise<void> {
  const names = await readdir(target).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw new StartError(`${target} can not be read as a folder: name a new or empty one.`, { cause: error });
  });
  if (names.length > 0) throw new StartError(`The folder ${target} is not empty: name a new one, or move away what is in it.`);
}

/** What the manifest does not name was put there by somebody else. */
async function refuseStrangers(set: string, content: SetContent): Promise<void> {
  const known = new Set([MANIFEST, ...filesOf(content).map(({ path }) => path)]);
  for (const entry of await readdir(set, { recursive: true, withFileTypes: true })) {
    const path = relative(set, join(entry.parentPath, entry.name));
    if (!entry.isDirectory() && !known.has(path))
      throw new StartError(`The set can not be used: ${join(set, path)} does not belong to it.`);
  }
}

async function copy(set: string, file: StoredFile, staging: string): Promise<void> {
  const path = file.path.slice('data/'.length);
  const { sha256 } = await store(staging, path, createReadStream(join(set, file.path)) as AsyncIterable<Buffer>);
  if (sha256 !== file.sha256) throw new StartError(`The set can not be used: ${join(set, file.path)} was changed while it was read.`);
}

async function compareState(
  staging: string,
  { history, takenAt }: SetContent,
  { until, historyOnly, say }: RestoreOptions,
): Promise<HistoryState> {
  const directory = historyDirectory(staging);
  const archive = { disk: nodeDisk, directory, engines: ENGINES, log: say };
  try {
    const whole = stateOf(archive, history.layout);
    if (whole.seq !== history.seq || whole.stateHash !== history.stateHash)
      throw new StartError(
        `The set can not be used: its history leads to command ${whole.seq} and state ${whole.stateHash}, and command ${history.seq} and state ${history.stateHash} were recorded.`,
      );
    if (until === undefined) return whole;
    if ('seq' in until && until.seq > history.seq)
      throw new StartError(`The set ends with command ${history.seq}, before command ${until.seq}.`);
    if ('at' in until && until.at > takenAt) throw new StartError('The set was made before the time that --until names.');
    const cut = findPoint(directory, until);
    if (cut === undefined) return whole;
    if (historyOnly !== true) refuseTraces(directory, cut);
    await cutHistory({ disk: nodeDisk, directory }, cut);
    return stateOf(archive);
  } catch (error) {
    if (error instanceof HistoryDamaged || error instanceof ReplayDiffers) throw new StartError(error.message, { cause: error });
    throw error;
  }
}

interface Filling {
  readonly content: SetContent;
  readonly staging: string;
  readonly state: HistoryState;
}

async function fillDatabase({ config, set, say, closing }: RestoreOptions, { content, staging, state }: Filling): Promise<void> {
  say(`filling ${content.sql.tables.length} tables`);
  const address = await databaseOf({ ...config, dataDirectory: staging }, closing);
  const client = clientOf(address);
  try {
    await client.connect();
    await loadSql(address, client, { sql: content.sql, set, migrations: MIGRATIONS });
    if (state.seq < content.history.seq) {
      if (!coversHistory({ disk: nodeDisk, directory: historyDirectory(staging) }, 0))
        throw new StartError(
          'History in SQL can not go back with the journal: the journal of the set does not begin with the first command.',
        );
      await turnBackOffsets(client, state.seq);
      await emptyHistory(address);
      say('history in SQL is written again by the next start, or before it by `npm run rebuild-history`');
    }
  } finally {
    await client.end().catch(() => undefined);
    await closing.run();
  }
}

async function emptyHistory(address: DatabaseAddress): Promise<void> {
  const database = await openDatabase<ProjectorTables>(address, { connections: 1 });
  try {
    await emptyProjection(database.sql);
  } finally {
    await database.close();
  }
}

const USAGE = 'usage: npm run restore -- SOURCE DATA [--until SEQ|TIME] [--history-only]';

async function main(closing: Closing, say: (line: string) => void): Promise<string> {
  const { values, positionals } = argumentsOf(process.argv.slice(2));
  const [set, target, ...more] = positionals;
  if (set === undefined || target === undefined || more.length > 0) throw new StartError(USAGE);
  const { seq, stateHash } = await restore({
    config: readConfig(process.env),
    set: resolve(set),
    target: resolve(target),
    until: values.until === undefined ? undefined : parseUntil(values.until),
    historyOnly: values['history-only'],
    say,
    closing,
  });
  return `Restored into ${resolve(target)} up to command ${seq}, state ${stateHash}.`;
}

function argumentsOf(args: readonly string[]): {
  readonly values: { readonly until?: string; readonly 'history-only': boolean };
  readonly positionals: readonly string[];
} {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { until: { type: 'string' }, 'history-only': { type: 'boolean', default: false } },
    });
  } catch (cause) {
    throw new StartError(USAGE, { cause });
  }
}

if (import.meta.main) process.exit(await runCommand('the set could not be restored', main));
