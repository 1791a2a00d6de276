/** Where the record of a deployment is kept, so that a restart finds the contracts, and an interrupted deployment goes on. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { DeploymentRecord } from './deployment.ts';

export interface DeploymentStore {
  /** In messages. */
  readonly name: string;
  /** Undefined where nothing was begun. */
  read(): Promise<DeploymentRecord | undefined>;
  /** Resolves once the record survives a crash. */
  write(record: DeploymentRecord): Promise<void>;
}

const OWNER_ONLY = 0o600;

export const deploymentFile = (path: string): DeploymentStore => ({
  name: path,
  read: () => Promise.resolve(existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as DeploymentRecord) : undefined),
  write(record) {
    const temporary = `${path}.new`;
    const handle = openSync(temporary, 'w', OWNER_ONLY);
    writeSync(handle, `${JSON.stringify(record, undefined, 2)}\n`);
    fsyncSync(handle);
    closeSync(handle);
    renameSync(temporary, path);
    return Promise.resolve();
  },
});
