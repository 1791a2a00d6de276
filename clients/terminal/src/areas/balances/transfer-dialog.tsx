/** Moves a coin between the account's own wallets: instant, free, kept by the exchange under an id of its own. */
import type { Balance } from '@orrery/api';
import { ArrowLeftRight } from 'lucide-react';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useOnce } from '../../platform/session/use-once.ts';
import type { Once } from '../../platform/session/use-once.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { showError, showSuccess } from '../../kit/ui/toast.ts';
import { Unanswered } from '../../kit/ui/unanswered.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FieldIssue, FormField } from '../../kit/ui/use-form.ts';
import { toastText } from '../../platform/client/failure.ts';
import { AmountField } from './amount-field.tsx';
import { coinDecimals } from './coin-decimals.ts';
import { coinName } from './coin-name.ts';
import { isTransferKnown, openTransfers, sendTransfer } from './open-transfers.ts';
import { targetsOf } from './own-transfer.ts';
import type { OwnTransfer } from './own-transfer.ts';
import { availableIn, isPositive, useBalances } from './use-balances.ts';
import type { WalletName } from './use-balances.ts';
import { useAmountProblem } from './use-amount-problem.ts';
import { WALLETS, wallets } from './wallets.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';

export interface TransferRoute {
  readonly from: WalletName;
  readonly to: WalletName;
  readonly coin?: string | undefined;
}

interface RouteFieldsProps {
  readonly from: WalletName;
  readonly to: WalletName;
  readonly onChange: (route: Pick<TransferRoute, 'from' | 'to'>) => void;
}

function RouteFields({ from, to, onChange }: RouteFieldsProps): ReactElement {
  const text = useText();
  const choicesOf = (names: readonly WalletName[]): { value: WalletName; label: string }[] =>
    names.map((value) => ({ value, label: text(wallets[value].label) }));
  // The other way is closed for some: then the first that is open.
  const changeFrom = (next: WalletName, wanted: WalletName = to): void => {
    const [first] = targetsOf(next);
    const target = targetsOf(next).includes(wanted) ? wanted : first;
    if (target !== undefined) onChange({ from: next, to: target });
  };
  return (
    <div className="flex items-end gap-2">
      <SelectField className="grow" label={text('transfer.from')} value={from} choices={choicesOf(WALLETS)} onChange={changeFrom} />
      <IconButton label={text('transfer.swap')} className="mb-0.5" onClick={() => changeFrom(to, from)}>
        <ArrowLeftRight size={16} />
      </IconButton>
      <SelectField
        className="grow"
        label={text('transfer.to')}
        value={to}
        choices={choicesOf(targetsOf(from))}
        onChange={(next) => onChange({ from, to: next })}
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
  readonly amount: FormField<string>;
  /** Decimal text. */
  readonly available: string;
}

function CoinAndAmount({ movable, coin, onCoin, amount, available }: CoinAndAmountProps): ReactElement {
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
        {...amount}
        label={text('transfer.amount')}
        coin={coin}
        onMax={() => amount.onChange(available)}
        hint={text('transfer.available', { amount: format.own(available, { decimals: coinDecimals(coin) }), coin: coinName(coin) })}
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
      <Unanswered
        label={text('transfer.unanswered')}
        onRepeat={() => void once.repeat().catch((error: unknown) => showError(toastText(error)))}
        onDrop={once.drop}
      >
        {text('transfer.sent', words)}
      </Unanswered>
    </Dialog>
  );
}

const ID_BYTES = 16;

const Wallets = Type.Enum([...WALLETS]);
const schema = Type.Object({ from: Wallets, to: Wallets, coin: Type.String(), amount: Type.String() });

type Entered = Pick<Static<typeof schema>, 'from' | 'coin' | 'amount'>;

interface Moved {
  readonly movable: readonly string[];
  /** The one that is chosen, where it can be moved. */
  readonly coin: string | undefined;
  /** Decimal text. */
  readonly available: string;
}

