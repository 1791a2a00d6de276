/** What a person is asked to do in the wallet while this page waits. */
import type { MessageId } from '../../kit/i18n/catalog.ts';
import type { ConnectorType } from './wallet-port.ts';

export type WalletAction = 'sign' | 'approveSpending' | 'sendTransaction';

const inWallet: Readonly<Record<WalletAction, MessageId>> = {
  sign: 'wallet.prompt.approve',
  approveSpending: 'wallet.prompt.approveSpending',
  sendTransaction: 'wallet.prompt.confirm',
};

const inMobile: Readonly<Record<WalletAction, MessageId>> = {
  sign: 'wallet.prompt.mobile.approve',
  approveSpending: 'wallet.prompt.mobile.approveSpending',
  sendTransaction: 'wallet.prompt.mobile.confirm',
};

/** A wallet reached through WalletConnect is on the phone; the others are in this browser. */
export function walletPrompt(action: WalletAction, connector: ConnectorType | undefined): MessageId {
  return (connector === 'walletConnect' ? inMobile : inWallet)[action];
}
