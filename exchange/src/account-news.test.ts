import type { AwardNews, Notice } from '@orrery/api';
import type { MessageNews } from '@orrery/gateway';
import type { OtcAnnouncement } from '@orrery/otc';
import { accountId } from '@orrery/units';
import { expect, test } from 'vitest';
import { accountNews } from './account-news.ts';

type Heard = Parameters<Parameters<ReturnType<typeof accountNews>['onNews']>[0]>[0];

test('an award is a site message to its account, a notice one to everybody, and a step of an OTC order one with news of it', () => {
  let award: (change: { account: ReturnType<typeof accountId>; news: AwardNews }) => void = () => undefined;
  let notice: (notice: Notice) => void = () => undefined;
  let otc: (announcement: OtcAnnouncement) => void = () => undefined;
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
    {
      onNews(listener) {
        otc = listener;
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
  const stepped = { kind: 'ORDER', orderId: '12', advertisingId: null, status: 'PAID', at: 11 } as const;
  otc({ account, news: stepped, notice: { title: 'OTC order 12', text: 'The money is sent.' } });
  otc({ account, news: { ...stepped, kind: 'MESSAGE', status: null }, notice: null });
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
    { account, resType: 'uOtc', data: stepped },
    {
      account,
      resType: 'znxMessage',
      data: { id: 'otc:12:PAID', title: 'OTC order 12', content: 'The money is sent.', aggType: 'OTC', detailType: 'OTC', createdTime: 11 },
    },
    { account, resType: 'uOtc', data: { ...stepped, kind: 'MESSAGE', status: null } },
  ] satisfies (Heard | MessageNews)[]);
  stop();
  expect(ended).toBe(4);
});
