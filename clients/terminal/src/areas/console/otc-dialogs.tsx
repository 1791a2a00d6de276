/** What an arbiter is asked before an act: the reason of a decision, a payment from a deposit, and which accounts are their own. */
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { compareDecimals } from '../../kit/format/decimal.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { useForm } from '../../kit/ui/use-form.ts';

const REASON_MAX = 200;
const ADDRESSES_MAX = 10;

/** Three characters at least; spaces around them do not count. */
const reason = Type.String({ pattern: '\\S.+\\S', maxLength: REASON_MAX });
const decisionSchema = Type.Object({ reason });
const paymentSchema = Type.Object({ amount: Type.String({ pattern: '[1-9]' }), reason });
const declarationSchema = Type.Object({ addresses: Type.String({ maxLength: 600 }) });

interface DecideProps extends Dialogue<string> {
  readonly outcome: 'RELEASED' | 'RETURNED';
  /** Whose agreement it takes. */
  readonly operators: 1 | 2;
  /** The second decision is executed at once. */
  readonly isFinal: boolean;
}

export function DecideOtcDialog({ outcome, operators, isFinal, resolve, close }: DecideProps): ReactElement {
  const text = useText();
  const form = useForm({
    schema: decisionSchema,
    faults: { reason: 'console.wrong.reason' },
    initial: { reason: '' },
    send: async ({ reason: typed }) => resolve(typed.trim()),
  });
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      title={text(`otcName.decision.${outcome}`)}
      description={text(isFinal ? 'console.otc.finalLead' : 'console.otc.decideLead')}
      action={text(operators === 2 ? 'console.otc.propose' : 'console.otc.decide')}
    >
      {operators === 2 && <Notice tone="info">{text('console.otc.twoLead')}</Notice>}
      <Field {...form.field('reason')} label={text('console.reason')} hint={text('console.otc.reasonHint')} maxLength={REASON_MAX} />
    </FormDialog>
  );
}

interface Payment {
  readonly amount: string;
  readonly reason: string;
}

export function PayDialog({ deposit, resolve, close }: Dialogue<Payment> & { readonly deposit: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const form = useForm({
    schema: paymentSchema,
    faults: { reason: 'console.wrong.reason' },
    initial: { amount: '', reason: '' },
    rules: ({ amount }) => ({
      amount: compareDecimals(amount, deposit) > 0 ? { message: 'console.otc.aboveDeposit', values: { deposit } } : undefined,
    }),
    send: async (values) => resolve({ amount: values.amount, reason: values.reason.trim() }),
  });
  return (
    <FormDialog
      form={form}
      close={close}
      width="narrow"
      title={text('console.otc.pay')}
      description={text('console.otc.payLead')}
      action={text('console.otc.propose')}
      kind="danger"
    >
      <NumberField
        {...form.field('amount')}
        label={text('console.otc.amount')}
        hint={text('console.otc.atMost', { deposit: format.number(deposit) })}
        aside={<span className="text-md text-fg3">USDC</span>}
      />
      <Field {...form.field('reason')} label={text('console.reason')} maxLength={REASON_MAX} />
    </FormDialog>
  );
}

const addressesIn = (typed: string): readonly string[] => typed.split(/[\s,]+/).filter((address) => address !== '');

export function DeclareDialog({
  known,
  resolve,
  close,
}: Dialogue<readonly string[]> & { readonly known: readonly string[] }): ReactElement {
  const text = useText();
  const form = useForm({
    schema: declarationSchema,
    initial: { addresses: known.join('\n') },
    rules: ({ addresses }) => {
      const list = addressesIn(addresses);
      const isWrong = list.length > ADDRESSES_MAX || list.some((address) => !/^0x[0-9a-fA-F]{40}$/.test(address));
      return { addresses: isWrong ? { message: 'console.otc.wrongAddresses' } : undefined };
    },
    send: async ({ addresses }) => resolve([...new Set(addressesIn(addresses))]),
  });
  const typed = form.field('addresses');
  return (
    <FormDialog
      form={form}
      close={close}
      title={text('console.otc.declare')}
      description={text('console.otc.declareLead')}
      action={text(typed.value.trim() === '' ? 'console.otc.declareNone' : 'console.otc.declareThese')}
    >
      <TextArea
        {...typed}
        label={text('console.otc.addresses')}
        hint={text('console.otc.addressesHint')}
        rows={4}
        className="[&_textarea]:font-mono"
      />
    </FormDialog>
  );
}
