/** Budgets of a day, and points given or taken back by hand: proposed here, approved by another operator. */
import { useSearch } from '@tanstack/react-router';
import { mayOperate, type Budgets } from '@orrery/api';
import { useState } from 'react';
import type { FormEvent, ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { useFormat } from '../../kit/settings/use-format.ts';
import { Button } from '../../kit/ui/button.tsx';
import { NumberField } from '../../kit/ui/number-field.tsx';
import { Fact, Facts, Page, Section } from '../../kit/ui/page.tsx';
import { showSuccess } from '../../kit/ui/toast.ts';
import { AwardForm, BugReportForm } from './award-forms.tsx';
import { consoleHttp, useAct, useWhole } from '../../platform/data/operators.ts';
import type { AreaProps } from './area.ts';
import { AwardsOf, ReversalForm } from './reversal.tsx';
import { wholeOf } from './whole.ts';
import { LoadedPanel } from '../../kit/ui/loaded-panel.tsx';

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
      showSuccess(proposalId === null ? 'console.rewards.budgetsChanged' : 'console.proposed');
    });
  };
  return (
    <form onSubmit={change} className="flex flex-wrap items-end gap-3 p-4">
      <NumberField label={text('console.rewards.points')} value={points} onChange={setPoints} />
      <NumberField label={text('console.rewards.claims')} value={claims} onChange={setClaims} />
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

export function RewardsArea({ me }: AreaProps): ReactElement {
  const text = useText();
  const format = useFormat();
  const { award = '' } = useSearch({ strict: false });
  const [key, setKey] = useState(award);
  const budgets = useWhole('budgets');
  const mayPropose = mayOperate(me.role, 'operator');
  return (
    <Page title={text('console.rewards.title')} lead={text('console.rewards.lead')}>
      <Section title={text('console.rewards.budgets')}>
        <LoadedPanel read={budgets}>
          {(data) => (
            <>
              <Facts>
                <Fact term={text('console.rewards.points')}>{format.number(String(data.pointsPerDay))}</Fact>
                <Fact term={text('console.rewards.claims')}>{format.number(String(data.faucetClaimsPerDay))}</Fact>
              </Facts>
              {mayPropose && <BudgetForm key={`${data.pointsPerDay} ${data.faucetClaimsPerDay}`} budgets={data} />}
            </>
          )}
        </LoadedPanel>
      </Section>
      {mayPropose && (
        <>
          <Section title={text('console.rewards.award')}>
            <AwardForm />
          </Section>
          <Section title={text('console.rewards.bugReport')}>
            <BugReportForm />
          </Section>
          <AwardsOf onTakeBack={setKey} />
          <Section title={text('console.rewards.reversal')}>
            <ReversalForm award={key} onAward={setKey} />
          </Section>
        </>
      )}
    </Page>
  );
}
