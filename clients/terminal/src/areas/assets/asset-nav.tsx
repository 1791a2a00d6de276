import type { ReactElement } from 'react';
import { SectionNav } from '../../kit/ui/section-nav.tsx';
import type { Place } from '../../kit/ui/section-nav.tsx';

const places: readonly Place[] = [
  { to: '/portfolio', label: 'portfolio.title' },
  { to: '/assets/funding', label: 'assets.funding' },
  { to: '/assets/spot', label: 'assets.spot' },
  { to: '/assets/futures', label: 'assets.futures' },
  { to: '/assets/deposit', label: 'assets.deposit' },
  { to: '/assets/withdraw', label: 'assets.withdraw' },
  { to: '/assets/bills', label: 'assets.bills' },
];

/** The pages about money, beside each other. */
export function AssetNav(): ReactElement {
  return <SectionNav label="portfolio.title" places={places} />;
}
