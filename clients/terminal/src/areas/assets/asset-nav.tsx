import type { ReactElement } from 'react';
import { SectionNav } from '../../kit/ui/section-nav.tsx';
import { WALLETS, wallets } from '../balances/wallets.ts';
import type { Place } from '../../kit/ui/section-nav.tsx';

const places: readonly Place[] = [
  { to: '/portfolio', label: 'portfolio.title' },
  ...WALLETS.map((name) => ({ to: wallets[name].page, label: wallets[name].label })),
  { to: '/assets/deposit', label: 'assets.deposit' },
  { to: '/assets/withdraw', label: 'assets.withdraw' },
  { to: '/assets/bills', label: 'assets.bills' },
];

/** The pages about money, beside each other. */
export function AssetNav(): ReactElement {
  return <SectionNav label="portfolio.title" places={places} />;
}
