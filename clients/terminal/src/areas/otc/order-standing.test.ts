/** What each side of an order may do in each of its states, and the sentence that says what comes next. */
import { expect, test } from 'vitest';
import { en } from '../../kit/i18n/messages/en/index.ts';
import { isOpen, nextOf, standingsOf } from './order-standing.ts';
import type { OrderStandings } from './order-standing.ts';

const NOW = 1_000_000;
const none = { canDisputeAt: null, canAppeal: false, decision: null };
const decision = { outcome: 'RELEASED', reason: 'paid', at: NOW, executesAt: NOW + 1, appealedBy: null } as const;

/** Names of what can be done now, and of what waits. */
function namesOf(standings: OrderStandings): string {
  const entries = Object.entries(standings) as readonly [string, OrderStandings['paid']][];
  return entries.flatMap(([name, standing]) => (standing === 'never' ? [] : standing === 'now' ? [name] : [`(${name})`])).join(' ');
}

test.each([
  // status, side, what is known beside it, what can be done (what waits)
  ['CREATED', 'BUY', {}, 'paid cancel (dispute)'],
  ['CREATED', 'SELL', {}, '(release) (dispute)'],
  ['PAID', 'BUY', { canDisputeAt: NOW + 1 }, 'cancel (dispute)'],
  ['PAID', 'BUY', { canDisputeAt: NOW }, 'cancel dispute'],
  ['PAID', 'SELL', { canDisputeAt: NOW + 1 }, 'release (dispute)'],
  ['DISPUTED', 'BUY', {}, 'evidence'],
  ['DISPUTED', 'SELL', {}, 'evidence'],
  ['DISPUTED', 'SELL', { decision, canAppeal: true }, 'appeal'],
  ['DISPUTED', 'BUY', { decision }, ''],
  ['DISPUTED', 'BUY', { decision: { ...decision, appealedBy: 'SELLER' } }, 'evidence'],
  ['RELEASED', 'BUY', {}, ''],
  ['RETURNED', 'SELL', {}, ''],
  ['CANCELLED', 'BUY', {}, ''],
  ['EXPIRED', 'SELL', {}, ''],
] as const)('[A11] of a %s order the side that wants to %s, with %j, can: %s', (status, side, known, names) => {
  expect(namesOf(standingsOf({ ...none, status, side, ...known }, NOW))).toBe(names);
});

test('[A11] a dispute that waits says until when', () => {
  const { dispute } = standingsOf({ ...none, status: 'PAID', side: 'SELL', canDisputeAt: NOW + 60_000 }, NOW);
  expect(dispute).toEqual({ reason: 'otc.act.disputeIn', at: NOW + 60_000 });
});

test.each(['CREATED', 'PAID', 'DISPUTED', 'RELEASED', 'RETURNED', 'CANCELLED', 'EXPIRED'] as const)(
  'each side of a %s order has a sentence',
  (status) => {
    for (const side of ['BUY', 'SELL'] as const) expect(en).toHaveProperty([nextOf({ status, side, decision: null }).message]);
  },
);

test('a decision says when it is carried out, an appeal that there will be another', () => {
  expect(nextOf({ status: 'DISPUTED', side: 'BUY', decision })).toEqual({ message: 'otc.next.DECIDED.RELEASED', at: NOW + 1 });
  expect(nextOf({ status: 'DISPUTED', side: 'BUY', decision: { ...decision, appealedBy: 'SELLER' } })).toEqual({
    message: 'otc.next.APPEALED',
  });
});

test('an order that goes on is open', () => {
  expect((['CREATED', 'PAID', 'DISPUTED', 'RELEASED', 'EXPIRED'] as const).filter((status) => isOpen({ status }))).toEqual([
    'CREATED',
    'PAID',
    'DISPUTED',
  ]);
});
