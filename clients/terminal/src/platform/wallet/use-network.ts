/** Whether the wallet is on the exchange's chain, and how to bring it there. The outcome is shown in words. */
import { useConfig } from '../client/config.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { showError, showInfo, showSuccess } from '../../kit/ui/toast.ts';
import { mayGoOn } from './network-switch.ts';
import type { NetworkSwitch } from './network-switch.ts';
import { wallets } from './open-wallets.ts';
import { useWallet } from './wallet-store.ts';

export interface Network {
  readonly isWrong: boolean;
  readonly name: string;
  /** Resolves with whether the wallet is there now. */
  readonly switchNetwork: () => Promise<boolean>;
}

export function useNetwork(): Network {
  const text = useText();
  const config = useConfig();
  const chainId = useWallet((state) => state.wallet?.chainId);
  const name = config?.chains.find((chain) => chain.chainId === config.defaultChainId)?.name ?? '';

  function report(outcome: NetworkSwitch): void {
    if (outcome === 'switched') showSuccess('wallet.network.switched', { values: { network: name } });
    else if (outcome === 'declined') showInfo(text('wallet.network.declined'));
    else if (outcome === 'failed') showError(text('wallet.network.failed'));
  }

  async function switchNetwork(): Promise<boolean> {
    const opened = await wallets();
    const first = await opened.switchNetwork();
    // A wallet that does not know the chain is offered it; most switch to it as they add it.
    const outcome = first === 'missing' ? await opened.addNetwork() : first;
    report(outcome);
    return mayGoOn(outcome, 'act');
  }

  return { name, switchNetwork, isWrong: chainId !== undefined && config !== undefined && chainId !== config.defaultChainId };
}
