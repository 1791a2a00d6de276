/** Pays into a fund. What it costs is certain, how many shares it brings is not: the next NAV is known to nobody. */
import type { FundDetail, FundShare } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type, type Static } from 'typebox';
import { addDecimals, compareDecimals, subtractDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import type { FieldIssue } from '../../kit/ui/use-form.ts';
import { AmountField } from '../balances/amount-field.tsx';
import { coinName } from '../balances/coin-name.ts';
import { availableIn, useBalances } from '../balances/use-balances.ts';
import { useAmountProblem } from '../balances/use-amount-problem.ts';
import { durationText } from './duration-text.ts';
import { Receipt } from './receipt.tsx';
import { SentRequest, useRequest } from './use-request.tsx';

const schema = Type.Object({ amount: Type.String() });

export interface SubscribeProps {
  readonly fund: FundDetail;
  readonly share: FundShare | undefined;
}

export function SubscribeDialog({ fund, share, resolve, close }: SubscribeProps & Dialogue<true>): ReactElement {
  const text = useText();
  const format = useFormat();
  const { fundId, name, coin, minSubscription } = fund;
  const balances = useBalances();
  const available = availableIn(balances.value, { wallet: 'funding', coin });
  const typedProblem = useAmountProblem();
  const once = useRequest('subscribe', () => resolve(true));
  const problemOf = ({ amount }: Static<typeof schema>): FieldIssue | undefined =>
    typedProblem({ text: amount, coin, available }) ??
    (compareDecimals(amount, minSubscription) < 0
      ? { message: 'quanto.least', values: { amount: `${format.number(minSubscription)} ${coinName(coin)}` } }
      : undefined);
  const form = useForm({
    schema,
    initial: { amount: '' },
    rules: (values) => ({ amount: problemOf(values) }),
    send: ({ amount }) => once.submit({ kind: 'subscribe', fundId, amount }),
  });
  const title = text('quanto.subscribeTo', { name });
  if (once.open !== undefined && once.phase === 'unanswered')
    return <SentRequest title={title} sent={once.open} once={once} onClose={close} />;
  const amount = form.field('amount');
  const isValid = problemOf({ amount: amount.value }) === undefined;
  const money = (value: string): string => `${format.own(value, { decimals: 2 })} ${coinName(coin)}`;
  const waiting = share?.waiting ?? '0';
  return (
    <FormDialog form={form} close={close} width="narrow" title={title} action={text('quanto.subscribe')}>
      <LoadedPanel read={balances} loading={<Skeleton className="h-24 w-full" />}>
        {() => (
          <AmountField
            {...amount}
            label={text('quanto.amount')}
            coin={coin}
            onMax={() => amount.onChange(available)}
            hint={text('quanto.available', { amount: money(available) })}
          />
        )}
      </LoadedPanel>
      <Receipt
        fund={fund}
        rows={[
          {
            label: text('quanto.fundingWallet'),
            before: money(available),
            after: isValid ? money(subtractDecimals(available, amount.value)) : undefined,
          },
          {
            label: text('quanto.waitingMoney'),
            before: money(waiting),
            after: isValid ? money(addDecimals(waiting, amount.value)) : undefined,
          },
        ]}
      >
        <p>{text('quanto.priceUnknown')}</p>
        <p>{text('quanto.subscribeTerms', { lock: durationText(text, fund.lockMs), fee: fund.performanceFee })}</p>
      </Receipt>
    </FormDialog>
  );
}
