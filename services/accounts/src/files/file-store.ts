/** Where the bytes of files are: they are encrypted before they come here. */
import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { assert } from '@orrery/units';

export interface FileStore {
  /** On disk, or on the disk of the store, before it resolves. */
  put(fileId: string, bytes: Buffer): Promise<void>;
  /** Undefined when it is not there. */
  get(fileId: string): Promise<Buffer | undefined>;
  /** Also when it is not there. */
  remove(fileId: string): Promise<void>;
}

const FILE_ID = /^[0-9a-f]{32}$/;

/** Files of their own in a folder, made when there is none; only our own names become paths. */
export function diskFileStore(directory: string): FileStore {
  const pathOf = (fileId: string): string => {
    assert(FILE_ID.test(fileId), 'the name of a file is made by the exchange');
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
    get: (fileId) =>
      readFile(pathOf(fileId)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      }),
    remove: (fileId) => rm(pathOf(fileId), { force: true }),
  };
}
