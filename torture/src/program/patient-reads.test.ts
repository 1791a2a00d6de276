import { CallError, ConnectionError } from '@orrery/sdk';
import { expect, test } from 'vitest';
import { allPages, becomes, lasting, patiently } from './patient-reads.ts';

const lost = (): never => {
  throw new ConnectionError('lost', { timedOut: false });
};
const refused = (status: number) => (): never => {
  throw new CallError({ code: 1, msg: 'refused', status, retryAfterMs: 1 });
};

/** Fails in these ways, and then answers. */
function after<Answer>(failures: readonly (() => never)[], answer: Answer): () => Promise<Answer> {
  const left = [...failures];
  return async () => left.shift()?.() ?? answer;
}

test('a read is made again where there was no answer, or a refusal for now', async () => {
  expect(await patiently(after([lost, refused(503), refused(429)], 7))).toBe(7);
});

test('a refusal of the read itself is thrown at once, and the last failure after the deadline', async () => {
  await expect(patiently(after([refused(401)], 7))).rejects.toMatchObject({ status: 401 });
  await expect(patiently(lost as () => Promise<never>, { withinMs: 1 })).rejects.toThrow('lost');
});

test('a comparison that can not be made for now is made again', async () => {
  await becomes('the trades', after([lost, refused(502)], true));
});

test('what is wrong for a while is no fault, and what stays wrong is one', async () => {
  const looks = [['behind'], []];
  expect(await lasting(async () => looks.shift() ?? [])).toEqual([]);
  expect(await lasting(async () => ['lost'], { withinMs: 1 })).toEqual(['lost']);
});

test('all pages are read', async () => {
  const pages = [[1, 2], [3]];
  expect(await allPages(async (page) => ({ items: pages[page - 1] ?? [], total: 3 }))).toEqual([1, 2, 3]);
});
