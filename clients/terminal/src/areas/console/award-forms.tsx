/** Points by hand, and for bug reports: proposed here, approved by another operator. */
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';
import { POINTS_MAX } from './prize-text.ts';
import { wholeOf } from './whole.ts';

const nothing = { address: '', points: '', why: '' };

interface Reported {
  readonly address: string;
  readonly points: number;
  readonly why: string;
}

interface FormProps {
  /** Of the field that says what it is for. */
  readonly label: string;
  readonly hint?: string;
  readonly isWhy: (typed: string) => boolean;
  readonly wrongWhy: string;
  readonly action: string;
  readonly propose: (reported: Reported) => Promise<unknown>;
}

function Form({ label, hint, isWhy, wrongWhy, action, propose }: FormProps): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [typed, setTyped] = useState(nothing);
  const points = wholeOf(typed.points);
  const [address, why] = [typed.address.trim(), typed.why.trim()];
  const wrong = {
    address: /^0x[0-9a-fA-F]{40}$/.test(address) ? undefined : text('console.wrong.address'),
    points:
      points === undefined || points === 0 ? text('console.wrong.whole') : points > POINTS_MAX ? text('console.wrong.most') : undefined,
    why: isWhy(why) ? undefined : wrongWhy,
  };
  const field = (name: 'address' | 'why') => ({
    value: typed[name],
    error: typed[name].trim() === '' ? undefined : wrong[name],
    onChange: (value: string): void => setTyped((before) => ({ ...before, [name]: value })),
  });
  const isWhole = Object.values(wrong).every((fault) => fault === undefined);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (points === undefined || !isWhole) return;
    act(async () => {
      await propose({ address, points, why });
      setTyped(nothing);
    }, 'console.proposed');
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-3 p-4">
      <div className="grid items-start gap-3 tablet:grid-cols-[minmax(0,2fr)_8rem_minmax(0,2fr)]">
        <Field label={text('console.address')} {...field('address')} />
        <NumberField
          label={text('console.rewards.howMany')}
          value={typed.points}
          error={typed.points === '' ? undefined : wrong.points}
          onChange={(next) => setTyped((before) => ({ ...before, points: next }))}
        />
        <Field label={label} hint={hint} maxLength={200} {...field('why')} />
      </div>
      <Button type="submit" kind="primary" className="self-start" busy={busy} disabled={!isWhole}>
        {action}
      </Button>
    </form>
  );
}

export function AwardForm(): ReactElement {
  const text = useText();
  return (
    <Form
      label={text('console.reason')}
      isWhy={(typed) => typed.length >= 3}
      wrongWhy={text('console.wrong.reason')}
      action={text('console.rewards.proposeAward')}
      propose={({ address, points, why }) => consoleHttp.call('proposeAward', { body: { address, points, reason: why } })}
    />
  );
}

export function BugReportForm(): ReactElement {
  const text = useText();
  return (
    <Form
      label={text('console.rewards.reference')}
      hint={text('console.rewards.referenceHint')}
      isWhy={(typed) => /^[!-~]{2,200}$/.test(typed)}
      wrongWhy={text('console.wrong.reference')}
      action={text('console.rewards.proposeAward')}
      propose={({ address, points, why }) => consoleHttp.call('proposeBugReport', { body: { address, points, reference: why } })}
    />
  );
}
