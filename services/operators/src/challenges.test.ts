import { expect, test } from 'vitest';
import { CHALLENGE_MS, CreationChallenges, SignInChallenges } from './challenges.ts';

test('a sign-in challenge is open until it expires or is spent; one that was changed, or made by another program, is not', () => {
  let now = 1_795_000_000_000;
  const challenges = new SignInChallenges(() => now);
  const [one, other] = [challenges.make(), challenges.make()];
  expect(challenges.isOpen(one)).toBe(true);
  expect([challenges.spend(one), challenges.spend(one), challenges.isOpen(one)]).toEqual([true, false, false]);
  const changed = `${other.startsWith('A') ? 'B' : 'A'}${other.slice(1)}`;
  for (const wrong of ['', 'x', changed, `${other}=`, `${other} `, new SignInChallenges(() => now).make()])
    expect(challenges.isOpen(wrong)).toBe(false);
  now += CHALLENGE_MS - 1;
  expect(challenges.isOpen(other)).toBe(true);
  now += 1;
  expect([challenges.isOpen(other), challenges.spend(other)]).toEqual([false, false]);
});

test('a code has the newest five challenges to make a passkey with; another code has its own', () => {
  let now = 1_795_000_000_000;
  const challenges = new CreationChallenges(() => now);
  const newcomer = (codeHash: string) => ({ operatorId: 'o', name: codeHash, codeHash });
  const alices = challenges.make(newcomer('alice'));
  const [evicted, ...bobs] = Array.from({ length: 6 }, () => challenges.make(newcomer('bob')));
  expect(challenges.use(evicted ?? '')).toBeUndefined();
  for (const challenge of bobs) expect(challenges.use(challenge)).toMatchObject({ name: 'bob' });
  expect([challenges.isAwaited('bob'), challenges.isAwaited('alice')]).toEqual([false, true]);
  expect(challenges.use(alices)).toMatchObject({ name: 'alice' });
  expect(challenges.use(alices)).toBeUndefined();
  const late = challenges.make(newcomer('carol'));
  now += CHALLENGE_MS;
  expect(challenges.use(late)).toBeUndefined();
  expect(challenges.isAwaited('carol')).toBe(false);
});
