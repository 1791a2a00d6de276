import type { AwardNews } from '@orrery/api';
import { expect, test } from 'vitest';
import { AwardQueue } from './award-queue.ts';
import type { Award } from './award-queue.ts';

const award = (awardId: string, address = '0xa11ce'): Award => {
  const news: AwardNews = { awardId, kind: 'TASK', points: 50, title: null, at: 0 };
  return { news, address };
};

function stage() {
  const shown: string[] = [];
  const closing: (() => void)[] = [];
  const queue = new AwardQueue(({ news }) => {
    shown.push(news.awardId);
    return new Promise((resolve) => closing.push(resolve));
  });
  const close = async (): Promise<void> => {
    closing.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, shown, close };
}

test('T6: awards are shown one after another, in the order they came', async () => {
  const { queue, shown, close } = stage();
  queue.take([award('a'), award('b')]);
  expect(shown).toEqual(['a']);
  queue.take([award('c')]);
  expect(shown).toEqual(['a']);
  await close();
  expect(shown).toEqual(['a', 'b']);
  await close();
  await close();
  expect(shown).toEqual(['a', 'b', 'c']);
});

test('T6: an award that is repeated is not shown again', async () => {
  const { queue, shown, close } = stage();
  queue.take([award('a')]);
  queue.take([award('a')]);
  await close();
  queue.take([award('a'), award('b')]);
  expect(shown).toEqual(['a', 'b']);
});

test('T6: what waits when another wallet comes is shown when its owner is back', async () => {
  const { queue, shown, close } = stage();
  queue.take([award('a'), award('b')]);
  queue.clear();
  await close();
  expect(shown).toEqual(['a']);
  queue.take([award('a'), award('b')]);
  expect(shown).toEqual(['a', 'b']);
});
