import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { answerOf } from '../../platform/data/calls.ts';
import { showDone } from '../../platform/client/success.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { CopyButton } from '../../kit/ui/copy-button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Fact, Facts, Section } from '../../kit/ui/page.tsx';
import { Skeleton } from '../../kit/ui/skeleton.tsx';
import { InvitedList } from './invited-list.tsx';
import { useInvite } from './use-invite.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

function OwnInvite(): ReactElement {
  const text = useText();
  const format = useFormat();
  const { invite } = useInvite();
  return (
    <Facts>
      <Fact term={text('invite.code')}>
        {invite === undefined ? (
          <Skeleton />
        ) : (
          <span className="inline-flex items-center gap-1 font-mono">
            {invite.inviteCode} <CopyButton value={invite.inviteCode} />
          </span>
        )}
      </Fact>
      <Fact term={text('invite.link')}>
        {invite === undefined ? (
          <Skeleton className="w-28" />
        ) : (
          <span className="flex items-center gap-1">
            <span className="min-w-0 truncate">{invite.inviteUrl}</span> <CopyButton value={invite.inviteUrl} />
          </span>
        )}
      </Fact>
      <Fact term={text('invite.invited')}>{invite === undefined ? <Skeleton /> : format.number(String(invite.invited))}</Fact>
      <Fact term={text('invite.reward')}>{invite === undefined ? <Skeleton /> : format.number(String(invite.reward))}</Fact>
    </Facts>
  );
}

/** The code of the inviter: entered once, before the first trade. */
function BindForm(): ReactElement {
  const text = useText();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isSending, setSending] = useState(false);
  const bind = async (): Promise<void> => {
    setSending(true);
    const { code: fault, msg } = await answerOf('bindInvite', { body: { inviteCode: code.trim() } }, actor());
    setProblem(fault === 0 ? undefined : msg);
    if (fault === 0) {
      setCode('');
      showDone('bind');
    }
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    // Without an answer nothing was bound, and the same code can be sent again.
    bind()
      .catch(() => setProblem(text('ui.loadFailed')))
      .finally(() => setSending(false));
  };
  return (
    <form onSubmit={submit} className="flex items-start gap-2 border-t border-line px-4 py-3">
      <Field
        label={text('invite.bind')}
        value={code}
        error={problem}
        hint={text('invite.bindHint')}
        className="min-w-0 grow"
        onChange={setCode}
      />
      <Button type="submit" className="mt-5" busy={isSending} disabled={code.trim() === ''}>
        {text('invite.bindButton')}
      </Button>
    </form>
  );
}

/** Invite friends: the own code and link, and what they have brought. */
export function InviteBox(): ReactElement {
  const text = useText();
  return (
    <Section title={text('invite.title')}>
      <p className="px-4 pt-3 text-sm text-fg2">{text('invite.lead')}</p>
      <OwnInvite />
      <InvitedList />
      <BindForm />
    </Section>
  );
}
