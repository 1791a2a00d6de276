import type { AwardNews } from '@orrery/api';
import { expect, test } from 'vitest';
import { AwardQueue } from './award-queue.ts';
import type { Award } from './award-queue.ts';

const award = (
  awardId: string,
  { address = '0xa11ce', kind = 'LUCKY_BLOCK' }: { address?: string; kind?: AwardNews['kind'] } = {},
): Award => {
  const news: AwardNews = { awardId, kind, points: 50, title: null, at: 0 };
  return { news, address };
};
const reward = (awardId: string, address?: string): Award => award(awardId, { kind: 'TASK', ...(address !== undefined && { address }) });

function stage() {
  const shown: string[] = [];
  const closing: (() => void)[] = [];
  const queue = new AwardQueue((awards) => {
    shown.push(awards.map(({ news }) => news.awardId).join('+'));
    return new Promise((resolve) => closing.push(resolve));
  });
  const close = async (): Promise<void> => {
    closing.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { queue, shown, close };
}

test('[T6] awards are shown one after another, in the order they came', async () => {
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

test('[T6] an award that is repeated is not shown again', async () => {
  const { queue, shown, close } = stage();
  queue.take([award('a')]);
  queue.take([award('a')]);
  await close();
  queue.take([award('a'), award('b')]);
  expect(shown).toEqual(['a', 'b']);
});

test('[T6] what waits when another wallet comes is shown when its owner is back', async () => {
  const { queue, shown, close } = stage();
  queue.take([award('a'), award('b')]);
  queue.clear();
  await close();
  expect(shown).toEqual(['a']);
  queue.take([award('a'), award('b')]);
  expect(shown).toEqual(['a', 'b']);
});

test('[T6] rewards of tasks that wait together are shown together, other awards and other people by themselves', async () => {
  const { queue, shown, close } = stage();
  queue.take([reward('a'), award('lucky'), reward('b'), reward('c', '0xb0b')]);
  expect(shown).toEqual(['a+b']);
  await close();
  await close();
  expect(shown).toEqual(['a+b', 'lucky', 'c']);
});

test('[T6] while several rewards are claimed nothing is shown, and afterwards all of them at once', async () => {
  const { queue, shown, close } = stage();
  const release = queue.hold();
  queue.take([reward('a')]);
  queue.take([reward('b')]);
  expect(shown).toEqual([]);
  release();
  release();
  expect(shown).toEqual(['a+b']);
  await close();
  queue.take([award('lucky')]);
  expect(shown).toEqual(['a+b', 'lucky']);
});
