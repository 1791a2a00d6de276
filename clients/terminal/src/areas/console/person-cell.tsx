/** Somebody of whom only the ends are shown, until an operator says why they want to see more. */
import type { PersonKind, Person } from '@orrery/api';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { Hash } from '../../kit/ui/hash.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';

const UnmaskDialog = lazyDialog(async () => (await import('./reason-dialogs.tsx')).UnmaskDialog);

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
    const reason = await openDialog(UnmaskDialog, {});
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
