/** Under the ticket of a practice contract: the way to a first liquidation, what testers may do here, and what was done last. */
import { Check } from 'lucide-react';
import { useState } from 'react';
import type { ReactElement } from 'react';
import { useData } from '../../../platform/data/use-data.ts';
import { useText } from '../../../kit/i18n/text.tsx';
import { useFormat } from '../../../kit/settings/use-format.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { classes } from '../../../kit/ui/classes.ts';
import { lazyDialog, openDialog } from '../../../kit/ui/dialogs.tsx';
import { useSignedIn } from '../../shared/account.ts';
import { useMarket } from '../../../market/market-context.tsx';
import { useContractOrders } from '../account.ts';
import type { ContractMarket } from '../../../market/contract-market.ts';
import { useContract, useQuote } from '../../../market/use-contracts.ts';
import { fillMyOrder, getPractice, liquidateMe, movePrice, openPracticePosition, skipHour } from './practice-acts.ts';
import type { PracticeStep } from './practice-steps.ts';
import { usePractice } from './use-practice.ts';

const LiquidationDialog = lazyDialog(async () => (await import('../records/liquidation-dialog.tsx')).LiquidationDialog);
const ACTIONS_SHOWN = 5;
/** What one does oneself is read at once. */
const POLL_MS = 10_000;

interface ActProps {
  readonly label: string;
  readonly kind?: 'primary' | 'secondary';
  readonly disabled?: boolean;
  readonly act: () => Promise<unknown>;
}

function Act({ label, kind = 'secondary', disabled = false, act }: ActProps): ReactElement {
  const [isBusy, setBusy] = useState(false);
  const press = async (): Promise<void> => {
    setBusy(true);
    // What was refused is in a toast.
    await act().catch(() => undefined);
    setBusy(false);
  };
  return (
    <Button size="small" kind={kind} busy={isBusy} disabled={disabled} onClick={() => void press()}>
      {label}
    </Button>
  );
}

function StepAction({
  step,
  market,
  liquidationId,
}: {
  step: PracticeStep;
  market: ContractMarket;
  liquidationId: string | undefined;
}): ReactElement {
  const text = useText();
  const format = useFormat();
  const quote = useQuote();
  const coin = market.settleName;
  switch (step.name) {
    case 'money':
      return <Act kind="primary" label={text('practice.get', { coin })} act={() => getPractice(format)} />;
    case 'position':
      return (
        <Act
          kind="primary"
          label={text('practice.step.position.action')}
          disabled={quote?.m === undefined}
          act={() => openPracticePosition(market, quote?.m ?? '0')}
        />
      );
    case 'move':
      return <Act kind="primary" label={text('practice.step.move.action')} act={() => liquidateMe(market)} />;
    case 'why': {
      const why = (): void => void openDialog(LiquidationDialog, { name: { symbol: market.wire, liquidationId: liquidationId ?? '' } });
      return (
        <Button size="small" kind="primary" onClick={why}>
          {text('practice.step.why.action')}
        </Button>
      );
    }
  }
}

function Steps({ market }: { readonly market: ContractMarket }): ReactElement {
  const text = useText();
  const { steps, liquidationId } = usePractice(market);
  const coin = market.settleName;
  return (
    <ol>
      {steps.map((step, index) => (
        <li key={step.name} className="flex gap-2.5 py-1" {...(step.state === 'current' && { 'aria-current': 'step' as const })}>
          <span
            className={classes(
              'flex size-5 shrink-0 items-center justify-center rounded-sm text-sm font-semibold',
              step.state === 'done' ? 'text-ok' : 'border',
              step.state === 'current' && 'border-bone text-fg',
              step.state === 'later' && 'border-strong text-fg3',
            )}
          >
            {step.state === 'done' ? <Check size={14} strokeWidth={2.5} role="img" aria-label={text('steps.done')} /> : index + 1}
          </span>
          <div className="min-w-0 grow">
            <p className={classes('text-md leading-5', step.state === 'current' ? 'font-semibold text-fg' : 'text-fg2')}>
              {text(`practice.step.${step.name}`, { coin })}
            </p>
            {step.state === 'current' && (
              <>
                <p className="mt-0.5 mb-2 text-sm text-fg2">{text(`practice.step.${step.name}.hint`, { coin })}</p>
                <StepAction step={step} market={market} liquidationId={liquidationId} />
              </>
            )}
          </div>
        </li>
      ))}
    </ol>
  );
}

function Tools({ market }: { readonly market: ContractMarket }): ReactElement {
  const text = useText();
  const format = useFormat();
  const resting = useContractOrders().open.value?.find(({ symbol }) => symbol === market.wire);
  return (
    <>
      <h3 className="mt-3 mb-1.5 text-sm font-semibold">{text('practice.tools')}</h3>
      <div className="flex flex-wrap gap-1.5">
        <Act label={text('practice.get', { coin: market.settleName })} act={() => getPractice(format)} />
        <Act label={text('practice.fall')} act={() => movePrice(market, '-0.05')} />
        <Act label={text('practice.rise')} act={() => movePrice(market, '0.05')} />
        <Act label={text('practice.back')} act={() => movePrice(market, '0')} />
        <Act label={text('practice.skip')} act={() => skipHour(market)} />
        {resting !== undefined && <Act label={text('practice.fill')} act={() => fillMyOrder(resting.orderId, market.sizeName)} />}
      </div>
    </>
  );
}

function LastActions({ market }: { readonly market: ContractMarket }): ReactElement | null {
  const text = useText();
  const format = useFormat();
  const actions = useData({ name: 'practiceActions', of: 'everybody', pollMs: () => POLL_MS }).value;
  const here = actions?.filter(({ symbol }) => symbol === market.wire).slice(0, ACTIONS_SHOWN) ?? [];
  if (here.length === 0) return null;
  return (
    <>
      <h3 className="mt-3 mb-1 text-sm font-semibold">{text('practice.actions')}</h3>
      <ul className="text-sm text-fg2">
        {here.map(({ id, action, by, createdTime }) => (
          <li key={id} className="flex justify-between gap-2 py-0.5">
            <span className="truncate">
              {text(`practice.action.${action}`)} · {by}
            </span>
            <span className="shrink-0 text-fg3">{format.time(createdTime)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Panel(): ReactElement {
  const text = useText();
  const market = useContract();
  const isSignedIn = useSignedIn();
  return (
    <section aria-label={text('practice.title')} className="p-2.5">
      <h2 className="text-md font-semibold">{text('practice.title')}</h2>
      <p className="mb-1.5 text-sm text-fg2">{text('practice.lead')}</p>
      {isSignedIn && <Steps market={market} />}
      {isSignedIn && <Tools market={market} />}
      <LastActions market={market} />
    </section>
  );
}

/** Nothing in other contracts. */
export function PracticePanel(): ReactElement | null {
  return useMarket().quote === 'PRACTICE' ? <Panel /> : null;
}