/** What can be moved, and what is wrong with what was entered. */
function useMovable({ value: rows = [] }: Pick<ReturnType<typeof useBalances>, 'value'>) {
  const typedProblem = useAmountProblem();
  const movedOf = ({ from, coin: wanted, amount }: Entered): Moved => {
    const present = movableCoins(rows, from);
    // An amount is of the coin that it was typed for, also when nothing is left of that.
    const isHeld = amount !== '' && wanted !== '' && !present.includes(wanted);
    const movable = isHeld ? [wanted, ...present] : present;
    const coin = movable.find((candidate) => candidate === wanted) ?? movable[0];
    return { movable, coin, available: availableIn(rows, { wallet: from, coin: coin ?? '' }) };
  };
  const problemOf = (entered: Entered): FieldIssue | undefined => {
    const { coin = '', available } = movedOf(entered);
    return typedProblem({ text: entered.amount, coin, available });
  };
  return { movedOf, problemOf };
}

function useSending(onDone: () => void): Once<OwnTransfer> {
  const format = useFormat();
  return useOnce<OwnTransfer>({
    intents: openTransfers,
    newId: () => randomHex(ID_BYTES),
    send: sendTransfer,
    find: isTransferKnown,
    onDone({ amount, coin }) {
      showSuccess('transfer.done', { values: { amount: format.number(amount), coin: coinName(coin) } });
      onDone();
    },
  });
}

export function TransferDialog({ initial, resolve, close }: Dialogue<true> & { readonly initial: TransferRoute }): ReactElement {
  const text = useText();
  const format = useFormat();
  const balances = useBalances();
  const { movedOf, problemOf } = useMovable(balances);
  const once = useSending(() => resolve(true));
  const form = useForm({
    schema,
    initial: { from: initial.from, to: initial.to, coin: initial.coin ?? '', amount: '' },
    rules: (values) => ({ amount: problemOf(values) }),
    async send({ from, to, coin: wanted, amount }) {
      const { coin } = movedOf({ from, coin: wanted, amount });
      if (coin !== undefined) await once.submit({ coin, amount, from, to });
    },
  });
  const [from, to, chosen, amount] = [form.field('from'), form.field('to'), form.field('coin'), form.field('amount')];
  if (once.open !== undefined && once.phase === 'unanswered') return <SentTransfer sent={once.open} once={once} onClose={close} />;
  const entered = { from: from.value, coin: chosen.value, amount: amount.value };
  const { coin, ...moved } = movedOf(entered);
  const turnTo = (route: Pick<TransferRoute, 'from' | 'to'>): void => {
    from.onChange(route.from);
    to.onChange(route.to);
    amount.onChange('');
  };
  const choose = (next: string): void => {
    chosen.onChange(next);
    amount.onChange('');
  };
  const enter = (typed: string): void => {
    if (coin !== undefined && coin !== chosen.value) chosen.onChange(coin);
    amount.onChange(typed);
  };
  const action =
    problemOf(entered) === undefined && coin !== undefined
      ? text('transfer.submit', { amount: format.number(amount.value), coin: coinName(coin) })
      : text('transfer.title');
  return (
    <FormDialog form={form} close={close} width="narrow" title={text('transfer.title')} action={action} disabled={coin === undefined}>
      <RouteFields from={from.value} to={to.value} onChange={turnTo} />
      {to.value === 'coinFutures' && <p className="text-sm text-fg2">{text('transfer.coinFutures')}</p>}
      <LoadedPanel read={balances} loading={<Skeleton className="h-24 w-full" />}>
        {() =>
          coin === undefined ? (
            <Notice tone="info">{text('transfer.empty')}</Notice>
          ) : (
            <CoinAndAmount {...moved} coin={coin} onCoin={choose} amount={{ ...amount, onChange: enter }} />
          )
        }
      </LoadedPanel>
    </FormDialog>
  );
}
