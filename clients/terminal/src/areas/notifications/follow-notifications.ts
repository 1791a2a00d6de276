/** What the account's stream says about money and rewards becomes notifications, on every page; a fill is heard where it is wanted. */
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { useAccountNews } from '../../platform/data/streams/use-account-stream.ts';
import { say } from '../../kit/i18n/text.tsx';
import { heard } from '../../kit/settings/heard.ts';
import { notify } from './notify.ts';

/** Of a faucet claim. */
const PAID = 2;

function hear(news: AccountNews): void {
  switch (news.kind) {
    case 'trade':
      return heard('fill');
    case 'claim':
      // One claim a day at most: the day is its name.
      if (news.status === PAID)
        notify({ id: `claim ${new Date().toISOString().slice(0, 10)}`, category: 'money', title: say('notices.claimPaid'), detail: '' });
      return;
    case 'award': {
      const { awardId } = news.award;
      notify({ id: `award ${awardId}`, category: 'rewards', title: say('notices.awarded'), detail: '' });
      return;
    }
    case 'practice': {
      const { id, title, content } = news.message;
      notify({ id, category: 'orders', title, detail: content });
      return;
    }
    case 'order':
    case 'ready':
  }
}

/** Mounted once. */
export function useFollowedNotifications(): void {
  useAccountNews(hear);
}
