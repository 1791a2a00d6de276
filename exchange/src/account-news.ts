/** What happens to an account outside its trading, as messages of its private streams. */
import type { AwardNews, Notice } from '@orrery/api';
import type { Campaign } from '@orrery/campaign';
import type { MessageNews, NewsSource } from '@orrery/gateway';
import type { Operators } from '@orrery/operators';
import type { Otc, OtcAnnouncement } from '@orrery/otc';
import type { AccountId } from '@orrery/units';

export const accountNews = (
  campaign: Pick<Campaign, 'onClaim' | 'onAward'>,
  operators: Pick<Operators, 'onNotice'>,
  otc: Pick<Otc, 'onNews'>,
): NewsSource => ({
  onNews(listener) {
    const endings = [
      campaign.onClaim(({ account, status }) => listener({ account, resType: 'uClaim', data: { status } })),
      campaign.onAward(({ account, news }) => {
        listener({ account, resType: 'uAward', data: news });
        listener(awardMessage(account, news));
      }),
      operators.onNotice((notice) => listener(noticeMessage(notice))),
      otc.onNews((announcement) => {
        const { account, news } = announcement;
        listener({ account, resType: 'uOtc', data: news });
        if (announcement.notice !== null) listener(otcMessage(announcement, announcement.notice));
      }),
    ];
    return () => {
      for (const end of endings) end();
    };
  },
});

const awardMessage = (account: AccountId, { awardId, kind, points, title, at }: AwardNews): MessageNews => ({
  account,
  resType: 'znxMessage',
  data: { id: awardId, title: englishOf(title), content: `${points} points`, aggType: 'REWARD', detailType: kind, createdTime: at },
});

/** One line of what happened for each step of an order. */
const otcMessage = ({ account, news }: OtcAnnouncement, { title, text }: { title: string; text: string }): MessageNews => ({
  account,
  resType: 'znxMessage',
  data: {
    id: `otc:${news.orderId ?? ''}:${news.status ?? `${news.kind} ${news.at}`}`,
    title,
    content: text,
    aggType: 'OTC',
    detailType: 'OTC',
    createdTime: news.at,
  },
});

const noticeMessage = ({ noticeId, title, text, startsAt }: Notice): MessageNews => ({
  account: 'everybody',
  resType: 'znxMessage',
  data: { id: `notice:${noticeId}`, title, content: text, aggType: 'NOTICE', detailType: 'NOTICE', createdTime: startsAt },
});

/** The stream has no language; names are kept in several. */
function englishOf(localised: string | null): string {
  const names: unknown = localised === null ? {} : JSON.parse(localised);
  const english: unknown = typeof names === 'object' && names !== null && 'en' in names ? names.en : '';
  return typeof english === 'string' ? english : '';
}
