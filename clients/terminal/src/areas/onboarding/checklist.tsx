/** The way from a wallet to the first order, with the one thing to do next. Once it has been walked, that its points wait. */
import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { Button } from '../../kit/ui/button.tsx';
import { classes } from '../../kit/ui/classes.ts';
import { AllDone } from './all-done.tsx';
import { PracticeInvitation } from './practice-invitation.tsx';
import { useStepActions } from './step-actions.ts';
import type { NewcomerStep } from './steps.ts';
import { useSteps } from './use-steps.ts';

function Mark({ step, place }: { readonly step: NewcomerStep; readonly place: number }): ReactElement {
  const text = useText();
  if (step.state === 'done') {
    return (
      <span className="flex size-5 shrink-0 items-center justify-center rounded-sm text-ok">
        <Check size={14} strokeWidth={2.5} role="img" aria-label={text('steps.done')} />
      </span>
    );
  }
  return (
    <span
      className={classes(
        'flex size-5 shrink-0 items-center justify-center rounded-sm border text-sm font-semibold',
        step.state === 'current' ? 'border-bone text-fg' : 'border-strong text-fg3',
      )}
    >
      {place}
    </span>
  );
}

interface StepRowProps {
  readonly step: NewcomerStep;
  readonly place: number;
  /** The page has another button for it, which is the primary one. */
  readonly isOnPage: boolean;
  readonly onAct: () => unknown;
}

function StepRow({ step, place, isOnPage, onAct }: StepRowProps): ReactElement {
  const text = useText();
  const isCurrent = step.state === 'current';
  return (
    <li className="flex gap-2.5 py-1" {...(isCurrent && { 'aria-current': 'step' as const })}>
      <Mark step={step} place={place} />
      <div className="min-w-0 grow">
        <p className={classes('text-md leading-5', isCurrent ? 'font-semibold text-fg' : 'text-fg2')}>{text(step.title)}</p>
        {isCurrent && (
          <>
            <p className="mt-0.5 mb-2 text-sm text-fg2">{text(step.hint)}</p>
            <Button kind={isOnPage ? 'secondary' : 'primary'} size="small" onClick={() => void onAct()}>
              {text(step.action)}
            </Button>
          </>
        )}
      </div>
    </li>
  );
}

export interface ChecklistProps {
  /** On the trading page the ticket itself is the last step's action. */
  readonly onFirstOrder?: () => void;
  /** The steps for which the page itself has a button. */
  readonly onPage?: readonly NewcomerStep['name'][];
}

export function Checklist({ onFirstOrder, onPage = [] }: ChecklistProps): ReactElement | null {
  const text = useText();
  const actions = useStepActions();
  const { steps, isKnown } = useSteps();
  const done = steps.filter((step) => step.state === 'done').length;
  if (!isKnown) return null;
  if (done === steps.length)
    return (
      <>
        <AllDone />
        <PracticeInvitation />
      </>
    );
  return (
    <section aria-label={text('steps.title')} className="p-2.5">
      <div className="mb-1.5 flex items-baseline justify-between">
        <h2 className="text-md font-semibold">{text('steps.title')}</h2>
        <span className="text-sm text-fg3">{text('steps.progress', { done, total: steps.length })}</span>
      </div>
      <ol>
        {steps.map((step, index) => (
          <StepRow
            key={step.name}
            step={step}
            place={index + 1}
            isOnPage={onPage.includes(step.name)}
            onAct={step.name === 'order' && onFirstOrder !== undefined ? onFirstOrder : actions[step.name]}
          />
        ))}
      </ol>
      <PracticeInvitation />
    </section>
  );
}
