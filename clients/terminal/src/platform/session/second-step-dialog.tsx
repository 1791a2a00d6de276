/** The second step of a login: a passkey, a code of the authenticator app, or one of the backup codes. */
import type { SecondStep } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { pastCaptcha } from '../captcha/captcha.ts';
import { http } from '../client/client.ts';
import { FactorField } from '../factors/factor-field.tsx';
import { type Factor, type FactorState, type GivenFactor, give, isWhole, useFactor } from '../factors/factor.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import type { Dialogue } from '../../kit/ui/dialogs.tsx';
import { loadCode } from '../../kit/ui/load-code.ts';

/** What a false page can not ask for comes first. */
const ORDER: readonly Factor[] = ['passkey', 'google', 'backup'];

async function codesOf(loginId: string, { way, code }: Pick<FactorState, 'way' | 'code'>): Promise<GivenFactor> {
  if (way !== 'passkey') return give({ way, code });
  const asked = await http.load('loginPasskey', { body: { loginId }, ignoreToken: true });
  const { provePasskey } = await loadCode(() => import('../factors/passkey.ts'));
  return { passkey: await provePasskey(asked) };
}

/** Answers the access token. */
export function SecondStepDialog({ loginId, factors, resolve, close }: Dialogue<string> & SecondStep): ReactElement {
  const text = useText();
  const factor = useFactor(ORDER.filter((way) => factors.includes(way)));
  const [problem, setProblem] = useState<string>();
  const [sending, setSending] = useState(false);
  const send = async (code: string): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      const codes = await codesOf(loginId, { way: factor.way, code });
      resolve(await pastCaptcha((captcha) => http.load('loginSecond', { body: { loginId, codes, ...captcha }, ignoreToken: true })));
    } catch (error) {
      setSending(false);
      factor.enter('');
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const choose = (way: Factor): void => {
    factor.choose(way);
    setProblem(undefined);
  };
  const footer = (
    <Button kind="primary" size="large" className="grow" busy={sending} disabled={!isWhole(factor)} onClick={() => void send(factor.code)}>
      {text(factor.way === 'passkey' ? 'security.usePasskey' : 'security.continue')}
    </Button>
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
      <div className="flex flex-col gap-4">
        <FactorField factor={{ ...factor, choose }} disabled={sending} error={problem} onComplete={(code) => void send(code)} />
      </div>
    </Dialog>
  );
}
