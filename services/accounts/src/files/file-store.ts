/** Where the bytes of files are: they are encrypted before they come here. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '@orrery/units';

/** `writtenAt`: unix milliseconds. */
export interface KeptFile {
  readonly fileId: string;
  readonly writtenAt: number;
}

export interface FileStore {
  /** On disk, or on the disk of the store, before it resolves. */
  put(fileId: string, bytes: Buffer): Promise<void>;
  /** Undefined when it is not there. */
  get(fileId: string): Promise<Buffer | undefined>;
  /** Also when it is not there. */
  remove(fileId: string): Promise<void>;
  /** All that is there and has a name of ours, drafts that a kill left behind too. */
  list(): Promise<KeptFile[]>;
}

/** With the ending of a draft, or without. */
export const FILE_NAME = /^[0-9a-f]{32}(\.[0-9a-f]{8})?$/;

/** Files of their own in a folder, made when there is none; only our own names become paths. */
export function diskFileStore(directory: string): FileStore {
  const pathOf = (fileId: string): string => {
    assert(FILE_NAME.test(fileId), 'the name of a file is made by the exchange');
    return join(directory, fileId);
  };
  return {
    async put(fileId, bytes) {
      const path = pathOf(fileId);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const draft = `${path}.${randomBytes(4).toString('hex')}`;
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
      const folder = await open(directory);
      try {
        await folder.sync();
      } finally {
        await folder.close();
      }
    },
    get: (fileId) => readFile(pathOf(fileId)).catch(nothingWhenGone),
    remove: (fileId) => rm(pathOf(fileId), { force: true }),
    async list() {
      const names = await readdir(directory).catch(nothingWhenGone);
      const kept: KeptFile[] = [];
      for (const fileId of names?.filter((name) => FILE_NAME.test(name)) ?? []) {
        const found = await stat(pathOf(fileId)).catch(nothingWhenGone);
        if (found !== undefined) kept.push({ fileId, writtenAt: found.mtimeMs });
      }
      return kept;
    },
  };
}

function nothingWhenGone(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT') return undefined;
  throw error;
}
