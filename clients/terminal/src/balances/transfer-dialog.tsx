/** Moves a coin between the account's own wallets: instant, free, kept by the exchange under an id of its own. */
import { ArrowLeftRight } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { http } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import { useText } from '../i18n/text.tsx';
import { randomHex } from '../storage/random-hex.ts';
import { useFormat } from '../settings/use-format.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Notice } from '../ui/notice.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { showSuccess } from '../ui/toast.ts';
import { AmountField } from './amount-field.tsx';
import { amountProblem } from './amount-problem.ts';
import { coinName } from './coin-name.ts';
import { availableIn, isPositive, useBalances } from './use-balances.ts';
import type { WalletName } from './use-balances.ts';
import { precisionOf, useCoins } from './use-coins.ts';
import { walletLabel } from './wallet-label.ts';

const wallets: readonly WalletName[] = ['funding', 'spot', 'futures'];

/** Where money may go from each wallet: futures and funding meet only in spot. */
const routes: Readonly<Record<WalletName, readonly WalletName[]>> = {
  funding: ['spot'],
  spot: ['funding', 'futures'],
  futures: ['spot'],
};

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
    names.map((value) => ({ value, label: text(walletLabel[value]) }));
  const changeFrom = (from: WalletName): void => {
    const [first] = routes[from];
    const to = routes[from].includes(route.to) ? route.to : first;
    if (to !== undefined) onChange({ ...route, from, to });
  };
  return (
    <div className="flex items-end gap-2">
      <SelectField className="grow" label={text('transfer.from')} value={route.from} choices={choicesOf(wallets)} onChange={changeFrom} />
      <IconButton label={text('transfer.swap')} className="mb-0.5" onClick={() => onChange({ ...route, from: route.to, to: route.from })}>
        <ArrowLeftRight size={16} />
      </IconButton>
      <SelectField
        className="grow"
        label={text('transfer.to')}
        value={route.to}
        choices={choicesOf(routes[route.from])}
        onChange={(to) => onChange({ ...route, to })}
      />
    </div>
  );
}

function useMovableCoins(from: WalletName): readonly string[] {
  const { rows } = useBalances();
  return (rows ?? []).filter((row) => row.balanceType === from && isPositive(row.availableBalance)).map((row) => row.coin);
}

export function TransferDialog({ initial, resolve, close }: Dialogue<true> & { readonly initial: TransferRoute }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { rows } = useBalances();
  const coins = useCoins();
  const [route, setRoute] = useState<TransferRoute>(initial);
  const [amount, setAmount] = useState('');
  const [sending, setSending] = useState(false);
  const movable = useMovableCoins(route.from);
  const coin = movable.find((candidate) => candidate === route.coin) ?? movable[0];
  const available = availableIn(rows, { wallet: route.from, coin: coin ?? '' });
  const problem = amountProblem({ text: amount, decimals: precisionOf(coins, coin ?? ''), available });

  const submit = async (): Promise<void> => {
    if (coin === undefined) return;
    setSending(true);
    try {
      await http.call('transfer', { body: { coin, amount, from: route.from, to: route.to, transferId: randomHex(16) } });
      await queryClient.invalidateQueries({ queryKey: ['balances'] });
      showSuccess(text('transfer.done', { amount: format.number(amount), coin: coinName(coin) }));
      resolve(true);
    } catch {
      setSending(false);
    }
  };

  const footer = coin !== undefined && (
    <Button kind="primary" size="large" className="grow" busy={sending} disabled={problem !== undefined} onClick={() => void submit()}>
      {problem === undefined ? text('transfer.submit', { amount: format.number(amount), coin: coinName(coin) }) : text('transfer.title')}
    </Button>
  );
  return (
    <Dialog open onClose={close} width="narrow" title={text('transfer.title')} footer={footer === false ? undefined : footer}>
      <div className="flex flex-col gap-4">
        <RouteFields
          route={route}
          onChange={(next) => {
            setRoute(next);
            setAmount('');
          }}
        />
        {coin === undefined ? (
          <Notice tone="info">{text('transfer.empty')}</Notice>
        ) : (
          <>
            <SelectField
              label={text('transfer.coin')}
              value={coin}
              choices={movable.map((value) => ({ value, label: coinName(value) }))}
              onChange={(next) => {
                setRoute({ ...route, coin: next });
                setAmount('');
              }}
            />
            <AmountField
              label={text('transfer.amount')}
              coin={coin}
              value={amount}
              onChange={setAmount}
              onMax={() => setAmount(available)}
              hint={text('transfer.available', { amount: format.number(available), coin: coinName(coin) })}
              problem={problem}
            />
          </>
        )}
      </div>
    </Dialog>
  );
}
