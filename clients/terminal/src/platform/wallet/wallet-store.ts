/** The connected wallet and the ones that could be, for components. Light: the wallet library itself is loaded when it is needed. */
import { create } from 'zustand';
import type { ConnectedWallet, WalletChoice } from './wallet-port.ts';

interface WalletStore {
  readonly wallet: ConnectedWallet | undefined;
  readonly choices: readonly WalletChoice[];
  /** The text of a WalletConnect QR code while a phone is awaited. */
  readonly pairingUri: string | undefined;
}

export const useWallet = create<WalletStore>()(() => ({ wallet: undefined, choices: [], pairingUri: undefined }));

/** The reverse domain name of the e-mail wallet. */
export const EMBEDDED_ID = 'orrery.email';
