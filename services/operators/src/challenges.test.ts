import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../../exchange/src/database.ts';
import { temporaryDatabase, type TemporaryDatabase } from '../../../exchange/src/testing/temporary-database.ts';
import { CHALLENGE_MS, CreationChallenges, SignInChallenges } from './challenges.ts';
import { migrations, type OperatorsTables } from './tables.ts';

let database: TemporaryDatabase<OperatorsTables>;
let now = 1_795_000_000_000;
const parts = (key = 7) => ({ db: database.sql, key: Buffer.alloc(32, key), now: () => now });
const signIns = (key?: number) => new SignInChallenges(parts(key));
const creations = () => new CreationChallenges(parts());

beforeAll(async () => {
  database = await temporaryDatabase<OperatorsTables>(migrations);
});
afterAll(() => database.close());

test('a sign-in challenge is good until it expires, in every process with the key; one that was changed, or made by another key, is not', async () => {
  const other = signIns().make();
  const changed = `${other.startsWith('A') ? 'B' : 'A'}${other.slice(1)}`;
  for (const wrong of ['', 'x', changed, `${other}=`, `${other} `, signIns(8).make()])
    expect([signIns().isGood(wrong), await signIns().spend(wrong)]).toEqual([false, false]);
  now += CHALLENGE_MS - 1;
  expect(signIns().isGood(other)).toBe(true);
  now += 1;
  expect([signIns().isGood(other), await signIns().spend(other)]).toEqual([false, false]);
});

test('a sign-in challenge is spent once, whichever processes try at once, and also after a restart', async () => {
  const challenge = signIns().make();
  const spent = await Promise.all([signIns(), signIns(), signIns(), signIns()].map((each) => each.spend(challenge)));
  expect(spent.filter((each) => each)).toEqual([true]);
  expect(await signIns().spend(challenge)).toBe(false);
  now += CHALLENGE_MS - 1;
  expect(await signIns().spend(signIns().make())).toBe(true);
  expect(await signIns().spend(challenge)).toBe(false);
});

test('spent challenges are deleted when no process takes them for good any more', async () => {
  await signIns().spend(signIns().make());
  now += 2 * CHALLENGE_MS;
  await signIns().spend(signIns().make());
  expect(await database.sql.selectFrom('operators_spent_challenge').selectAll().execute()).toHaveLength(1);
});

test('a code has the newest five challenges to make a passkey with; another code has its own', async () => {
  const newcomer = (codeHash: string) => ({ operatorId: 'o', name: codeHash, codeHash });
  const alices = await creations().make(newcomer('alice'));
  const bobs: string[] = [];
  for (let made = 0; made < 6; made += 1) bobs.push(await creations().make(newcomer('bob')));
  expect(await creations().use(bobs.shift() ?? '')).toBeUndefined();
  for (const challenge of bobs) expect(await creations().use(challenge)).toEqual(newcomer('bob'));
  expect([await creations().isAwaited('bob'), await creations().isAwaited('alice')]).toEqual([false, true]);
  const uses = await Promise.all([1, 2, 3].map(() => creations().use(alices)));
  expect(uses.filter((used) => used !== undefined)).toEqual([newcomer('alice')]);
  const late = await creations().make(newcomer('carol'));
  expect(JSON.stringify(await database.sql.selectFrom('operators_creation').selectAll().execute())).not.toContain(late);
  now += CHALLENGE_MS;
  expect(await creations().use(late)).toBeUndefined();
  expect(await creations().isAwaited('carol')).toBe(false);
  await creations().make(newcomer('dave'));
  now += CHALLENGE_MS;
  await creations().make(newcomer('erin'));
  expect([await creations().isAwaited('dave'), await creations().isAwaited('erin')]).toEqual([false, true]);
});

test('while the database is away no challenge is spent or used, and all are good after it', async () => {
  const [signIn, creation] = [signIns().make(), await creations().make({ operatorId: 'o', name: 'frank', codeHash: 'frank' })];
  const gone = await openDatabase<OperatorsTables>(database.address, { connections: 1 });
  await sql`select 1`.execute(gone.sql);
  await gone.close();
  const away = { ...parts(), db: gone.sql };
  await expect(new SignInChallenges(away).spend(signIn)).rejects.toThrow();
  await expect(new CreationChallenges(away).use(creation)).rejects.toThrow();
  expect(await signIns().spend(signIn)).toBe(true);
  expect(await creations().use(creation)).toMatchObject({ name: 'frank' });
});
