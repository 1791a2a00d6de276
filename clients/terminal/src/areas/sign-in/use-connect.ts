/** The steps of connecting: choose, wait for the wallet, see that it knows the network, sign in. */
import { useState } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useSession } from '../../platform/session/session.ts';
import { inTime, WalletTimeout } from '../../platform/wallet/in-time.ts';
import { mayGoOn } from '../../platform/wallet/network-switch.ts';
import { wallets } from '../../platform/wallet/open-wallets.ts';
import type { WalletChoice } from '../../platform/wallet/wallet-port.ts';

/** A phone may need a while to be found and unlocked. */
const CONNECT_TIMEOUT_MS = 120_000;

export type ConnectStep =
  | { readonly name: 'choosing'; readonly problem: MessageId | undefined }
  | { readonly name: 'connecting'; readonly choice: WalletChoice }
  | { readonly name: 'network' }
  | { readonly name: 'signing' };

export interface Connecting {
  readonly step: ConnectStep;
  readonly choose: (choice: WalletChoice) => void;
  readonly addNetwork: () => void;
  readonly skipNetwork: () => void;
}

async function connect(choice: WalletChoice): Promise<ConnectStep> {
  const opened = await wallets();
  try {
    await inTime(opened.connect(choice.id), CONNECT_TIMEOUT_MS);
  } catch (error) {
    return { name: 'choosing', problem: error instanceof WalletTimeout ? 'wallet.connect.timeout' : 'wallet.connect.failed' };
  }
  const outcome = await opened.switchNetwork();
  return mayGoOn(outcome, 'check') || outcome === 'failed' ? { name: 'signing' } : { name: 'network' };
}

export function useConnect(): Connecting {
  const isConnected = useSession((state) => state.phase !== 'disconnected');
  const [step, setStep] = useState<ConnectStep>(() => (isConnected ? { name: 'signing' } : { name: 'choosing', problem: undefined }));
  // A wallet that was let go while its signature was awaited: another can be chosen.
  const [wasConnected, setWasConnected] = useState(isConnected);
  if (wasConnected !== isConnected) {
    setWasConnected(isConnected);
    if (wasConnected && step.name === 'signing') setStep({ name: 'choosing', problem: undefined });
  }
  const signing = (): void => setStep({ name: 'signing' });
  return {
    step,
    choose(choice) {
      setStep({ name: 'connecting', choice });
      void connect(choice).then(setStep);
    },
    addNetwork() {
      // Whatever the wallet answers, signing in needs no network of its own.
      void wallets()
        .then(async (opened) => opened.addNetwork())
        .catch(() => undefined)
        .then(signing);
    },
    skipNetwork: signing,
  };
}
