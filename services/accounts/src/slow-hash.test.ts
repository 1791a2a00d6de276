import { expect, test } from 'vitest';
import { ARGON2, HASHES_AT_ONCE, HASHES_WAITING_MAX, newSalt, slowHash } from './slow-hash.ts';
import { refusalOf } from './testing/town.ts';

test('the numbers of the limits: 19 MiB, twice, in one lane', () => {
  expect(ARGON2).toMatchObject({ memory: 19 * 1_024, passes: 2, parallelism: 1 });
});

test('a text and a salt make one hash; with another salt another', async () => {
  const [salt, other] = [newSalt(), newSalt()];
  expect(await slowHash('correct horse', salt)).toEqual(await slowHash('correct horse', salt));
  expect(await slowHash('correct horse', other)).not.toEqual(await slowHash('correct horse', salt));
});

test('beyond the bound of those that wait, one more is refused at once, and afterwards all is as before', async () => {
  const salt = newSalt();
  const most = HASHES_AT_ONCE + HASHES_WAITING_MAX;
  const answers = await Promise.all(Array.from({ length: most + 3 }, () => refusalOf(slowHash('x', salt))));
  expect(answers.filter((refusal) => refusal === 'Overloaded')).toHaveLength(3);
  expect(await refusalOf(slowHash('x', salt))).toBe(undefined);
}, 60_000);
