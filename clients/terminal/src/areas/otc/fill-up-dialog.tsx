/** A deposit that has paid for a dispute is filled up: what that changes, before it is done. */
import type { Balance, OtcInfo, OtcMerchantInfo } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { compareDecimals, subtractDecimals } from '../../kit/format/decimal.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import { ask } from '../../platform/data/calls.ts';
import { coinName } from '../balances/coin-name.ts';
import { availableIn, useBalances } from '../balances/use-balances.ts';
import { useOtcWords } from './use-otc.ts';

const schema = Type.Object({});

type FillUpProps = Dialogue<true> & Pick<OtcInfo, 'merchantDeposit' | 'depositCoin'> & Pick<OtcMerchantInfo, 'deposit'>;

export function FillUpDialog({ deposit, merchantDeposit, depositCoin, resolve, close }: FillUpProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const by = useActor();
  const read = useBalances();
  const form = useForm({
    schema,
    initial: {},
    async send() {
      await ask('applyAsOtcMerchant', { body: {} }, by);
      resolve(true);
    },
  });
  const coin = coinName(depositCoin);
  const missing = subtractDecimals(merchantDeposit, deposit);
  const fundingOf = (balances: readonly Balance[]): string => availableIn(balances, { wallet: 'funding', coin: depositCoin });
  const isEnough = (funding: string): boolean => compareDecimals(funding, missing) >= 0;
  const change = (before: string, after: string): string =>
    text('otc.merchant.fillUpChange', { before: words.number(before), after: words.number(after), coin });
  return (
    <FormDialog
      form={form}
      close={close}
      title={text('otc.merchant.fillUp')}
      description={text('otc.merchant.fillUpLead')}
      action={text('otc.merchant.fillUp')}
      disabled={read.value === undefined || !isEnough(fundingOf(read.value))}
    >
      <LoadedPanel read={read} loading={<Skeleton className="h-16 w-full" />}>
        {(balances) => {
          const funding = fundingOf(balances);
          return isEnough(funding) ? (
            <Facts>
              <Fact term={text('otc.merchant.deposit')}>{change(deposit, merchantDeposit)}</Fact>
              <Fact term={text('otc.merchant.fillUpFunding')}>{change(funding, subtractDecimals(funding, missing))}</Fact>
            </Facts>
          ) : (
            <Notice tone="warn">{text('otc.merchant.fillUpShort')}</Notice>
          );
        }}
      </LoadedPanel>
    </FormDialog>
  );
}
