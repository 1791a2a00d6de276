/** The last word before an account is deleted: what happens and when, and the proof that its owner is here. */
import { ERASURE_STATEMENT } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { useFactor, waysOf } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { FormFault, useForm } from '../../kit/ui/use-form.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { atOwnField, type AccountInfo, ownerProof } from './owner-proof.ts';
import { PasswordField } from './password-field.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';

const schema = Type.Object({ abandon: Type.Boolean(), currentPassword: Type.String({ maxLength: 128 }) });

interface Asked {
  readonly account: AccountInfo;
  readonly waitSeconds: number;
}

/** What belongs to no field of this form is said under all of them. */
const faultOf = (error: unknown): Error =>
  error instanceof CallError && ['AccountNotEmpty', 'AlreadyThere'].includes(error.reason ?? '')
    ? new FormFault(error.msg)
    : atOwnField(error);

export function DeleteAccountDialog({ account, waitSeconds, resolve, close }: Dialogue<true> & Asked): ReactElement {
  const text = useText();
  const by = useActor();
  const format = useFormat();
  const connector = useWallet((state) => state.wallet?.type);
  const [openedAt] = useState(Date.now);
  const hasWallet = account.authType !== 'NAME';
  const factor = useFactor(waysOf(account));
  const form = useForm({
    schema,
    initial: { abandon: false, currentPassword: '' },
    async send({ abandon, currentPassword }) {
      try {
        const proof = await ownerProof(account, { currentPassword, factor }, { purpose: 'erasure', statement: ERASURE_STATEMENT });
        await pastCaptcha((captcha) => ask('eraseAccount', { body: { abandon, ...proof, ...captcha } }, by));
        await refresh('erasure');
        resolve(true);
      } catch (error) {
        throw faultOf(error);
      }
    },
  });
  return (
    <FormDialog
      title={text('security.deleteTitle')}
      action={text(hasWallet ? 'security.deleteSign' : 'security.delete')}
      waiting={hasWallet ? text(walletPrompt('sign', connector)) : undefined}
      kind="danger"
      form={form}
      close={close}
    >
      <p className="text-fg2">{text('security.deleteLead')}</p>
      <p className="text-fg2">{text('security.deleteWhen', { time: format.time(openedAt + waitSeconds * 1_000) })}</p>
      <Checkbox {...form.field('abandon')}>{text('security.abandon')}</Checkbox>
      {!hasWallet && <PasswordField {...form.field('currentPassword')} label={text('security.currentPassword')} isNew={false} />}
      <FactorField factor={factor} disabled={form.busy} />
    </FormDialog>
  );
}
