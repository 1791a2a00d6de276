/** The application of a merchant: a name, words for the operator, and what it costs. */
import type { OtcInfo } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import { ask } from '../../platform/data/calls.ts';
import { coinName } from '../balances/coin-name.ts';
import { availableIn, useBalances } from '../balances/use-balances.ts';
import { useOtcWords } from './use-otc.ts';

const NAME_MAX = 24;
const TEXT_MAX = 500;

const schema = Type.Object({
  name: Type.String({ pattern: '^[0-9A-Za-z][0-9A-Za-z ._-]{1,22}[0-9A-Za-z]$' }),
  text: Type.String({ pattern: '\\S', maxLength: TEXT_MAX }),
});

type ApplyProps = Dialogue<true> & Pick<OtcInfo, 'merchantDeposit' | 'depositCoin'>;

export function ApplyDialog({ merchantDeposit, depositCoin, resolve, close }: ApplyProps): ReactElement {
  const text = useText();
  const words = useOtcWords();
  const by = useActor();
  const { value: balances } = useBalances();
  const form = useForm({
    schema,
    initial: { name: '', text: '' },
    faults: { name: 'otc.merchant.applyNameFault' },
    async send({ name, text: said }) {
      await ask('applyAsOtcMerchant', { body: { name, text: said.trim() } }, by);
      resolve(true);
    },
  });
  const coin = coinName(depositCoin);
  return (
    <FormDialog
      form={form}
      close={close}
      title={text('otc.merchant.apply')}
      description={text('otc.merchant.applyLead', { deposit: words.number(merchantDeposit), coin })}
      action={text('otc.merchant.apply')}
    >
      <Notice tone="warn">{text('otc.merchant.applyRisk')}</Notice>
      <p className="text-fg2">
        {text('otc.funding', { amount: words.number(availableIn(balances, { wallet: 'funding', coin: depositCoin })), coin })}
      </p>
      <Field {...form.field('name')} label={text('otc.merchant.applyName')} maxLength={NAME_MAX} />
      <TextArea
        {...form.field('text')}
        label={text('otc.merchant.applyText')}
        hint={text('otc.merchant.applyTextHint')}
        rows={3}
        maxLength={TEXT_MAX}
      />
    </FormDialog>
  );
}
