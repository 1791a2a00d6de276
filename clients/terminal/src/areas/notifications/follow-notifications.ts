/** What the account's stream says about money and rewards becomes notifications, on every page; a fill is heard where it is wanted. */
import type { AwardNews, SiteMessage, UserClaim } from '@orrery/api';
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { useAccountNews, useAccountTopic } from '../../platform/data/streams/use-account-stream.ts';
import { say } from '../../kit/i18n/text.tsx';
import { heard } from '../../kit/settings/heard.ts';
import { notify } from './notify.ts';

/** Of a faucet claim. */
const PAID = 2;

function claimed({ status }: UserClaim): void {
  // One claim a day at most: the day is its name.
  if (status === PAID)
    notify({ id: `claim ${new Date().toISOString().slice(0, 10)}`, category: 'money', title: say('notices.claimPaid'), detail: '' });
}

const awarded = ({ awardId }: AwardNews): void =>
  notify({ id: `award ${awardId}`, category: 'rewards', title: say('notices.awarded'), detail: '' });

/** A step of an OTC order is called `otc:<order>:<status>`. */
function linkOf(id: string): { readonly link?: string } {
  const [, orderId] = /^otc:(\d+):/.exec(id) ?? [];
  return orderId === undefined ? {} : { link: `/otc/order/${orderId}` };
}

function messaged({ id, title, content, detailType }: SiteMessage): void {
  // What operators say is read as notices, and an award has news of its own.
  if (detailType === 'PRACTICE' || detailType === 'ORDER') notify({ id, category: 'orders', title, detail: content });
  if (detailType === 'OTC') notify({ id, category: 'orders', title, detail: content, ...linkOf(id) });
}

function hear({ kind }: AccountNews): void {
  if (kind === 'trade') heard('fill');
}

/** Mounted once. */
export function useFollowedNotifications(): void {
  useAccountNews(hear);
  useAccountTopic('uClaim', claimed);
  useAccountTopic('uAward', awarded);
  useAccountTopic('znxMessage', messaged);
}
