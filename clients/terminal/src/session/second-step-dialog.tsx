/** The second step of a login: a code of the authenticator app, or one of the backup codes. */
import { useState } from 'react';
import type { ReactElement } from 'react';
import { pastCaptcha } from '../captcha/captcha.ts';
import { http } from '../client/client.ts';
import { rejection } from '../client/failure.ts';
import { useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import type { Dialogue } from '../ui/dialogs.tsx';
import { Field } from '../ui/field.tsx';
import { OtpField } from '../ui/otp-field.tsx';

const BACKUP_LENGTH = 12;

/** Answers the access token. */
export function SecondStepDialog({ loginId, resolve, close }: Dialogue<string> & { readonly loginId: string }): ReactElement {
  const text = useText();
  const [way, setWay] = useState<'google' | 'backup'>('google');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const send = (entered: string): void => {
    setSending(true);
    setProblem(undefined);
    const body = { loginId, codes: { [way]: entered } };
    pastCaptcha((captcha) => http.load('loginSecond', { body: { ...body, ...captcha }, ignoreToken: true })).then(
      resolve,
      (error: unknown) => {
        setSending(false);
        setCode('');
        setProblem(rejection(error).message);
      },
    );
  };
  const change = (): void => {
    setWay(way === 'google' ? 'backup' : 'google');
    setCode('');
    setProblem(undefined);
  };
  const isWhole = way === 'google' ? code.length === 6 : code.length === BACKUP_LENGTH;
  const footer = (
    <>
      <Button size="large" aria-disabled={sending} onClick={change}>
        {text(way === 'google' ? 'security.useBackup' : 'security.useApp')}
      </Button>
      <Button kind="primary" size="large" busy={sending} disabled={!isWhole} onClick={() => send(code)}>
        {text('security.continue')}
      </Button>
    </>
  );
  return (
    <Dialog
      open
      onClose={close}
      width="narrow"
      title={text('security.secondTitle')}
      description={text('security.secondLead')}
      footer={footer}
    >
      {way === 'google' ? (
        <OtpField
          label={text('security.code')}
          value={code}
          onChange={setCode}
          onComplete={send}
          disabled={sending}
          {...(problem !== undefined && { error: problem })}
        />
      ) : (
        <Field
          label={text('security.backupCode')}
          value={code}
          maxLength={BACKUP_LENGTH}
          autoComplete="off"
          spellCheck={false}
          readOnly={sending}
          onChange={(event) => setCode(event.target.value.trim().toUpperCase())}
          error={problem}
        />
      )}
    </Dialog>
  );
}
