/** Deleting an account: proposed here, approved by another operator; called off by one. */
import { ERASURE_REASONS, type ErasureReason } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Checkbox } from '../../kit/ui/checkbox.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { Section } from '../../kit/ui/page.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';
import { wholeOf } from './whole.ts';

export function ErasureForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [typed, setTyped] = useState('');
  const [reasonCode, setReasonCode] = useState<ErasureReason>('REQUEST');
  const [abandon, setAbandon] = useState(false);
  const account = wholeOf(typed);
  const isComplete = account !== undefined && account > 0;
  const wrong = typed.trim() === '' || isComplete ? undefined : text('console.wrong.whole');
  const choices = ERASURE_REASONS.map((reason) => ({ value: reason, label: text(`console.erasure.${reason}`) }));
  const clear = (): void => {
    setTyped('');
    setAbandon(false);
  };
  const propose = (event: FormEvent): void => {
    event.preventDefault();
    if (account !== undefined)
      act(() => consoleHttp.call('proposeErasure', { body: { account, reasonCode, abandon } }).then(clear), 'console.proposed');
  };
  const keep = (): void => {
    if (account !== undefined) act(() => consoleHttp.call('callOffErasure', { body: { account } }).then(clear), 'console.erasure.kept');
  };
  return (
    <Section title={text('console.erasure.title')}>
      <form onSubmit={propose} className="flex flex-col gap-3 p-4">
        <p className="text-fg2">{text('console.erasure.lead')}</p>
        <div className="grid items-start gap-3 tablet:grid-cols-2">
          <Field label={text('console.erasure.account')} value={typed} error={wrong} onChange={setTyped} />
          <SelectField label={text('console.reason')} value={reasonCode} choices={choices} onChange={setReasonCode} />
        </div>
        <Checkbox value={abandon} onChange={setAbandon}>
          {text('console.erasure.abandon')}
        </Checkbox>
        <div className="flex gap-3">
          <Button type="submit" kind="danger" busy={busy} disabled={!isComplete}>
            {text('console.erasure.propose')}
          </Button>
          <Button busy={busy} disabled={!isComplete} onClick={keep}>
            {text('console.erasure.keep')}
          </Button>
        </div>
      </form>
    </Section>
  );
}
