/** Opens a dispute, adds evidence to it, or appeals its decision: a reason, what happened, and a receipt. */
import { OTC_APPEAL_REASONS } from '@orrery/api';
import type { OtcAppealReason, OtcOrderDetail } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { useText } from '../../kit/i18n/text.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FileField } from '../../kit/ui/file-field.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { TextArea } from '../../kit/ui/text-area.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { ask } from '../../platform/data/calls.ts';
import { RECEIPT_RULE, uploadReceipt } from './receipts.ts';

const TEXT_MAX = 1_000;

const schema = Type.Object({
  reason: Type.Enum([...OTC_APPEAL_REASONS]),
  text: Type.String({ pattern: '\\S', maxLength: TEXT_MAX }),
});

const REASONS = {
  BUY: ['NOT_RELEASED', 'OTHER'],
  SELL: ['NOT_PAID', 'WRONG_AMOUNT', 'PAID_BY_ANOTHER_NAME', 'FALSE_RECEIPT', 'PAID_TOO_LATE', 'OTHER'],
} as const satisfies Record<OtcOrderDetail['side'], readonly OtcAppealReason[]>;

const KINDS = {
  DISPUTE: { title: 'otc.dispute.title', lead: 'otc.dispute.lead' },
  EVIDENCE: { title: 'otc.evidence.title', lead: 'otc.evidence.lead' },
  APPEAL: { title: 'otc.appeal.title', lead: 'otc.appeal.lead' },
} as const;

interface AppealProps extends Dialogue<true> {
  readonly order: Pick<OtcOrderDetail, 'orderId' | 'side'>;
  readonly kind: keyof typeof KINDS;
}

export function AppealDialog({ order: { orderId, side }, kind, resolve, close }: AppealProps): ReactElement {
  const text = useText();
  const by = useActor();
  const [file, setFile] = useState<File>();
  // Uploads are counted: what was taken is not sent again after a refusal.
  const [taken] = useState(() => new WeakMap<File, string>());
  const idOf = async (chosen: File): Promise<string> => {
    const receiptId = taken.get(chosen) ?? (await uploadReceipt(orderId, chosen, by));
    taken.set(chosen, receiptId);
    return receiptId;
  };
  const form = useForm({
    schema,
    initial: { reason: REASONS[side][0], text: '' },
    async send({ reason, text: said }) {
      if (kind === 'APPEAL' && file === undefined) throw new FormFault(text('otc.appeal.needsFile'));
      const receipts = file !== undefined && { receiptIds: [await idOf(file)] };
      await ask('appealOtcOrder', { body: { orderId, reason, text: said.trim(), ...receipts } }, by);
      showSuccess(`otc.appeal.done.${kind}`);
      resolve(true);
    },
  });
  const reasons = REASONS[side].map((value) => ({ value, label: text(`otcName.reason.${value}`) }));
  return (
    <FormDialog
      form={form}
      close={close}
      title={text(KINDS[kind].title)}
      description={text(KINDS[kind].lead)}
      action={text(`otc.appeal.send.${kind}`)}
    >
      <SelectField {...form.field('reason')} label={text('otc.appeal.reason')} choices={reasons} />
      <TextArea {...form.field('text')} label={text('otc.appeal.text')} rows={4} maxLength={TEXT_MAX} />
      <FileField {...RECEIPT_RULE} label={text('otc.appeal.file')} hint={text('otc.appeal.fileHint')} value={file} onChange={setFile} />
    </FormDialog>
  );
}
