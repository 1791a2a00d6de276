/** The mailbox of an installation for trying things out: what would have been sent to an address. */
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useData } from '../../platform/data/use-data.ts';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { EmptyState, FailedState } from '../../kit/ui/empty-state.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';

const POLL_MS = 2_000;

function Messages({ to }: { readonly to: string }): ReactElement {
  const text = useText();
  const format = useFormat();
  const { phase, value, retry } = useData({ name: 'mailbox', input: { query: { to } }, of: 'everybody', pollMs: POLL_MS, retry: 'never' });
  if (value === undefined) return phase === 'failed' ? <FailedState onRetry={retry} /> : <EmptyState>{text('mailbox.looking')}</EmptyState>;
  if (value.list.length === 0) return <EmptyState>{text('mailbox.empty', { to })}</EmptyState>;
  return (
    <ol aria-label={text('mailbox.messages')}>
      {value.list.map((message, place) => (
        <li key={`${message.time}-${value.list.length - place}`}>
          <Section
            title={message.subject === '' ? text('mailbox.textMessage') : message.subject}
            aside={<span className="text-sm text-fg3">{format.time(message.time)}</span>}
          >
            <p className="px-4 py-3 text-md whitespace-pre-line">{message.text}</p>
          </Section>
        </li>
      ))}
    </ol>
  );
}

export function MailboxPage(): ReactElement {
  const text = useText();
  const [typed, setTyped] = useState('');
  const [to, setTo] = useState('');
  const open = (event: FormEvent): void => {
    event.preventDefault();
    setTo(typed.trim().toLowerCase());
  };
  return (
    <Page width="reading" title={text('mailbox.title')} lead={text('mailbox.lead')}>
      <div className="mb-4">
        <Notice tone="info">{text('mailbox.whatItIs')}</Notice>
      </div>
      <form onSubmit={open} className="mb-5 flex items-start gap-2">
        <Field
          className="grow"
          label={text('mailbox.to')}
          hint={text('mailbox.toHint')}
          value={typed}
          maxLength={254}
          onChange={setTyped}
        />
        <Button type="submit" className="mt-5" disabled={typed.trim().length < 3}>
          {text('mailbox.open')}
        </Button>
      </form>
      {to !== '' && <Messages to={to} />}
    </Page>
  );
}
