/** `npm run backup -- TARGET`: writes one consistent set of everything an installation needs, while the exchange runs or not. */
import { existsSync } from 'node:fs';
import { mkdir, open, readdir, rename } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { stateOf, nodeDisk } from '@orrery/sequencer';
import { holdFiles, type HeldFiles } from './backup/data-files.ts';
import { databaseOf } from './backup/database-of.ts';
import { encodeManifest, filesOf, FORMAT, MANIFEST, type SetContent } from './backup/manifest.ts';
import { runCommand } from './backup/run-command.ts';
import { storeSql } from './backup/sql-copy.ts';
import { atOneInstant } from './backup/sql-point.ts';
import { syncFolder } from './backup/stored-file.ts';
import type { Closing } from './closing.ts';
import { type Config, readConfig } from './config.ts';
import { ENGINES } from './engines.ts';
import { historyDirectory } from './start-heart.ts';
import { StartError } from './start-error.ts';
import { version } from './version.ts';

/** A file that goes away while it is opened: look again. */
const LOOKS = 5;

interface BackupOptions {
  readonly config: Config;
  /** A new or empty folder. */
  readonly target: string;
  readonly say: (line: string) => void;
  readonly closing: Closing;
}

/**
 * What the set holds is what kill -9 would have left at one instant: every service starts from that.
 * @throws StartError with one sentence; then the set has no manifest, and `restore` refuses it.
 */
export async function backUp({ config, target, say, closing }: BackupOptions): Promise<SetContent> {
  const directory = config.dataDirectory;
  // What lies in the folder is a copy then, which may be behind.
  if ((config.journal ?? 'file') !== 'file')
    throw new StartError('A journal that hearts share (ORRERY_JOURNAL) is not copied by this command: take a backup of its PostgreSQL.');
  if (!existsSync(historyDirectory(directory)))
    throw new StartError(`There is no journal in ${directory}: name the data folder in ORRERY_DATA.`);
  await makeEmpty(target);
  const address = await databaseOf(config, closing);
  const takenAt = Date.now();
  const { look: held, schema, snapshot } = await atOneInstant(address, () => lookAt(directory));
  try {
    say('copying files');
    const { files, gone } = await held.storeInto(target);
    say(`copying ${schema.tables.length} tables`);
    const sql = await storeSql(snapshot, schema, target);
    say('replaying the copied history from its newest snapshot');
    const history = stateOf({ disk: nodeDisk, directory: join(target, 'data', 'history'), engines: ENGINES, log: say });
    const content: SetContent = {
      format: FORMAT,
      version,
      takenAt,
      history,
      elsewhere: [...elsewhere(config)],
      gone,
      files: [...files],
      sql,
    };
    await finish(target, content);
    return content;
  } finally {
    held.release();
    await snapshot.end().catch(() => undefined);
  }
}

function lookAt(directory: string): HeldFiles {
  for (let nth = 1; ; nth += 1) {
    try {
      return holdFiles(directory);
    } catch (error) {
      if (nth === LOOKS || !(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
}

function* elsewhere({ filesSite, rpcUrl, masterKeyFile }: Config): Generator<string> {
  if (masterKeyFile !== undefined) yield 'the master key, at ORRERY_MASTER_KEY_FILE';
  if (filesSite !== undefined) yield 'the files of people, at ORRERY_FILES_URL';
  if (rpcUrl !== undefined) yield 'the chain, at ORRERY_RPC_URL';
}

async function makeEmpty(target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  if ((await readdir(target)).length > 0) throw new StartError(`The folder ${target} is not empty: name a new one for each set.`);
}

/** Every name is on disk before that of the manifest is. */
async function finish(target: string, content: SetContent): Promise<void> {
  const folders = new Set(filesOf(content).flatMap(({ path }) => ancestors(target, path)));
  for (const folder of folders) await syncFolder(folder);
  const unfinished = join(target, `${MANIFEST}.tmp`);
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(encodeManifest(content));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, join(target, MANIFEST));
  await syncFolder(target);
  await syncFolder(dirname(target));
}

function ancestors(target: string, path: string): readonly string[] {
  const folder = dirname(path);
  return folder === '.' ? [target] : [join(target, folder), ...ancestors(target, folder)];
}

async function main(closing: Closing, say: (line: string) => void): Promise<string> {
  const [target, ...more] = process.argv.slice(2);
  if (target === undefined || more.length > 0) throw new StartError('usage: npm run backup -- TARGET');
  const content = await backUp({ config: readConfig(process.env), target: resolve(target), say, closing });
  const { history, gone } = content;
  const bytes = filesOf(content).reduce((sum, file) => sum + file.bytes, 0);
  for (const part of content.elsewhere) say(`not in the set: ${part}`);
  if (gone > 0) say(`${gone} files of people were removed while the set was made`);
  return `The set in ${resolve(target)} ends with command ${history.seq}, state ${history.stateHash}: ${filesOf(content).length} files, ${bytes} bytes. It holds keys: keep it as closed as the data folder.`;
}

if (import.meta.main) process.exit(await runCommand('the backup could not be made', main));
