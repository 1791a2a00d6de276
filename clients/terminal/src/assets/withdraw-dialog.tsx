/** The last look before money leaves: the whole address in groups, part of it typed again, then the signature. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { showDone } from '../client/success.ts';
import { groupsOfFour } from '../format/hash.ts';
import { useText } from '../i18n/text.tsx';
import { useSession } from '../session/session.ts';
import { walletMessage } from '../session/sign.ts';
import { useFormat } from '../settings/use-format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { walletPrompt } from '../wallet/prompts.ts';
import { useWallet } from '../wallet/wallet-store.ts';
import { coinName } from '../balances/coin-name.ts';
import { withdraw } from './withdraw.ts';
import type { WithdrawalIntent } from './withdraw.ts';

const TYPED_DIGITS = 6;

function AddressGroups({ address }: { readonly address: string }): ReactElement {
  return (
    <div className="rounded border border-line bg-page px-3 py-2.5 font-mono text-lg">
      <span className="sr-only">{address}</span>
      <div aria-hidden="true" className="flex flex-wrap gap-x-2.5 gap-y-1">
        {groupsOfFour(address).map((group, place) => (
          <span key={`${place}-${group}`} className={place === 0 ? 'text-fg3' : undefined}>
            {group}
          </span>
        ))}
      </div>
    </div>
  );
}

export function WithdrawDialog({ intent, resolve, close }: Dialogue<true> & { readonly intent: WithdrawalIntent }): ReactElement {
  const text = useText();
  const format = useFormat();
  const owner = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [typed, setTyped] = useState('');
  const [signing, setSigning] = useState(false);
  const [problem, setProblem] = useState<string>();
  const matches = typed.toLowerCase() === intent.to.slice(-TYPED_DIGITS).toLowerCase();
  const send = async (): Promise<void> => {
    if (owner === undefined) return close();
    setSigning(true);
    setProblem(undefined);
    try {
      await withdraw(owner, intent);
      showDone('withdraw', `${format.number(intent.amount)} ${coinName(intent.coin)}`);
      resolve(true);
    } catch (error) {
      setProblem(walletMessage(error));
      setSigning(false);
    }
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={!matches || signing} onClick={() => void send()}>
      {text(signing ? walletPrompt('sign', connector) : 'withdraw.sign')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('withdraw.reviewTitle')} description={text('withdraw.reviewLead')} footer={footer}>
      <div className="flex flex-col gap-4">
        <p className="text-xl font-semibold">
          {format.number(intent.amount)} {coinName(intent.coin)}
        </p>
        <AddressGroups address={intent.to} />
        <Field
          label={text('withdraw.type')}
          value={typed}
          maxLength={TYPED_DIGITS}
          disabled={signing}
          onChange={(event) => setTyped(event.target.value.trim())}
          error={typed.length === TYPED_DIGITS && !matches ? text('withdraw.typeMismatch') : undefined}
        />
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
