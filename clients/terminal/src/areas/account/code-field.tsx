/** The one-time code: the button that has it sent, and the field it is typed or pasted into. */
import type { SentCode } from '@orrery/api';
import { CallError } from '@orrery/sdk';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import type { FormControl } from '../../kit/ui/control.ts';
import { Notice } from '../../kit/ui/notice.tsx';
import { OtpField } from '../../kit/ui/otp-field.tsx';
import { FormFault } from '../../kit/ui/use-form.ts';
import { useNow } from '../../kit/ui/use-now.ts';

/** Of a code, unless the exchange says another length: then it has letters too. */
const DIGITS = 6;

export interface CodeFieldProps extends FormControl<string> {
  /** Has a code sent. @returns how long it is, and seconds until another one may be sent. */
  readonly send: () => Promise<SentCode>;
  readonly disabled: boolean;
}

export function CodeField({ send, disabled, ...control }: CodeFieldProps): ReactElement {
  const text = useText();
  const now = useNow(1_000);
  const [againAt, setAgainAt] = useState(0);
  const [length, setLength] = useState(DIGITS);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const waitSeconds = Math.ceil((againAt - now) / 1_000);
  const ask = async (): Promise<void> => {
    setSending(true);
    setProblem(undefined);
    try {
      const { againInSeconds, codeLength } = await send();
      setAgainAt(Date.now() + againInSeconds * 1_000);
      setLength(codeLength);
      control.onChange('');
    } catch (error) {
      setProblem(error instanceof CallError || error instanceof FormFault ? error.message : text('ui.form.notSent'));
    } finally {
      setSending(false);
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <Button className="self-start" busy={sending} disabled={disabled || waitSeconds > 0} onClick={() => void ask()}>
        {waitSeconds > 0 ? text('auth.sendAgainIn', { seconds: waitSeconds }) : text('auth.sendCode')}
      </Button>
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      {againAt > 0 && problem === undefined && (
        <p role="status" className="text-sm text-fg2">
          {text('auth.codeSent')}
        </p>
      )}
      <OtpField {...control} label={text('auth.code')} length={length} alphabet={length === DIGITS ? 'digits' : 'alphanumeric'} />
    </div>
  );
}
