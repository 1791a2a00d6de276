/** Budgets of a day, and points given or taken back by hand: proposed here, approved by another operator. */
import { mayOperate, type Budgets } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { say, useText } from '../i18n/text.tsx';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Fact, Facts, Page, Section } from '../ui/page.tsx';
import { FailedState } from '../ui/table.tsx';
import { showSuccess } from '../ui/toast.ts';
import { consoleHttp, useAct, useWhole } from './console-http.ts';
import type { AreaProps } from './console-page.tsx';
import { wholeOf } from './whole.ts';

function BudgetForm({ budgets }: { readonly budgets: Budgets }): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [points, setPoints] = useState(String(budgets.pointsPerDay));
  const [claims, setClaims] = useState(String(budgets.faucetClaimsPerDay));
  const [pointsPerDay, faucetClaimsPerDay] = [wholeOf(points), wholeOf(claims)];
  const isChanged = pointsPerDay !== budgets.pointsPerDay || faucetClaimsPerDay !== budgets.faucetClaimsPerDay;
  const change = (event: FormEvent): void => {
    event.preventDefault();
    if (pointsPerDay === undefined || faucetClaimsPerDay === undefined) return;
    act(async () => {
      const { proposalId } = await consoleHttp.call('changeBudgets', { body: { pointsPerDay, faucetClaimsPerDay } });
      showSuccess(say(proposalId === null ? 'console.rewards.budgetsChanged' : 'console.proposed'));
    });
  };
  return (
    <form onSubmit={change} className="flex flex-wrap items-end gap-3 p-4">
      <Field label={text('console.rewards.points')} value={points} onChange={({ target }) => setPoints(target.value)} />
      <Field label={text('console.rewards.claims')} value={claims} onChange={({ target }) => setClaims(target.value)} />
      <Button
        type="submit"
        kind="primary"
        busy={busy}
        disabled={pointsPerDay === undefined || faucetClaimsPerDay === undefined || !isChanged}
      >
        {text('console.rewards.changeBudgets')}
      </Button>
    </form>
  );
}

function AwardForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [address, setAddress] = useState('');
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const points = wholeOf(typed);
  const propose = (event: FormEvent): void => {
    event.preventDefault();
    if (points === undefined) return;
    act(async () => {
      await consoleHttp.call('proposeAward', { body: { address: address.trim(), points, reason: reason.trim() } });
      setAddress('');
      setTyped('');
      setReason('');
    }, 'console.proposed');
  };
  return (
    <form onSubmit={propose} className="flex flex-wrap items-end gap-3 p-4">
      <Field className="grow" label={text('console.address')} value={address} onChange={({ target }) => setAddress(target.value)} />
      <Field label={text('console.rewards.howMany')} value={typed} onChange={({ target }) => setTyped(target.value)} />
      <Field
        className="grow"
        label={text('console.reason')}
        maxLength={200}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button type="submit" kind="primary" busy={busy} disabled={points === undefined || address.trim() === '' || reason.trim().length < 3}>
        {text('console.rewards.proposeAward')}
      </Button>
    </form>
  );
}

function ReversalForm(): ReactElement {
  const text = useText();
  const { busy, act } = useAct();
  const [key, setKey] = useState('');
  const [reason, setReason] = useState('');
  const propose = (event: FormEvent): void => {
    event.preventDefault();
    act(async () => {
      await consoleHttp.call('proposeReversal', { body: { key: key.trim(), reason: reason.trim() } });
      setKey('');
      setReason('');
    }, 'console.proposed');
  };
  return (
    <form onSubmit={propose} className="flex flex-wrap items-end gap-3 p-4">
      <Field className="grow" label={text('console.rewards.key')} value={key} onChange={({ target }) => setKey(target.value)} />
      <Field
        className="grow"
        label={text('console.reason')}
        maxLength={200}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
      <Button type="submit" kind="danger" busy={busy} disabled={key.trim().length < 3 || reason.trim().length < 3}>
        {text('console.rewards.proposeReversal')}
      </Button>
    </form>
  );
}

export function RewardsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const { data, isError, refetch } = useWhole('budgets');
  const mayPropose = mayOperate(me.role, 'operator');
  return (
    <Page title={text('console.rewards.title')} lead={text('console.rewards.lead')}>
      <Section title={text('console.rewards.budgets')}>
        {isError && <FailedState onRetry={() => void refetch()} />}
        {data !== undefined && (
          <Facts>
            <Fact term={text('console.rewards.points')}>{data.pointsPerDay}</Fact>
            <Fact term={text('console.rewards.claims')}>{data.faucetClaimsPerDay}</Fact>
          </Facts>
        )}
        {data !== undefined && mayPropose && <BudgetForm key={`${data.pointsPerDay} ${data.faucetClaimsPerDay}`} budgets={data} />}
      </Section>
      {mayPropose && (
        <Section title={text('console.rewards.award')}>
          <AwardForm />
        </Section>
      )}
      {mayPropose && (
        <Section title={text('console.rewards.reversal')}>
          <ReversalForm />
        </Section>
      )}
    </Page>
  );
}
