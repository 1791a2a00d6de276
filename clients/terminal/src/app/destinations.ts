/** The pages of the main navigation. */
import type { MessageId } from '../kit/i18n/catalog.ts';

export interface Destination {
  readonly to: '/trade/spot' | '/trade/futures' | '/portfolio' | '/faucet' | '/points' | '/explorer' | '/status';
  readonly label: MessageId;
  /** Pages elsewhere that belong to it. */
  readonly also?: readonly string[];
}

export const destinations: readonly Destination[] = [
  { to: '/trade/spot', label: 'nav.spot' },
  { to: '/trade/futures', label: 'nav.futures' },
  { to: '/portfolio', label: 'nav.portfolio' },
  { to: '/faucet', label: 'nav.faucet' },
  { to: '/points', label: 'nav.rewards', also: ['/leaderboard', '/rewards/lucky-block'] },
  { to: '/explorer', label: 'nav.explorer' },
];
