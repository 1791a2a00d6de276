/** A new campaign, as operators type it: what is wrong is said under its field. */
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { Field } from '../../kit/ui/field.tsx';
import { SelectField } from '../../kit/ui/select-field.tsx';
import { campaignOf, nothing, type BoardChoice, type Typed } from './campaign-text.ts';
import { useServerNow } from '../../platform/client/server-clock.ts';
import { consoleHttp, useAct } from '../../platform/data/operators.ts';

/** How soon a start is reported as past. */
const NOW_MS = 10_000;

export function CampaignForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [typed, setTyped] = useState(nothing);
  const [boards, setBoards] = useState<BoardChoice>('both');
  // A missing value is not reported before its field is left.
  const [tried, setTried] = useState(false);
  const body = campaignOf(typed, boards, useServerNow(NOW_MS));
  const field = (name: keyof Typed) => ({
    value: typed[name],
    error: 'boards' in body || (typed[name].trim() === '' && !tried) ? undefined : body[name],
    onChange: (value: string): void => setTyped((before) => ({ ...before, [name]: value })),
  });
  const propose = (event: FormEvent): void => {
    event.preventDefault();
    setTried(true);
    if (!('boards' in body)) return;
    act(async () => {
      await consoleHttp.call('proposeCampaign', { body });
      setTyped(nothing);
      setTried(false);
    }, 'console.proposed');
  };
  const time = { placeholder: text('console.timeForm') };
  return (
    <form onSubmit={propose} noValidate className="flex flex-col gap-3 p-4">
      <div className="grid items-start gap-3 tablet:grid-cols-3">
        <Field label={text('console.campaigns.id')} placeholder="launch-week" maxLength={60} {...field('campaignId')} />
        <Field label={text('console.name')} maxLength={100} {...field('name')} />
        <SelectField
          label={text('console.campaigns.boards')}
          value={boards}
          choices={(['both', 'VOLUME', 'PNL'] as const).map((value) => ({ value, label: text(`console.campaigns.boards.${value}`) }))}
          onChange={setBoards}
        />
        <Field label={text('console.startsUtc')} {...time} {...field('starts')} />
        <Field label={text('console.endsUtc')} {...time} {...field('ends')} />
        <Field label={text('console.campaigns.prizes')} hint={text('console.campaigns.prizesHint')} {...field('prizes')} />
      </div>
      <Button type="submit" kind="primary" className="self-start" busy={busy}>
        {text('console.campaigns.propose')}
      </Button>
    </form>
  );
}
