/** Brings the changes of the wallet to the session in the order in which they happened, whatever has to be asked in between. */
import type { ConnectedWallet } from '../wallet/wallet-port.ts';
import type { SessionEvent } from './session-state.ts';

export interface FollowerPorts {
  /** Resolves once the configuration is there, however long that takes. */
  readonly blockedAddresses: () => Promise<readonly string[]>;
  readonly dispatch: (event: SessionEvent) => void;
}

export function createFollower({ blockedAddresses, dispatch }: FollowerPorts): (wallet: ConnectedWallet | undefined) => Promise<void> {
  let changes = 0;
  return async (wallet) => {
    const change = (changes += 1);
    if (wallet === undefined) return dispatch({ type: 'walletDisconnected' });
    const address = wallet.address.toLowerCase();
    const blocked = await blockedAddresses();
    // Meanwhile another account was chosen, or the wallet was let go.
    if (change !== changes) return;
    dispatch({ type: 'walletConnected', address, isBlocked: blocked.some((other) => other.toLowerCase() === address) });
  };
}
