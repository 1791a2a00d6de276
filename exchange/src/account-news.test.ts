import type { AwardNews, Notice } from '@orrery/api';
import type { MessageNews } from '@orrery/gateway';
import { accountId } from '@orrery/units';
import { expect, test } from 'vitest';
import { accountNews } from './account-news.ts';

type Heard = Parameters<Parameters<ReturnType<typeof accountNews>['onNews']>[0]>[0];

test('an award is a site message to its account, and a notice one to everybody', () => {
  let award: (change: { account: ReturnType<typeof accountId>; news: AwardNews }) => void = () => undefined;
  let notice: (notice: Notice) => void = () => undefined;
  let ended = 0;
  const end = (): boolean => (ended += 1) > 0;
  const news = accountNews(
    {
      onClaim: () => end,
      onAward(listener) {
        award = listener;
        return end;
      },
    },
    {
      onNotice(listener) {
        notice = listener;
        return end;
      },
    },
  );
  const heard: Heard[] = [];
  const stop = news.onNews((each) => heard.push(each));
  const account = accountId(7);
  const given = { awardId: 'task:7:FIRST_DEPOSIT', kind: 'TASK', points: 500, title: '{"en":"First deposit"}', at: 5 } as const;
  award({ account, news: given });
  notice({ noticeId: 3, kind: 'NOTICE', title: 'Tonight', text: 'Closed for an hour.', link: null, startsAt: 9, endsAt: null });
  expect(heard).toEqual([
    { account, resType: 'uAward', data: given },
    {
      account,
      resType: 'znxMessage',
      data: { id: given.awardId, title: 'First deposit', content: '500 points', aggType: 'REWARD', detailType: 'TASK', createdTime: 5 },
    },
    {
      account: 'everybody',
      resType: 'znxMessage',
      data: { id: 'notice:3', title: 'Tonight', content: 'Closed for an hour.', aggType: 'NOTICE', detailType: 'NOTICE', createdTime: 9 },
    },
  ] satisfies (Heard | MessageNews)[]);
  stop();
  expect(ended).toBe(3);
});
