/** Binding an authenticator app: its secret as a QR code and in letters, the code that it then shows, and the wallet's signature. */
import { STATEMENTS } from '@orrery/api';
import type { ReactElement } from 'react';
import { Type } from 'typebox';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { isWhole, useFactor, waysOfFactors } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { FormDialog } from '../../kit/ui/form-dialog.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { OtpField } from '../../kit/ui/otp-field.tsx';
import { QrCode } from '../../kit/ui/qr-code.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { useForm } from '../../kit/ui/use-form.ts';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { type AccountInfo, atOwnField, ownerProof, type OwnerWords } from './owner-proof.ts';
import { PasswordField } from './password-field.tsx';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';

const CODE_LENGTH = 6;
const schema = Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$' }), currentPassword: Type.String({ maxLength: 128 }) });

async function bind(
  account: AccountInfo,
  { code, by, ...words }: OwnerWords & { readonly code: string; readonly by: By },
): Promise<readonly string[]> {
  const asked = { purpose: 'security', statement: STATEMENTS.security } as const;
  // The code of the app that is bound goes by a name of its own here.
  const { google, ...proof } = await ownerProof(account, words, asked);
  const body = { code, ...proof, ...(google !== undefined && { current: google }) };
  const { backupCodes } = await pastCaptcha((captcha) => ask('bindGoogle', { body: { ...body, ...captcha } }, by));
  return backupCodes;
}

function Secret({ secret, uri }: { readonly secret: string; readonly uri: string }): ReactElement {
  const text = useText();
  return (
    <div className="flex flex-col items-center gap-3">
      <QrCode value={uri} label={text('security.qr')} />
      <p className="flex items-center gap-2 font-mono text-sm">
        <span className="break-all">{secret.match(/.{4}/g)?.join(' ')}</span>
        <CopyButton value={secret} />
      </p>
    </div>
  );
}

/** Answers the backup codes. */
export function BindAppDialog({ account, resolve, close }: Dialogue<readonly string[]> & { readonly account: AccountInfo }): ReactElement {
  const text = useText();
  const by = useActor();
  const factor = useFactor(waysOfFactors(account));
  const hasWallet = account.authType !== 'NAME';
  const connector = useWallet((state) => state.wallet?.type);
  const made = useReading({ key: ['googleSecret'], of: 'account', load: () => ask('googleSecret'), retry: 'never' });
  const form = useForm({
    schema,
    initial: { code: '', currentPassword: '' },
    async send(values) {
      try {
        const codes = await bind(account, { ...values, factor, by });
        await refresh('accountInfo');
        resolve(codes);
      } catch (error) {
        throw atOwnField(error);
      }
    },
  });
  const [code, password] = [form.field('code'), form.field('currentPassword')];
  return (
    <FormDialog
      title={text('security.bindTitle')}
      description={text('security.bindLead')}
      action={text(hasWallet ? 'security.bind' : 'security.save')}
      waiting={hasWallet ? text(walletPrompt('sign', connector)) : undefined}
      disabled={code.value.length < CODE_LENGTH || !isWhole(factor) || (!hasWallet && password.value === '')}
      form={form}
      close={close}
    >
      {made.phase === 'failed' && <FailedState onRetry={made.retry} />}
      {made.phase === 'loading' && <Spinner />}
      {made.value !== undefined && <Secret {...made.value} />}
      <OtpField {...code} label={text('security.code')} disabled={form.busy} />
      <FactorField factor={factor} label="security.currentCode" disabled={form.busy} />
      {!hasWallet && <PasswordField {...password} label={text('security.currentPassword')} isNew={false} />}
      <Notice tone="warn">{text('security.holdNotice')}</Notice>
    </FormDialog>
  );
}
