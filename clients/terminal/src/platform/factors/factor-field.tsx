/** The field of the second factor: a code to be typed, or the word that the passkey is asked for next; and the way to another one. */
import type { ReactElement } from 'react';
import type { MessageId } from '../../kit/i18n/catalog.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { OtpField } from '../../kit/ui/otp-field.tsx';
import type { Factor, FactorState } from './factor.ts';

const BACKUP_LENGTH = 12;

const INSTEAD: Readonly<Record<Factor, MessageId>> = {
  google: 'security.useApp',
  passkey: 'security.usePasskey',
  backup: 'security.useBackup',
};

export interface FactorFieldProps {
  readonly factor: FactorState;
  /** Of the code of the app. */
  readonly label?: MessageId;
  readonly disabled?: boolean;
  readonly error?: string | undefined;
  /** Called when the last digit of a code is entered. */
  readonly onComplete?: (code: string) => void;
}

export function FactorField({ factor, label = 'security.code', disabled = false, error, onComplete }: FactorFieldProps): ReactElement {
  const text = useText();
  const { ways, way, code, choose, enter } = factor;
  const others = ways.filter((other) => other !== way);
  const complete = onComplete !== undefined && { onComplete };
  return (
    <>
      {way === 'google' && <OtpField label={text(label)} value={code} onChange={enter} disabled={disabled} {...complete} error={error} />}
      {way === 'backup' && (
        <Field
          label={text('security.backupCode')}
          value={code}
          maxLength={BACKUP_LENGTH}
          readOnly={disabled}
          onChange={(typed) => enter(typed.trim().toUpperCase())}
          error={error}
        />
      )}
      {way === 'passkey' && <p className="text-fg2">{text('security.passkeyNext')}</p>}
      {way === 'passkey' && error !== undefined && (
        <p role="alert" className="text-error">
          {error}
        </p>
      )}
      {others.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {others.map((other) => (
            <Button key={other} size="small" aria-disabled={disabled} onClick={() => choose(other)}>
              {text(INSTEAD[other])}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}
