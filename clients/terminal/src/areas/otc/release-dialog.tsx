/** The last look before a coin goes to its buyer: what was seen to arrive, then the second factor or the signature. */
import type { OtcOrderDetail } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Fact, Facts } from '../../kit/ui/page.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { useData } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { isWhole, useFactor, waysOfMoney } from '../../platform/factors/factor.ts';
import { useSession } from '../../platform/session/session.ts';
import { walletMessage } from '../../platform/session/sign.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { coinName } from '../balances/coin-name.ts';
import { releaseOrder } from './release.ts';
import { useOtcWords } from './use-otc.ts';

const schema = Type.Object({ seen: Type.Boolean() });

export function ReleaseDialog({ order, resolve, close }: Dialogue<true> & { readonly order: OtcOrderDetail }): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const by = useActor();
  const address = useSession((state) => state.address) ?? '';
  const wallet = useWallet((state) => state.wallet);
  const reading = useData({ name: 'accountInfo', of: 'account' });
  const factor = useFactor(waysOfMoney(reading.value));
  const coin = coinName(order.coin);
  const values = { amount: words.number(order.amount), coin };
  const isSigned = reading.value !== undefined && factor.way === undefined;
  const form = useForm({
    schema,
    initial: { seen: false },
    rules: ({ seen }) => ({ seen: seen ? undefined : { message: 'otc.release.checkFirst' } }),
    async send() {
      try {
        await releaseOrder({ order, factor, address }, by);
      } catch (error) {
        throw error instanceof CallError ? error : new FormFault(walletMessage(error));
      }
      showSuccess('otc.release.done', { values });
      resolve(true);
    },
  });
  const total = words.money(order.total, order.currency);
  return (
    <FormDialog
      form={form}
      close={close}
      title={text('otc.release.title', values)}
      description={text('otc.release.lead', { name: order.counterpart.nickname })}
      action={text('otc.release.go')}
      {...(isSigned && { waiting: text(walletPrompt('sign', wallet?.type)) })}
      disabled={reading.value === undefined || !isWhole(factor) || (isSigned && wallet === undefined)}
    >
      <div className="-mx-4">
        <Facts>
          <Fact term={text('otc.takeTotal.SELL')}>{total}</Fact>
          <Fact term={text('otc.takeAmount.SELL')}>{words.exact(order.amount, order.coin)}</Fact>
          {order.payerName !== null && <Fact term={text('otc.page.payer')}>{order.payerName}</Fact>}
        </Facts>
      </div>
      <Notice tone="warn">{text('otc.page.checkHint')}</Notice>
      <Checkbox {...form.field('seen')} disabled={form.busy}>
        {text('otc.release.check', { total })}
      </Checkbox>
      <FactorField factor={factor} disabled={form.busy} />
      {isSigned && <p className="text-sm text-fg2">{text(wallet === undefined ? 'otc.release.noWallet' : 'otc.release.sign')}</p>}
      {reading.phase === 'failed' && <FailedState onRetry={reading.retry} />}
    </FormDialog>
  );
}
