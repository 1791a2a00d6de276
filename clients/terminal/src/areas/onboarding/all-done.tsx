/** At the end of a newcomer's way: that it is done, and that its points wait. Gone when they are claimed or when it is put away. */
import { Check, X } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useSession } from '../../platform/session/session.ts';
import { useTasks } from '../tasks/use-tasks.ts';
import { stepsPutAway } from '../../kit/storage/remembered.ts';
import { IconButton } from '../../kit/ui/icon-button.tsx';
import { LinkButton } from '../../kit/ui/link-button.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';

const CLAIMABLE = 1;

export function AllDone(): ReactElement | null {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  const [putAway, setPutAway] = useState(stepsPutAway.read);
  if (address === undefined || putAway[address] !== undefined) return null;
  const dismiss = (): void => {
    const next = { ...stepsPutAway.read(), [address]: 'yes' };
    stepsPutAway.write(next);
    setPutAway(next);
  };
  return <WaitingPoints onDismiss={dismiss} />;
}

/** Of the tasks whose reward waits. */
function WaitingPoints({ onDismiss }: { readonly onDismiss: () => void }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const { value: tasks = [] } = useTasks();
  const points = tasks.filter(({ status }) => status === CLAIMABLE).reduce((sum, { reward }) => sum + reward, 0);
  if (points === 0) return null;
  return (
    <section aria-label={text('steps.complete')} className="p-2.5">
      <div className="flex items-start gap-2.5">
        <Check size={16} strokeWidth={2.5} className="mt-1 shrink-0 text-ok" aria-hidden="true" />
        <div className="min-w-0 grow">
          <h2 className="text-md leading-6 font-semibold">{text('steps.complete')}</h2>
          <p className="mb-2 text-sm text-fg2">{text('steps.points', { points: format.number(String(points)) })}</p>
          <LinkButton to="/points" kind="primary" size="small">
            {text('steps.points.action')}
          </LinkButton>
        </div>
        <IconButton label={text('ui.dismiss')} className="-me-1 size-7" onClick={onDismiss}>
          <X size={14} />
        </IconButton>
      </div>
    </section>
  );
}
