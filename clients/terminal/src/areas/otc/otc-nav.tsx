import type { ReactElement } from 'react';
import { SectionNav } from '../../kit/ui/section-nav.tsx';
import type { Place } from '../../kit/ui/section-nav.tsx';

const places: readonly Place[] = [
  { to: '/otc', label: 'otc.market', alone: true },
  { to: '/otc/orders', label: 'otc.orders' },
  { to: '/otc/advertisements', label: 'otc.mine' },
  { to: '/otc/payment-methods', label: 'otc.methods' },
  { to: '/otc/merchants', label: 'otc.merchants' },
];

/** The pages of OTC trading, beside each other. */
export const OtcNav = (): ReactElement => <SectionNav label="otc.pages" places={places} />;
