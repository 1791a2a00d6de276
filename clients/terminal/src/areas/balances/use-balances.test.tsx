// @vitest-environment happy-dom
import type { Balance } from '@orrery/api';
import { act, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Refusal } from '../../testing/fake-exchange.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { queryClient } from '../../platform/client/query-client.ts';
import type { Feed } from '../../platform/feed/feed.ts';
import { running } from '../../platform/feed/running.ts';
import { Store } from '../../platform/feed/store.ts';
import type { AccountView } from '../../platform/data/streams/streams.ts';
import { useBalances } from './use-balances.ts';

const USDC: Balance = {
  balanceType: 'spot',
  coin: 'USDC',
  balance: '7',
  availableBalance: '7',
  estimatedTotalAmount: '7',
  estimatedAvailableAmount: '7',
} as Balance;

function Shown(): ReactElement {
  const { phase, value } = useBalances();
  return <p>{`${phase} ${value?.[0]?.balance ?? 'nothing'}`}</p>;
}

/** A feed whose spot account is as given. */
function feedOf(view: AccountView, phase: 'live' | 'reconnecting'): Feed {
  const state = { phase, heardAt: 1, state: phase === 'live' ? 'fresh' : 'waiting' };
  const own = new Store({ spot: state, contracts: state });
  return { account: new Store(view), own } as unknown as Feed;
}

const heard = { isReady: true, orders: [], balances: new Map([['spot:USDC', { ...USDC, balance: '8' }]]) };
const unheard = { isReady: false, orders: [], balances: new Map() };

beforeEach(async () => {
  await comeIntoView(newPerson());
});
afterEach(() => running.set(undefined));

test.each([
  ['whose stream goes on are those of the stream', feedOf(heard, 'live'), 'fresh 8'],
  ['whose stream is away too are stale', feedOf(heard, 'reconnecting'), 'stale 8'],
  ['whose stream has brought nothing yet are stale', feedOf(unheard, 'live'), 'stale 7'],
  ['without a stream are stale', undefined, 'stale 7'],
])('balances that cannot be read again and %s', async (_, feed, shown) => {
  running.set(feed);
  exchange.answer('balances', () => [USDC]);
  await show(<Shown />);
  await screen.findByText(/[78]$/);
  exchange.answer('balances', () => {
    throw new Refusal({ status: 400, msg: 'not now' });
  });
  await act(() => queryClient.refetchQueries());
  await waitFor(() => expect(screen.getByRole('main').textContent).toBe(shown), { timeout: 2_000 });
});
