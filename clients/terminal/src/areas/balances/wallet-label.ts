import type { MessageId } from '../../kit/i18n/catalog.ts';
import type { WalletName } from './use-balances.ts';

export const walletLabel = {
  funding: 'assets.funding',
  spot: 'assets.spot',
  futures: 'assets.futures',
  coinFutures: 'assets.coinFutures',
} as const satisfies Record<WalletName, MessageId>;
