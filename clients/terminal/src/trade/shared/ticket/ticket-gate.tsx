/** In place of the order button while the account cannot trade: the one step that is next, the same as in the list of first steps. */
import type { ReactElement } from 'react';
import { useText } from '../../../kit/i18n/text.tsx';
import { useStepActions } from '../../../areas/onboarding/step-actions.ts';
import type { NewcomerStep } from '../../../areas/onboarding/steps.ts';
import { useSteps } from '../../../areas/onboarding/use-steps.ts';
import { useCanTrade, useSession } from '../../../platform/session/session.ts';
import { Button } from '../../../kit/ui/button.tsx';

/** What comes before an order, or `undefined` when nothing does. */
function useStepBefore(): NewcomerStep | undefined {
  const { steps } = useSteps();
  return steps.find(({ name, state }) => state === 'current' && name !== 'order');
}

/** True when nothing stands between the person and an order. The exchange checks the same again. */
export function useMayOrder(): boolean {
  const canTrade = useCanTrade();
  const { isKnown } = useSteps();
  const before = useStepBefore();
  // Until the balances are known, who is connected may write an order.
  const isConnected = useSession(({ signedIn, inWhitelist }) => signedIn?.connected === true && signedIn.termsAccepted && inWhitelist);
  return canTrade && isConnected && (!isKnown || before === undefined);
}

export function TicketGate(): ReactElement {
  const text = useText();
  const { steps, isKnown } = useSteps();
  const actions = useStepActions();
  const step = useStepBefore() ?? steps[0];
  const isBusy = useSession(({ phase }) => phase === 'validating' || phase === 'signing') || !isKnown;
  return (
    <Button
      kind="primary"
      size="large"
      className="w-full"
      busy={isBusy}
      onClick={() => {
        if (step !== undefined) void actions[step.name]();
      }}
    >
      {step !== undefined && text(step.action)}
    </Button>
  );
}
