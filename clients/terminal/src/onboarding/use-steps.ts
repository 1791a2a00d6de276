import { inWallet, isPositive, useBalances } from '../balances/use-balances.ts';
import type { WalletName } from '../balances/use-balances.ts';
import { useData } from '../data/use-data.ts';
import { useFaucet } from '../faucet/claim.ts';
import { useSession } from '../session/session.ts';
import { newcomerSteps } from './steps.ts';
import type { NewcomerStep } from './steps.ts';

const POLL_MS = 5_000;

function useHasOrdered(): boolean | undefined {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  const { value: count } = useData({
    name: 'taskCount',
    input: { body: { walletAddress: address ?? '' } },
    of: 'account',
    when: address !== undefined,
    pollMs: (known) => (known !== undefined && known.orders > 0 ? undefined : POLL_MS),
  });
  const ordersOfSpot = count?.orders;
  // Orders of contracts are counted apart: a first trade there is a first order too.
  const { value: fills } = useData({
    name: 'futuresFills',
    input: { query: { page: 1, size: 1 } },
    of: 'account',
    when: ordersOfSpot === 0,
    pollMs: (known) => (known !== undefined && known.items.length > 0 ? undefined : POLL_MS),
  });
  return ordersOfSpot === undefined ? undefined : ordersOfSpot > 0 || (fills?.items.length ?? 0) > 0;
}

export interface NewcomerProgress {
  readonly steps: readonly NewcomerStep[];
  /** False while it is not known yet: nobody who has traded for weeks is shown a checklist for a moment. */
  readonly isKnown: boolean;
}

export function useSteps(): NewcomerProgress {
  const { phase, signedIn, inWhitelist, checkingWhitelistStatus } = useSession();
  const { rows } = useBalances();
  const hasOrdered = useHasOrdered();
  const claimed = (useFaucet()?.status ?? 0) === 2;
  const holds = (wallet: WalletName): boolean => inWallet(rows, wallet)?.some((row) => isPositive(row.balance)) === true;
  const steps = newcomerSteps({
    hasWallet: phase !== 'disconnected',
    isSignedIn: signedIn !== undefined,
    hasAcceptedTerms: signedIn?.termsAccepted === true,
    inWhitelist: signedIn !== undefined && inWhitelist,
    hasTokens: signedIn !== undefined && (claimed || holds('funding') || holds('spot') || holds('futures')),
    hasFunds: holds('spot') || holds('futures'),
    isConnected: signedIn?.connected === true,
    hasOrdered: hasOrdered === true,
  });
  const isAccountKnown = rows !== undefined && hasOrdered !== undefined && checkingWhitelistStatus === 'complete';
  const isKnown = phase === 'validating' ? false : signedIn === undefined || isAccountKnown;
  return { steps, isKnown };
}
