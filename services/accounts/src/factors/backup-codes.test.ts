/** A hash takes a fifth of a second, and a transaction holds one of ten connections: no hash is made within one. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { accountId } from '@orrery/units';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../../../exchange/src/database.ts';
import { temporaryDatabase } from '../../../../exchange/src/testing/temporary-database.ts';
import { migrations } from '../migrations.ts';
import type { AccountsTables } from '../tables.ts';
import { BackupCodes } from './backup-codes.ts';
import type { Totp } from './totp.ts';

/** Of a call: several are under way at once, and the transaction of one does not matter to the hash of another. */
const transaction = new AsyncLocalStorage<'open'>();
/** Whether the transaction of its call was open, of each hash. */
const hashes: ('open' | 'none')[] = [];

vi.mock(import('../slow-hash.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    slowHash: (text, salt) => {
      hashes.push(transaction.getStore() ?? 'none');
      return real.slowHash(text, salt);
    },
  };
});

let db: Database<AccountsTables>;
let codes: BackupCodes;
beforeAll(async () => {
  db = await temporaryDatabase<AccountsTables>(migrations);
  const totp: Pick<Totp, 'checkTries' | 'countedTry'> = {
    checkTries: () => Promise.resolve(),
    countedTry: (_account, tries) =>
      db.sql.transaction().execute((tx) =>
        transaction.run('open', async () => {
          if (!(await tries(tx))) throw new Error('wrong');
        }),
      ),
  };
  codes = new BackupCodes({ db: db.sql, totp: totp as Totp });
});
afterAll(() => db.close());
beforeEach(() => hashes.splice(0));

test('codes are made and used without a hash in a transaction, and of many that use one at once one gets through', async () => {
  const account = accountId(1);
  const [code = '', other = ''] = await codes.renew(account);
  const answers = await Promise.all(
    Array.from({ length: 6 }, () =>
      codes.use(account, code).then(
        () => 'taken',
        () => 'wrong',
      ),
    ),
  );
  expect(answers.filter((answer) => answer === 'taken')).toHaveLength(1);
  await codes.use(account, other);
  await expect(codes.use(account, other)).rejects.toThrow('wrong');
  expect(hashes.length).toBeGreaterThanOrEqual(18);
  expect(new Set(hashes)).toEqual(new Set(['none']));
});

test('a code of before is wrong when they were renewed while its hash was made', async () => {
  const account = accountId(2);
  const [code = ''] = await codes.renew(account);
  const used = codes.use(account, code).catch(() => 'wrong');
  await codes.renew(account);
  expect(['wrong', undefined]).toContain(await used);
  await expect(codes.use(account, code)).rejects.toThrow('wrong');
});
