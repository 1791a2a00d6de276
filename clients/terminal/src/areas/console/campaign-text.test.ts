import { beforeAll, expect, test } from 'vitest';
import { activateLanguage, addTexts } from '../../kit/i18n/catalog.ts';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { campaignOf } from './campaign-text.ts';

beforeAll(() => {
  addTexts('en', en);
  activateLanguage('en');
});

const NOW = Date.parse('2026-12-01T00:00Z');
const good = {
  campaignId: 'launch-week',
  name: 'Launch',
  starts: '2026-12-02 00:00',
  ends: '2026-12-09 00:00',
  prizes: '1: 5000, 2-10: 500',
};

test('[A10] what is typed whole is a campaign', () => {
  expect(campaignOf(good, 'both', NOW)).toEqual({
    campaignId: 'launch-week',
    name: { en: 'Launch' },
    startsAt: Date.parse('2026-12-02T00:00Z'),
    endsAt: Date.parse('2026-12-09T00:00Z'),
    boards: ['VOLUME', 'PNL'],
    prizes: [
      { fromRank: 1, toRank: 1, points: 5_000 },
      { fromRank: 2, toRank: 10, points: 500 },
    ],
  });
});

test.each([
  [{ campaignId: 'Launch Week' }, 'campaignId', 'Only a-z'],
  [{ name: ' ' }, 'name', 'missing'],
  [{ starts: '2026-12-32 00:00' }, 'starts', 'This is no time'],
  [{ starts: '2026-12-01 00:00' }, 'starts', 'This is over'],
  [{ ends: 'tomorrow' }, 'ends', 'This is no time'],
  [{ ends: '2026-12-02 00:00' }, 'ends', 'after the start'],
  [{ ends: '' }, 'ends', 'missing'],
  [{ prizes: '1: 5000; 2: 3' }, 'prizes', '1: 5000; 2: 3'],
  [{ prizes: '1: 77778' }, 'prizes', '77777'],
] as const)('[A10] %j is refused at the field %s', (typed, field, words) => {
  const faults = campaignOf({ ...good, ...typed }, 'both', NOW);
  expect(Object.keys(faults)).toEqual([field]);
  expect(Reflect.get(faults, field)).toContain(words);
});
