/** Binding an authenticator app: its secret as a QR code and in letters, the code that it then shows, and the wallet's signature. */
import { STATEMENTS } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { ask, refresh } from '../data/calls.ts';
import { useReading } from '../data/use-data.ts';
import { useText } from '../i18n/text.tsx';
import { signFor, useSession } from '../session/session.ts';
import { walletMessage } from '../session/sign.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Notice } from '../ui/notice.tsx';
import { OtpField } from '../ui/otp-field.tsx';
import { QrCode } from '../ui/qr-code.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { walletPrompt } from '../wallet/prompts.ts';
import { useWallet } from '../wallet/wallet-store.ts';

const CODE_LENGTH = 6;

interface Codes {
  readonly code: string;
  /** Of the app that is bound already. */
  readonly current: string | undefined;
}

async function bind(owner: string, { code, current }: Codes): Promise<readonly string[]> {
  const signed = await signFor({ address: owner, purpose: 'security', statement: STATEMENTS.security });
  const body = { code, ...signed, ...(current !== undefined && { current }) };
  const { backupCodes } = await ask('bindGoogle', { body });
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
export function BindAppDialog({ isBound, resolve, close }: Dialogue<readonly string[]> & { readonly isBound: boolean }): ReactElement {
  const text = useText();
  const owner = useSession((state) => state.address);
  const connector = useWallet((state) => state.wallet?.type);
  const [code, setCode] = useState('');
  const [current, setCurrent] = useState('');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const made = useReading({ key: ['googleSecret'], of: 'account', load: () => ask('googleSecret'), retry: 'never' });
  const send = async (): Promise<void> => {
    if (owner === undefined) return close();
    setSending(true);
    setProblem(undefined);
    try {
      const codes = await bind(owner, { code, current: isBound ? current : undefined });
      await refresh('accountInfo');
      resolve(codes);
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : walletMessage(error));
      setSending(false);
    }
  };
  const isWhole = code.length === CODE_LENGTH && (!isBound || current.length === CODE_LENGTH);
  const footer = (
    <Button kind="primary" size="large" className="grow" disabled={!isWhole || sending} onClick={() => void send()}>
      {text(sending ? walletPrompt('sign', connector) : 'security.bind')}
    </Button>
  );
  return (
    <Dialog open onClose={close} title={text('security.bindTitle')} description={text('security.bindLead')} footer={footer}>
      <div className="flex flex-col gap-4">
        {made.value === undefined ? <Spinner /> : <Secret {...made.value} />}
        <OtpField label={text('security.code')} value={code} onChange={setCode} disabled={sending} />
        {isBound && <OtpField label={text('security.currentCode')} value={current} onChange={setCurrent} disabled={sending} />}
        <Notice tone="warn">{text('security.holdNotice')}</Notice>
        {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      </div>
    </Dialog>
  );
}
