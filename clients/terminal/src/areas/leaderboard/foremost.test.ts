import type { LeaderboardCampaign } from '@orrery/api';
import { expect, test } from 'vitest';
import { foremost } from './foremost.ts';

const campaign = (campaignId: string, state: LeaderboardCampaign['state'], startsAt: number): LeaderboardCampaign => ({
  campaignId,
  name: '{"en":"Autumn"}',
  startsAt,
  endsAt: startsAt + 7,
  paysAt: startsAt + 14,
  state,
  boards: ['VOLUME', 'PNL'],
  volumeCapPerDay: null,
  prizes: [],
});

test('[T12] the page opens on what runs, then what is in review, then what comes, then what is paid; the newest of each', () => {
  const paid = [campaign('spring', 'PAID', 1), campaign('summer', 'PAID', 2)];
  expect(foremost([])).toBeUndefined();
  expect(foremost(paid)?.campaignId).toBe('summer');
  expect(foremost([...paid, campaign('winter', 'UPCOMING', 9)])?.campaignId).toBe('winter');
  expect(foremost([...paid, campaign('winter', 'UPCOMING', 9), campaign('late', 'REVIEW', 3)])?.campaignId).toBe('late');
  expect(foremost([campaign('late', 'REVIEW', 3), campaign('autumn', 'RUNNING', 4), ...paid])?.campaignId).toBe('autumn');
});
