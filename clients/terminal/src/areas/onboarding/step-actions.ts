/** What each step of a newcomer's way does when its button is pressed, wherever that button stands. */
import { useNavigate } from '@tanstack/react-router';
import { openConnect } from '../sign-in/connect.tsx';
import { openEstablishConnection, openFaucet, openFundWallet, openTerms, openWhitelist } from './actions.ts';
import type { StepName } from './steps.ts';

export function useStepActions(): Readonly<Record<StepName, () => unknown>> {
  const navigate = useNavigate();
  return {
    connect: openConnect,
    terms: openTerms,
    whitelist: openWhitelist,
    faucet: openFaucet,
    fund: openFundWallet,
    connection: openEstablishConnection,
    order: () => navigate({ to: '/trade/spot/$pair', params: { pair: 'BTC_USDC' } }),
  };
}
