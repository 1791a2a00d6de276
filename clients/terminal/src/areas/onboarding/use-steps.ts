import { inWallet, isPositive, useBalances } from '../balances/use-balances.ts';
import type { WalletName } from '../balances/use-balances.ts';
import { WALLETS } from '../balances/wallets.ts';
import { ask } from '../../platform/data/calls.ts';
import { useReading } from '../../platform/data/use-data.ts';
import { useFaucet } from '../faucet/claim.ts';
import { isSigningOut, useSession } from '../../platform/session/session.ts';
import { newcomerSteps } from './steps.ts';
import type { NewcomerStep } from './steps.ts';

/** The first order gives points, and what the stream says of them is read at once: see `useAwards`. */
const POLL_MS = 15_000;
/** Newest first: before a first order in earnest there are hardly more fills in practice. */
const FILLS = 50;

const isPractice = (symbol: string): boolean => symbol.endsWith('_PRACTICE');

/** Orders of contracts are counted apart: a first trade there is a first order too, but for practice, which counts nowhere. */
async function hasOrdered(walletAddress: string): Promise<boolean> {
  const { orders } = await ask('taskCount', { body: { walletAddress } });
  // Who has signed out meanwhile may not read on.
  if (orders > 0 || isSigningOut() || useSession.getState().address !== walletAddress) return orders > 0;
  return (await ask('futuresFills', { query: { page: 1, size: FILLS } })).items.some(({ symbol }) => !isPractice(symbol));
}

function useHasOrdered(): boolean | undefined {
  const address = useSession((state) => (state.signedIn === undefined ? undefined : state.address));
  // Who has no trading connection cannot order.
  const canOrder = useSession((state) => state.signedIn?.connected === true);
  return useReading({
    key: ['hasOrdered', address],
    load: () => hasOrdered(address ?? ''),
    of: 'account',
    when: address !== undefined,
    pollMs: (known) => (known === true || !canOrder ? undefined : POLL_MS),
  }).value;
}

export interface NewcomerProgress {
  readonly steps: readonly NewcomerStep[];
  /** False while it is not known yet: nobody who has traded for weeks is shown a checklist for a moment. */
  readonly isKnown: boolean;
}

export function useSteps(): NewcomerProgress {
  const { phase, signedIn, inWhitelist, checkingWhitelistStatus } = useSession();
  const { value: rows } = useBalances();
  const hasOrdered = useHasOrdered();
  const claimed = (useFaucet()?.status ?? 0) === 2;
  const holds = (wallet: WalletName): boolean => inWallet(rows, wallet)?.some((row) => isPositive(row.balance)) === true;
  const steps = newcomerSteps({
    hasWallet: phase !== 'disconnected',
    isSignedIn: signedIn !== undefined,
    hasAcceptedTerms: signedIn?.termsAccepted === true,
    inWhitelist: signedIn !== undefined && inWhitelist,
    hasTokens: signedIn !== undefined && (claimed || WALLETS.some(holds)),
    hasFunds: WALLETS.some((wallet) => wallet !== 'funding' && holds(wallet)),
    isConnected: signedIn?.connected === true,
    hasOrdered: hasOrdered === true,
  });
  const isAccountKnown = rows !== undefined && hasOrdered !== undefined && checkingWhitelistStatus === 'complete';
  const isKnown = phase === 'validating' ? false : signedIn === undefined || isAccountKnown;
  return { steps, isKnown };
}
