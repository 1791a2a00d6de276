/** The list of everything in a set of a backup. It is written last: a set without it was not finished. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { StartError } from '../start-error.ts';

export const MANIFEST = 'manifest.json';
export const FORMAT = 1;

/** Below the folder of the set, with `/`: never out of it. */
const Path = Type.String({ pattern: '^(data|sql)(/[^/\\0]+)+$' });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Name = Type.String({ minLength: 1 });

const StoredFile = Type.Object({ path: Path, bytes: Count, sha256: Sha256 });
const StoredTable = Type.Object({ name: Name, columns: Type.Array(Name), rows: Count, file: StoredFile });
const Partition = Type.Object({ name: Name, parent: Name, bound: Name });
const Sequence = Type.Object({ name: Name, value: Type.String({ pattern: '^-?[0-9]+$' }) });

const SqlPart = Type.Object({
  /** Those that have run, by name. */
  migrations: Type.Array(Name),
  tables: Type.Array(StoredTable),
  partitions: Type.Array(Partition),
  sequences: Type.Array(Sequence),
});

const Content = Type.Object({
  format: Type.Literal(FORMAT),
  /** Of the program that made the set. */
  version: Type.String(),
  /** Unix milliseconds. */
  takenAt: Count,
  history: Type.Object({
    /** The last command, and its time in Unix milliseconds. */
    seq: Count,
    at: Count,
    stateHash: Sha256,
    /** The layout of the state whose hash it is. */
    layout: Count,
  }),
  /** What lies elsewhere and is not in the set. */
  elsewhere: Type.Array(Type.String()),
  /** Files of people that were removed while the set was made. */
  gone: Count,
  files: Type.Array(StoredFile),
  sql: SqlPart,
});

const Manifest = Type.Object({ content: Content, sha256: Sha256 });

export type StoredFile = Static<typeof StoredFile>;
export type StoredTable = Static<typeof StoredTable>;
export type SqlPart = Static<typeof SqlPart>;
export type SetContent = Static<typeof Content>;

const sumOf = (content: SetContent): string => createHash('sha256').update(JSON.stringify(content)).digest('hex');

export const encodeManifest = (content: SetContent): string =>
  `${JSON.stringify({ content, sha256: sumOf(content) } satisfies Static<typeof Manifest>, undefined, 1)}\n`;

/** All files that belong to the set, but for the manifest itself. */
export const filesOf = ({ files, sql }: SetContent): readonly StoredFile[] => [...files, ...sql.tables.map(({ file }) => file)];

/** @throws StartError naming the file when there is none, or it is not what was written. */
export async function readManifest(set: string): Promise<SetContent> {
  const path = join(set, MANIFEST);
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') throw cause;
    throw new StartError(`There is no ${path}: this is no set of a backup, or one that was not finished.`, { cause });
  });
  const manifest = parsed(text);
  if (manifest === undefined || sumOf(manifest.content) !== manifest.sha256)
    throw new StartError(`${path} is not what the backup has written: it is torn, was changed, or is of another version of the program.`);
  return manifest.content;
}

function parsed(text: string): Static<typeof Manifest> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return Value.Check(Manifest, value) ? value : undefined;
  } catch {
    return undefined;
  }
}
