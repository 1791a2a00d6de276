/** The wallets of an account: everything that lists, names, filters or fills one takes it from here, so that none is left out. */
import type { MessageId } from '../../kit/i18n/catalog.ts';
import type { WalletName } from './use-balances.ts';

interface WalletTerms {
  readonly label: MessageId;
  readonly page: `/assets/${string}`;
  readonly title: MessageId;
  readonly lead: MessageId;
  /** Where money of it goes first. */
  readonly onward: WalletName;
  /** `contracts`: what it holds is margin. */
  readonly holds: 'money' | 'contracts';
}

export const wallets = {
  funding: {
    label: 'assets.funding',
    page: '/assets/funding',
    title: 'assets.fundingTitle',
    lead: 'assets.fundingLead',
    onward: 'spot',
    holds: 'money',
  },
  spot: {
    label: 'assets.spot',
    page: '/assets/spot',
    title: 'assets.spotTitle',
    lead: 'assets.spotLead',
    onward: 'funding',
    holds: 'money',
  },
  futures: {
    label: 'assets.futures',
    page: '/assets/futures',
    title: 'assets.futuresTitle',
    lead: 'assets.futuresLead',
    onward: 'spot',
    holds: 'contracts',
  },
  coinFutures: {
    label: 'assets.coinFutures',
    page: '/assets/coin-futures',
    title: 'assets.coinFuturesTitle',
    lead: 'assets.coinFuturesLead',
    onward: 'spot',
    holds: 'contracts',
  },
} as const satisfies Record<WalletName, WalletTerms>;

export const WALLETS = Object.keys(wallets) as readonly WalletName[];
