/** For tests: takes the keys of a folder over and is killed after the step that is named, as by kill -9. */
import { join } from 'node:path';
import { openDatabase } from '../../../../exchange/src/database.ts';
import { readMasterKey } from '../keys/master-key.ts';
import { WrappingKeys } from '../keys/wrapping-keys.ts';
import { takeOverKeys } from '../keys-of-before.ts';
import type { AccountsTables } from '../tables.ts';

const [, , address = '', folder = '', step = ''] = process.argv;
const { sql: db } = await openDatabase<AccountsTables>(JSON.parse(address) as { host: string; user: string; database: string }, {
  connections: 2,
});
const master = await readMasterKey(join(folder, 'api-keys.key'));
if (master === undefined) throw new Error('there is no master key');
await takeOverKeys({
  db,
  wrapping: await WrappingKeys.open({ db, master }),
  path: join(folder, 'person-keys'),
  onStep: (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL');
  },
});
process.exit(0);
