// @vitest-environment happy-dom
/** Shares of funds in the portfolio: with what waits to be subscribed, and as of the last valuation. */
import type { FundShare } from '@orrery/api';
import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../../testing/silent-feed.ts';
import { comeIntoView, exchange, newPerson, show } from '../../testing/stage.tsx';
import { FundShares, useFundsWorth } from './fund-shares.tsx';

function Shown() {
  return (
    <>
      <p>{useFundsWorth().value ?? 'unknown'}</p>
      <FundShares />
    </>
  );
}

const share = { value: '412.5', waiting: '0', valuedAt: Date.UTC(2026, 10, 28, 9, 30) };

test('[A12] shares are worth the last NAV, said as of when, and money that waits is not lost', async () => {
  const shares = [
    { ...share, fundId: 'QUANTO1' },
    { ...share, fundId: 'QUANTO2', value: '0', waiting: '50' },
    { ...share, fundId: 'QUANTO3', value: '0' },
  ];
  exchange.answer('fundMine', () => shares as FundShare[]);
  await comeIntoView(newPerson());
  await show(<Shown />);
  const links = await screen.findAllByRole('link');
  expect(links.map(({ textContent }) => textContent.replace(/\d\d-\d\d \d\d:\d\d:\d\d/, '·'))).toEqual([
    'QUANTO1$412.50At the NAV of 2026-·',
    'QUANTO2$50.00At the NAV of 2026-·',
  ]);
  screen.getByText('462.5');
});
