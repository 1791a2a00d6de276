/** Moves a coin between the account's own wallets: instant, free, kept by the exchange under an id of its own. */
import type { Balance } from '@orrery/api';
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useOnce } from '../../platform/session/use-once.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { Unanswered } from '../../kit/ui/unanswered.tsx';
import { AmountField } from './amount-field.tsx';
import { amountProblem } from './amount-problem.ts';
import type { AmountProblem } from './amount-problem.ts';
import { coinDecimals } from './coin-decimals.ts';
import { coinName } from './coin-name.ts';
import { isTransferKnown, openTransfers, sendTransfer } from './open-transfers.ts';
import { targetsOf } from './own-transfer.ts';
import type { OwnTransfer } from './own-transfer.ts';
import { availableIn, isPositive, useBalances } from './use-balances.ts';
import type { WalletName } from './use-balances.ts';
import { precisionOf, useCoins } from './use-coins.ts';
import { WALLETS, wallets } from './wallets.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';

export interface TransferRoute {
  readonly from: WalletName;
  readonly to: WalletName;
  readonly coin?: string | undefined;
}

interface RouteFieldsProps {
  readonly route: TransferRoute;
  readonly onChange: (route: TransferRoute) => void;
}

function RouteFields({ route, onChange }: RouteFieldsProps): ReactElement {
  const text = useText();
  const choicesOf = (names: readonly WalletName[]): { value: WalletName; label: string }[] =>
    names.map((value) => ({ value, label: text(wallets[value].label) }));
  // The other way is closed for some: then the first that is open.
  const changeFrom = (from: WalletName, wanted: WalletName = route.to): void => {
    const [first] = targetsOf(from);
    const to = targetsOf(from).includes(wanted) ? wanted : first;
    if (to !== undefined) onChange({ ...route, from, to });
  };
  return (
    <div className="flex items-end gap-2">
      <SelectField className="grow" label={text('transfer.from')} value={route.from} choices={choicesOf(WALLETS)} onChange={changeFrom} />
      <IconButton label={text('transfer.swap')} className="mb-0.5" onClick={() => changeFrom(route.to, route.from)}>
        <ArrowLeftRight size={16} />
      </IconButton>
      <SelectField
        className="grow"
        label={text('transfer.to')}
        value={route.to}
        choices={choicesOf(targetsOf(route.from))}
        onChange={(to) => onChange({ ...route, to })}
      />
    </div>
  );
}

function movableCoins(rows: readonly Balance[], from: WalletName): readonly string[] {
  return rows.filter((row) => row.balanceType === from && isPositive(row.availableBalance)).map((row) => row.coin);
}

interface CoinAndAmountProps {
  readonly movable: readonly string[];
  readonly coin: string;
  readonly onCoin: (coin: string) => void;
  readonly amount: string;
  readonly onAmount: (amount: string) => void;
  /** Decimal text. */
  readonly available: string;
  readonly problem: AmountProblem | undefined;
}

function CoinAndAmount({ movable, coin, onCoin, amount, onAmount, available, problem }: CoinAndAmountProps): ReactElement {
  const text = useText();
  const format = useFormat();
  return (
    <>
      <SelectField
        label={text('transfer.coin')}
        value={coin}
        choices={movable.map((value) => ({ value, label: coinName(value) }))}
        onChange={onCoin}
      />
      <AmountField
        label={text('transfer.amount')}
        coin={coin}
        value={amount}
        onChange={onAmount}
        onMax={() => onAmount(available)}
        hint={text('transfer.available', { amount: format.own(available, { decimals: coinDecimals(coin) }), coin: coinName(coin) })}
        problem={problem}
      />
    </>
  );
}

interface SentTransferProps {
  readonly sent: OwnTransfer;
  readonly once: Pick<Once<OwnTransfer>, 'repeat' | 'drop'>;
  readonly onClose: () => void;
}

/** The transfer that has no answer, in place of the form: another is made when this one is known. */
function SentTransfer({ sent, once, onClose }: SentTransferProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { coin, amount, from, to } = sent;
  const words = { amount: format.number(amount), coin: coinName(coin), from: text(wallets[from].label), to: text(wallets[to].label) };
  return (
    <Dialog open onClose={onClose} width="narrow" title={text('transfer.title')}>
      <Unanswered label={text('transfer.unanswered')} onRepeat={() => void once.repeat().catch(() => undefined)} onDrop={once.drop}>
        {text('transfer.sent', words)}
      </Unanswered>
    </Dialog>
  );
}

const ID_BYTES = 16;

export function TransferDialog({ initial, resolve, close }: Dialogue<true> & { readonly initial: TransferRoute }): ReactElement {
  const text = useText();
  const format = useFormat();
  const balances = useBalances();
  const coins = useCoins();
  const [route, setRoute] = useState<TransferRoute>(initial);
  const [amount, setAmount] = useState('');
  const movable = movableCoins(balances.value ?? [], route.from);
  const coin = movable.find((candidate) => candidate === route.coin) ?? movable[0];
  const available = availableIn(balances.value, { wallet: route.from, coin: coin ?? '' });
  const problem = amountProblem({ text: amount, decimals: precisionOf(coins, coin ?? ''), available });

  const once = useOnce<OwnTransfer>({
    intents: openTransfers,
    newId: () => randomHex(ID_BYTES),
    send: sendTransfer,
    find: isTransferKnown,
    onDone: (done) => {
      showSuccess('transfer.done', { values: { amount: format.number(done.amount), coin: coinName(done.coin) } });
      resolve(true);
    },
  });
  if (once.open !== undefined && once.phase === 'unanswered') return <SentTransfer sent={once.open} once={once} onClose={close} />;
  const turnTo = (next: TransferRoute): void => {
    setRoute(next);
    setAmount('');
  };
  const submit = async (): Promise<void> => {
    // What was wrong is said in a toast.
    if (coin !== undefined) await once.submit({ coin, amount, from: route.from, to: route.to }).catch(() => undefined);
  };

  const footer = coin !== undefined && (
    <Button
      kind="primary"
      size="large"
      className="grow"
      busy={once.phase === 'sending'}
      disabled={problem !== undefined}
      onClick={() => void submit()}
    >
      {problem === undefined ? text('transfer.submit', { amount: format.number(amount), coin: coinName(coin) }) : text('transfer.title')}
    </Button>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('transfer.title')} footer={footer === false ? undefined : footer}>
      <div className="flex flex-col gap-4">
        <RouteFields route={route} onChange={turnTo} />
        {route.to === 'coinFutures' && <p className="text-sm text-fg2">{text('transfer.coinFutures')}</p>}
        <LoadedPanel read={balances} loading={<Skeleton className="h-24 w-full" />}>
          {() =>
            coin === undefined ? (
              <Notice tone="info">{text('transfer.empty')}</Notice>
            ) : (
              <CoinAndAmount
                movable={movable}
                coin={coin}
                onCoin={(next) => turnTo({ ...route, coin: next })}
                amount={amount}
                onAmount={setAmount}
                available={available}
                problem={problem}
              />
            )
          }
        </LoadedPanel>
      </div>
    </Dialog>
  );
}
