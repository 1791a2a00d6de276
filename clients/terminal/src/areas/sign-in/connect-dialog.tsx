/** Choose a wallet, connect it, prove the address. Asks for one thing at a time and says what the wallet is waiting for. */
import { useNavigate } from '@tanstack/react-router';
import { Flame, Mail, QrCode, Wallet as WalletIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReactElement } from 'react';
import { useConfig } from '../../platform/client/config.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { BurnerTag } from '../../platform/wallet/burner-tag.tsx';
import { PairingCode } from '../../platform/wallet/pairing-code.tsx';
import { SignInStep } from './sign-in-step.tsx';
import { useIsMobile } from '../../platform/wallet/use-is-mobile.ts';
import { useConnect } from './use-connect.ts';
import type { WalletChoice } from '../../platform/wallet/wallet-port.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { wallets } from '../../platform/wallet/open-wallets.ts';

const order = { injected: 0, walletConnect: 1, embedded: 2, burner: 3 } as const;
/** Found in this browser, or on a phone. */
const isOwn = ({ type }: WalletChoice): boolean => type !== 'burner' && type !== 'embedded';

function ChoiceIcon({ choice }: { readonly choice: WalletChoice }): ReactElement {
  if (choice.icon !== undefined) return <img src={choice.icon} alt="" className="size-8 rounded" />;
  const Icon = { injected: WalletIcon, walletConnect: QrCode, embedded: Mail, burner: Flame }[choice.type];
  return (
    <span className="flex size-8 shrink-0 items-center justify-center rounded bg-hover text-fg2">
      <Icon size={16} aria-hidden="true" />
    </span>
  );
}

function Choice({ choice, onChoose }: { readonly choice: WalletChoice; readonly onChoose: () => void }): ReactElement {
  const text = useText();
  const isMobile = useIsMobile();
  const hint = {
    injected: choice.rdns ?? text('wallet.detected'),
    walletConnect: text(isMobile ? 'wallet.onDevice' : 'wallet.phone'),
    embedded: text('emailWallet.lead'),
    burner: undefined,
  }[choice.type];
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex w-full items-center gap-3 rounded border border-line bg-page p-2.5 text-start hover:border-control hover:bg-hover"
    >
      <ChoiceIcon choice={choice} />
      <span className="min-w-0 grow">
        <span className="flex items-center gap-2 text-md font-medium">
          {choice.type === 'burner' ? text('wallet.burner') : choice.name}
          {choice.type === 'burner' && <BurnerTag />}
        </span>
        {hint !== undefined && <span className="block truncate text-sm text-fg3">{hint}</span>}
        {choice.type === 'burner' && <span className="mt-0.5 block text-sm text-fg2">{text('wallet.burner.lead')}</span>}
      </span>
    </button>
  );
}

function NoWallet(): ReactElement {
  const text = useText();
  return (
    <Notice tone="info">
      <p className="text-fg">{text('wallet.connect.none')}</p>
      <p>{text('wallet.connect.noneHint')}</p>
    </Notice>
  );
}

interface ChoicesProps {
  readonly onChoose: (choice: WalletChoice) => void;
}

function Choices({ onChoose }: ChoicesProps): ReactElement {
  const choices = useWallet((state) => state.choices);
  const sorted = choices.toSorted((left, right) => order[left.type] - order[right.type]);
  return (
    <div className="flex flex-col gap-2">
      {!choices.some(isOwn) && <NoWallet />}
      {sorted.map((choice) => (
        <Choice key={choice.id} choice={choice} onChoose={() => onChoose(choice)} />
      ))}
    </div>
  );
}

function Connecting({ choice }: { readonly choice: WalletChoice }): ReactElement {
  const text = useText();
  const pairingUri = useWallet((state) => state.pairingUri);
  if (pairingUri !== undefined) return <PairingCode uri={pairingUri} />;
  return (
    <div className="flex items-center gap-3 py-4">
      <Spinner className="size-5 text-fg2" />
      <div>
        <p className="font-medium">{text('wallet.connecting', { name: choice.name })}</p>
        <p className="text-sm text-fg2">{text('wallet.connectingLead')}</p>
      </div>
    </div>
  );
}

function MissingNetwork({ onAdd, onSkip }: { readonly onAdd: () => void; readonly onSkip: () => void }): ReactElement {
  const text = useText();
  const config = useConfig();
  const network = config?.chains.find((chain) => chain.chainId === config.defaultChainId)?.name ?? '';
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info">{text('wallet.network.missing', { network })}</Notice>
      <div className="flex justify-end gap-2">
        <Button onClick={onSkip}>{text('wallet.network.later')}</Button>
        <Button kind="primary" onClick={onAdd}>
          {text('wallet.network.add', { network })}
        </Button>
      </div>
    </div>
  );
}

export function ConnectDialog({ resolve, close }: Dialogue<true>): ReactElement {
  const text = useText();
  const phase = useSession((state) => state.phase);
  const isBlocked = useSession((state) => state.notice === 'blocked');
  const { step, choose: connect, addNetwork, skipNetwork } = useConnect();
  const navigate = useNavigate();
  const choose = (choice: WalletChoice): void => {
    if (choice.type !== 'embedded') return connect(choice);
    // It is connected by a login.
    close();
    void navigate({ to: '/auth/login' });
  };
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    wallets().then(
      () => setLoaded(true),
      () => close(),
    );
  }, [close]);
  useEffect(() => {
    if (phase === 'signedIn') resolve(true);
    else if (isBlocked) close();
  }, [phase, isBlocked, resolve, close]);
  const showsChoices = step.name === 'choosing';
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('wallet.connect')}
      {...(showsChoices && { description: text('wallet.connect.lead') })}
    >
      {showsChoices && step.problem !== undefined && (
        <div className="mb-3">
          <Notice tone="error">{text(step.problem)}</Notice>
        </div>
      )}
      {showsChoices && isLoaded && <Choices onChoose={choose} />}
      {showsChoices && !isLoaded && <Spinner className="mx-auto my-6 size-5 text-fg2" />}
      {step.name === 'connecting' && <Connecting choice={step.choice} />}
      {step.name === 'network' && <MissingNetwork onAdd={addNetwork} onSkip={skipNetwork} />}
      {step.name === 'signing' && <SignInStep />}
    </Dialog>
  );
}
