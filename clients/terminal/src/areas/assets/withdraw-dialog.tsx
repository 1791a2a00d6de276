/** The last look before money leaves: the whole address in groups, part of it typed again, then the second factor and the signature. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { accountChanged } from '../../platform/client/failure.ts';
import { showDone } from '../../platform/client/success.ts';
import { useData } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { isWhole, useFactor, waysOfMoney } from '../../platform/factors/factor.ts';
import { groupsOfFour } from '../../kit/format/hash.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { walletMessage } from '../../platform/session/sign.ts';
import { useOnce } from '../../platform/session/use-once.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Unanswered } from '../../kit/ui/unanswered.tsx';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { coinName } from '../balances/coin-name.ts';
import { isWithdrawalKnown, newWithdrawalId, openWithdrawals, withdraw } from './withdraw.ts';
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

interface UnansweredProps {
  readonly words: string;
  readonly to: string;
  readonly onRepeat: () => void;
  readonly onDrop: () => void;
  readonly close: () => void;
}

function UnansweredDialog({ words, to, onRepeat, onDrop, close }: UnansweredProps): ReactElement {
  const text = useText();
  return (
    <Dialog open onClose={close} title={text('withdraw.reviewTitle')}>
      <Unanswered label={text('withdraw.unanswered')} onRepeat={onRepeat} onDrop={onDrop}>
        {words}
      </Unanswered>
      <div className="pt-2.5">
        <AddressGroups address={to} />
      </div>
    </Dialog>
  );
}

export function WithdrawDialog({ intent, resolve, close }: Dialogue<true> & { readonly intent: WithdrawalIntent }): ReactElement {
  const text = useText();
  const format = useFormat();
  const owner = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string>();
  const reading = useData({ name: 'accountInfo', of: 'account' });
  const factor = useFactor(waysOfMoney(reading.value));
  const matches = typed.toLowerCase() === intent.to.slice(-TYPED_DIGITS).toLowerCase();
  const amountWords = ({ amount, coin }: WithdrawalIntent): string => `${format.number(amount)} ${coinName(coin)}`;
  const once = useOnce<WithdrawalIntent>({
    intents: openWithdrawals,
    newId: newWithdrawalId,
    async send(open) {
      if (owner === undefined) throw accountChanged();
      await withdraw({ owner, factor }, open);
    },
    find: isWithdrawalKnown,
    onDone: (done) => {
      showDone('withdraw', amountWords(done));
      resolve(true);
    },
  });
  const signing = once.phase === 'sending';
  const say = (error: unknown): void => setProblem(walletMessage(error));
  const send = (): void => {
    setProblem(undefined);
    once.submit(intent).catch(say);
  };
  if (once.open !== undefined && once.phase === 'unanswered') {
    const words = text('withdraw.sent', { amount: amountWords(once.open) });
    return (
      <UnansweredDialog words={words} to={once.open.to} onRepeat={() => void once.repeat().catch(say)} onDrop={once.drop} close={close} />
    );
  }
  const footer = (
    <Button
      kind="primary"
      size="large"
      className="grow"
      aria-disabled={signing}
      disabled={!matches || reading.value === undefined || !isWhole(factor)}
      onClick={send}
    >
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
          readOnly={signing}
          onChange={(entered) => setTyped(entered.trim())}
          error={typed.length === TYPED_DIGITS && !matches ? text('withdraw.typeMismatch') : undefined}
        />
        <FactorField factor={factor} disabled={signing} />
        {reading.phase === 'failed' && <FailedState onRetry={reading.retry} />}
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
