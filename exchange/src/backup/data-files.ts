/**
 * The files of a data folder as they are at one instant. What may change or go away is opened at that instant; what never changes once it has its name is
 * read later, by name.
 */
import { closeSync, createReadStream, existsSync, fstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { newestSegment, nodeDisk, packedPath } from '@orrery/sequencer';
import { historyDirectory } from '../start-heart.ts';
import { StartError } from '../start-error.ts';
import type { StoredFile } from './manifest.ts';
import { store } from './stored-file.ts';

/** By path below the data folder: the database is read by SQL, the others say who is running. */
const LEFT_OUT = /^(postgres|history\/(lock|epochs|journal\/(spare|reserve)\.\d+))$|\.(tmp|new|unfinished)$/;
const CHAIN = /^chain\//;
/** Written under another name first, and never changed. */
const UNCHANGING = /^(history\/(?!snapshots\/)|files\/)/;
/** Of people, who may remove them at any time. */
const REMOVABLE = /^files\//;

interface Found {
  /** Below the data folder. */
  readonly path: string;
  readonly bytes: number;
}

export interface HeldFiles {
  /** Closes what is open. */
  release(): void;
  /** Into `data/` below the set. */
  storeInto(set: string): Promise<{ readonly files: readonly StoredFile[]; readonly gone: number }>;
}

/**
 * The order matters: the journal is read after everything that follows from it, and the chain after the journal, so that it holds whatever the journal knows of it.
 * @throws StartError when there is no journal
 */
export function holdFiles(directory: string): HeldFiles {
  const held = new Map<number, Found>();
  const hold = (found: Found): void => void held.set(openSync(join(directory, found.path), 'r'), found);
  const release = (): void => {
    for (const descriptor of held.keys()) closeSync(descriptor);
    held.clear();
  };
  try {
    const found = filesBelow(directory, '');
    for (const file of found) if (!CHAIN.test(file.path) && !UNCHANGING.test(file.path)) hold(file);
    const newest = newestSegment({ disk: nodeDisk, directory: historyDirectory(directory) });
    if (newest === undefined) throw new StartError(`There is no journal in ${directory}: name the data folder in ORRERY_DATA.`);
    const newestPath = newest.path.slice(directory.length + 1);
    for (const file of chainFiles(directory)) hold(file);
    const unchanging = found.filter(({ path }) => UNCHANGING.test(path) && path !== newestPath);
    return {
      release,
      async storeInto(set) {
        const files: StoredFile[] = [];
        for (const [descriptor, { path, bytes }] of held) files.push(await store(set, `data/${path}`, contentOf({ descriptor, bytes })));
        files.push(await store(set, `data/${newestPath}`, [newest.content]));
        const named = await storeNamed({ directory, set, unchanging });
        return { files: [...files, ...named.files], gone: named.gone };
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

interface Naming {
  readonly directory: string;
  readonly set: string;
  readonly unchanging: readonly Found[];
}

async function storeNamed({ directory, set, unchanging }: Naming): Promise<{ files: readonly StoredFile[]; gone: number }> {
  const files: StoredFile[] = [];
  let gone = 0;
  const listed = new Set(unchanging.map(({ path }) => path));
  for (const found of unchanging) {
    const { path, bytes, descriptor } = openOrPacked(directory, found);
    if (path !== found.path && listed.has(path)) {
      if (descriptor !== undefined) closeSync(descriptor);
      continue;
    }
    if (descriptor === undefined) {
      if (!REMOVABLE.test(path)) throw new StartError(`${join(directory, path)} was moved away while the set was made: run it again.`);
      gone += 1;
      continue;
    }
    try {
      files.push(await store(set, `data/${path}`, contentOf({ descriptor, bytes })));
    } finally {
      closeSync(descriptor);
    }
  }
  return { files, gone };
}

/** A segment of the journal may have been packed since it was found: then that is stored in place of it. */
function openOrPacked(directory: string, found: Found): Found & { readonly descriptor: number | undefined } {
  const descriptor = openUnlessGone(join(directory, found.path));
  if (descriptor !== undefined || !found.path.startsWith('history/journal/')) return { ...found, descriptor };
  const path = packedPath(found.path);
  const packed = openUnlessGone(join(directory, path));
  return packed === undefined ? { ...found, descriptor } : { path, bytes: fstatSync(packed).size, descriptor: packed };
}

function openUnlessGone(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The first `bytes` bytes: what was there at the instant. */
async function* contentOf({ descriptor, bytes }: { descriptor: number; bytes: number }): AsyncGenerator<Buffer> {
  if (bytes === 0) return;
  yield* createReadStream('', { fd: descriptor, autoClose: false, start: 0, end: bytes - 1 }) as AsyncIterable<Buffer>;
}

/** Its log moves to a new file at each snapshot: read again when it did meanwhile. */
function chainFiles(directory: string): readonly Found[] {
  const list = (): readonly Found[] => (existsSync(join(directory, 'chain')) ? filesBelow(directory, 'chain') : []);
  for (let before = list(); ;) {
    const after = list();
    if (before.map(({ path }) => path).join() === after.map(({ path }) => path).join()) return after;
    before = after;
  }
}

/** The last names first: a segment moves from `history/journal` to `history/archive`, and is found in one of them at least. */
function filesBelow(root: string, folder: string): readonly Found[] {
  const entries = readdirSync(join(root, folder), { withFileTypes: true }).sort((left, right) => (left.name < right.name ? 1 : -1));
  return entries.flatMap((entry): readonly Found[] => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (LEFT_OUT.test(path)) return [];
    if (entry.isDirectory()) return filesBelow(root, path);
    if (!entry.isFile()) return [];
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    return found === undefined ? [] : [{ path, bytes: found.size }];
  });
}
