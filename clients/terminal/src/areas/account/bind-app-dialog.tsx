/** Binding an authenticator app: its secret as a QR code and in letters, the code that it then shows, and the wallet's signature. */
import { STATEMENTS } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { pastCaptcha } from '../../platform/captcha/captcha.ts';
import { ask, refresh } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { FactorField } from '../../platform/factors/factor-field.tsx';
import { isWhole, useFactor, waysOfFactors } from '../../platform/factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { FailedState } from '../../kit/ui/empty-state.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { OtpField } from '../../kit/ui/otp-field.tsx';
import { QrCode } from '../../kit/ui/qr-code.tsx';
import { Spinner } from '../../kit/ui/spinner.tsx';
import { walletPrompt } from '../../platform/wallet/prompts.ts';
import { useWallet } from '../../platform/wallet/wallet-store.ts';
import { type AccountInfo, atOwnField, ownerProof, type OwnerWords } from './owner-proof.ts';
import { useActor } from '../../kit/storage/account-in-view.ts';
import type { By } from '../../kit/storage/account-in-view.ts';

const CODE_LENGTH = 6;

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
  const [currentPassword, setCurrentPassword] = useState('');
  const connector = useWallet((state) => state.wallet?.type);
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const made = useReading({ key: ['googleSecret'], of: 'account', load: () => ask('googleSecret'), retry: 'never' });
  const send = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      const codes = await bind(account, { code, currentPassword, factor, by });
      await refresh('accountInfo');
      resolve(codes);
    } catch (error) {
      setProblem(atOwnField(error).message);
      setSending(false);
    }
  };
  const isProven = account.authType !== 'NAME' || currentPassword !== '';
  const isReady = isProven && code.length === CODE_LENGTH && isWhole(factor);
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={!isReady} aria-disabled={sending} onClick={() => void send()}>
      {account.authType === 'NAME' ? text('security.save') : text(sending ? walletPrompt('sign', connector) : 'security.bind')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('security.bindTitle')} description={text('security.bindLead')} footer={footer}>
      <div className="flex flex-col gap-4">
        {made.phase === 'failed' && <FailedState onRetry={made.retry} />}
        {made.phase === 'loading' && <Spinner />}
        {made.value !== undefined && <Secret {...made.value} />}
        <OtpField label={text('security.code')} value={code} onChange={setCode} disabled={sending} />
        <FactorField factor={factor} label="security.currentCode" disabled={sending} />
        {account.authType === 'NAME' && (
          <Field
            label={text('security.currentPassword')}
            type="password"
            autoComplete="current-password"
            maxLength={128}
            value={currentPassword}
            readOnly={sending}
            onChange={setCurrentPassword}
          />
        )}
        <Notice tone="warn">{text('security.holdNotice')}</Notice>
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
