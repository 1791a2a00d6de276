/** Somebody of whom only the ends are shown, until an operator says why they want to see more. */
import type { PersonKind, Person } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Dialog } from '../../kit/ui/dialog.tsx';
import { openDialog, type Dialogue } from '../../kit/ui/dialogs.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';

const REASON_MIN = 3;

function ReasonDialog({ resolve, close }: Dialogue<string>): ReactElement {
  const text = useText();
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    resolve(reason.trim());
  };
  return (
    <Dialog open onClose={close} width="narrow" title={text('console.unmask.title')}>
      <form onSubmit={submit} className="flex flex-col gap-3">
        <p className="text-fg2">{text('console.unmask.lead')}</p>
        <Field label={text('console.reason')} maxLength={200} value={reason} onChange={setReason} />
        <Button type="submit" kind="primary" size="large" disabled={reason.trim().length < REASON_MIN}>
          {text('console.unmask.show')}
        </Button>
      </form>
    </Dialog>
  );
}

export interface PersonCellProps {
  readonly kind: PersonKind;
  readonly id: number;
  /** Masked. */
  readonly address: string;
  readonly email?: string | null;
  readonly mayShow: boolean;
}

export function PersonCell({ kind, id, address, email = null, mayShow }: PersonCellProps): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [person, setPerson] = useState<Person>();
  const show = async (): Promise<void> => {
    const reason = await openDialog(ReasonDialog, {});
    if (reason === undefined) return;
    act(async () => {
      const seen = await consoleHttp.call('unmask', { body: { kind, id, reason } });
      setPerson(seen);
      showSuccess('console.unmask.shown', { values: { left: seen.left } });
    });
  };
  const shownEmail = person?.email ?? email;
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2.5 gap-y-1 py-1">
      {person === undefined ? <span className="font-mono text-sm">{address}</span> : <Hash value={person.address} />}
      {shownEmail !== null && <span>{shownEmail}</span>}
      {person === undefined && mayShow && (
        <Button size="small" busy={busy} onClick={() => void show()}>
          {text('console.unmask.show')}
        </Button>
      )}
    </span>
  );
}
