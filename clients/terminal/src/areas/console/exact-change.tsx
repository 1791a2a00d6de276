/** Exactly what will be done, field by field: nothing of it is left out. */
import type { ReactElement, ReactNode } from 'react';
import { UNKNOWN } from '../../kit/format/number-format.ts';
import { useText } from '../../kit/i18n/text.tsx';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Hash } from '../../kit/ui/hash.tsx';
import { prizeText, type Prizes } from './prize-text.ts';

const names: Readonly<Record<string, MessageId>> = {
  operatorId: 'console.change.operatorId',
  campaignId: 'console.change.campaignId',
  name: 'console.name',
  role: 'console.role',
  right: 'console.change.right',
  codeHash: 'console.change.codeHash',
  pointsPerDay: 'console.rewards.points',
  faucetClaimsPerDay: 'console.rewards.claims',
  address: 'console.address',
  points: 'console.rewards.howMany',
  reason: 'console.reason',
  reference: 'console.change.reference',
  key: 'console.rewards.key',
  taskCode: 'console.tasks.code',
  active: 'console.tasks.active',
  reward: 'console.tasks.reward',
  startsAt: 'console.starts',
  endsAt: 'console.ends',
  boards: 'console.campaigns.boards',
  prizes: 'console.campaigns.prizes',
  id: 'console.change.id',
  appealId: 'console.change.appealId',
  decision: 'console.change.decision',
  answer: 'console.appeals.answer',
  period: 'console.lucky.period',
  blocks: 'console.lucky.blocks',
  account: 'console.erasure.account',
  depositKey: 'console.change.depositKey',
  coin: 'console.change.coin',
  amount: 'console.change.amount',
  suspended: 'console.change.suspended',
  fundId: 'console.funds.fund',
  capacity: 'console.change.capacity',
  pausedAt: 'console.change.pausedAt',
  reasonCode: 'console.reason',
  abandon: 'console.change.abandon',
};

const isHash = (value: unknown): value is string => typeof value === 'string' && /^(0x)?[0-9a-f]{40,}$/i.test(value);

const order = Object.keys(names);

export function ExactChange({ change, hash }: { readonly change: string; readonly hash: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const shown = (field: string, value: unknown): ReactNode => {
    if (value === null) return UNKNOWN;
    if (isHash(value)) return <Hash value={value} />;
    if (typeof value === 'number' && field.endsWith('At')) return format.time(value);
    if (typeof value === 'boolean') return text(value ? 'console.change.yes' : 'console.change.no');
    if (field === 'prizes') return prizeText(value as Prizes) || UNKNOWN;
    if (Array.isArray(value)) return value.join(', ');
    return typeof value === 'string' || typeof value === 'number' ? value : Object.values(value as object).join(', ');
  };
  const fields = Object.entries(JSON.parse(change) as Record<string, unknown>).sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return (
    <dl className="grid w-[46ch] max-w-full grid-cols-[max-content_minmax(0,1fr)] items-baseline gap-x-3 gap-y-0.5 py-1.5 whitespace-normal">
      {fields.map(([field, value]) => (
        <div key={field} className="contents">
          <dt className="text-fg3">{names[field] === undefined ? field : text(names[field])}</dt>
          <dd className="min-w-0 break-words">{shown(field, value)}</dd>
        </div>
      ))}
      <dt className="text-fg3">{text('console.hash')}</dt>
      <dd>
        <Hash value={hash} />
      </dd>
    </dl>
  );
}
