// @vitest-environment happy-dom
/** What one has of a fund: figures that can be hidden, and requests as they ended. */
import type { FundDetail, FundEntry, FundShare } from '@orrery/api';
import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { useSettings } from '../../kit/settings/settings.ts';
import '../../testing/silent-feed.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { useSession } from '../../platform/session/session.ts';
import { OwnHistory, OwnShare } from './own-share.tsx';

const fund = { fundId: 'QUANTO1', coin: 'USDC', status: 'OPEN' } as FundDetail;
const share = {
  fundId: 'QUANTO1',
  shares: '400',
  frozen: '0',
  value: '412.345678',
  cost: '400',
  profit: '12.345678',
  realised: '7.7',
  fee: '1.23',
  lockedUntil: 0,
  waiting: '0',
} as FundShare;

beforeEach(async () => {
  exchange.answer('fundMine', () => [share]);
  await comeIntoView(newPerson());
});

afterEach(() => useSettings.setState({ hideAmounts: false }));

const section = (): string => screen.getByRole('heading', { name: 'My share' }).closest('section')?.textContent ?? '';

test('[A12] hidden amounts hide what was gained too', async () => {
  await show(<OwnShare fund={fund} />);
  await screen.findByText('+12.34');
  useSettings.setState({ hideAmounts: true });
  await screen.findAllByText('•••••• USDC');
  expect(section()).not.toMatch(/[0-9]/);
});

test('[A12] a request that was returned says why', async () => {
  const entry = { kind: 'SUBSCRIPTION', amount: '50', shares: null, fee: '0', nav: null, createdTime: 1_795_000_000_000 };
  const list = [
    { ...entry, entryId: '2-0', status: 'RETURNED', reason: 'capacity' },
    { ...entry, entryId: '1-0', status: 'WAITING', reason: null },
  ] as FundEntry[];
  exchange.answer('fundHistory', () => ({ list, total: 2, next: null }));
  await show(<OwnHistory fund={fund} />);
  await screen.findByText('Returned: the fund is full');
  await screen.findByText('Waits');
});

test('[A12] what a fund that closes pays before its end is a part, for which no share is taken', async () => {
  const entry = { kind: 'PAYOUT', status: 'DONE', reason: null, fee: '0', nav: null, createdTime: 1_795_000_000_000 };
  const list = [
    { ...entry, entryId: '2-0', amount: '50', shares: '100' },
    { ...entry, entryId: '1-0', amount: '950', shares: '0' },
  ] as FundEntry[];
  exchange.answer('fundHistory', () => ({ list, total: 2, next: null }));
  await show(<OwnHistory fund={fund} />);
  await screen.findByText('Payout');
  const rows = screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
  expect(rows[0]).toContain('Payout50.00100');
  expect(rows[1]).toContain('Part of the payout950.00none');
});

test('[A12] a visitor has no history, and nobody is asked for one', async () => {
  const { signedIn } = useSession.getState();
  useSession.setState({ signedIn: undefined });
  let asked = 0;
  exchange.answer('fundHistory', () => ({ list: [], total: (asked += 1), next: null }));
  await show(<OwnHistory fund={fund} />);
  expect(screen.queryByRole('heading', { name: 'My history' })).toBeNull();
  expect(asked).toBe(0);
  useSession.setState({ signedIn });
  await screen.findByRole('heading', { name: 'My history' });
});
