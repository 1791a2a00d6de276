/** The way into the console: a passkey, or a one-time code that makes one. */
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { CallError } from '@orrery/sdk';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { Page, Section } from '../../kit/ui/page.tsx';
import { register, signIn } from './passkey.ts';

/** Passkeys are for names of hosts, never for numbers. */
const isNumber = (host: string): boolean => /^[0-9.]+$|^\[/.test(host);

function NamedHost(): ReactElement {
  const text = useText();
  const { port, protocol } = location;
  const address = `${protocol}//localhost:${port}/console`;
  return (
    <Notice tone="warn">
      {text('console.needsName')}{' '}
      <a href={address} className="underline">
        {address}
      </a>
    </Notice>
  );
}

export function SignIn(): ReactElement {
  const text = useText();
  const [code, setCode] = useState('');
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const attempt = (work: () => Promise<void>): void => {
    setBusy(true);
    setProblem(undefined);
    // What the browser says of a passkey (closed, timed out, not there) is said in its own words.
    const explain = (error: unknown): void => setProblem(error instanceof CallError ? error.msg : text('console.noPasskey'));
    void work()
      .catch(explain)
      .finally(() => setBusy(false));
  };
  const join = (event: FormEvent): void => {
    event.preventDefault();
    attempt(() => register({ code: code.trim(), name: name.trim() }));
  };
  return (
    <Page title={text('console.title')} lead={text('console.lead')} width="reading">
      {isNumber(location.hostname) && <NamedHost />}
      {problem !== undefined && <Notice tone="error">{problem}</Notice>}
      <Section title={text('console.signIn')} className="mt-4">
        <div className="flex flex-col items-start gap-3 p-4">
          <p className="text-md text-fg2">{text('console.signInLead')}</p>
          <Button kind="primary" busy={busy} onClick={() => attempt(signIn)}>
            {text('console.usePasskey')}
          </Button>
        </div>
      </Section>
      <Section title={text('console.join')}>
        <form onSubmit={join} className="flex flex-col items-start gap-3 p-4">
          <p className="text-md text-fg2">{text('console.joinLead')}</p>
          <Field className="w-full" label={text('console.code')} value={code} maxLength={64} onChange={setCode} />
          <Field
            className="w-full"
            label={text('console.name')}
            hint={text('console.nameHint')}
            value={name}
            maxLength={32}
            onChange={setName}
          />
          <Button type="submit" busy={busy} disabled={code.trim() === '' || name.trim() === ''}>
            {text('console.makePasskey')}
          </Button>
        </form>
      </Section>
    </Page>
  );
}
