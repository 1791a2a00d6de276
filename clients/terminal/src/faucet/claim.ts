/** A claim from the faucet: made, then followed until the chain has paid it. Changes are emitted as events. */
import type { ClaimStatus, FaucetStatus } from '@orrery/api';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { http } from '../client/client.ts';
import { queryClient } from '../client/query-client.ts';
import type { AccountNews } from '../feed/account-store.ts';
import { useAccountNews } from '../feed/use-account-stream.ts';
import { say } from '../i18n/text.tsx';
import { useSession } from '../session/session.ts';
import { showSuccess } from '../ui/toast.ts';

/** Dispatched on the window with a `ClaimStatus` when the claim of the address in use has moved on. */
export const CLAIM_CHANGED = 'orrery:claim-changed';

/** The stream brings changes; this is for a stream that is away while a claim is under way. */
const POLL_MS = 10_000;
const CLAIMING: ClaimStatus = 1;

const FAUCET = 'faucet';
const keyOf = (address: string | undefined): readonly unknown[] => [FAUCET, address];

/** Where the claim of the address in use stands; followed closely while one is under way. */
export function useFaucet(): FaucetStatus | undefined {
  const address = useSession((state) => state.address);
  const { data } = useQuery({
    queryKey: keyOf(address),
    queryFn: () => http.load('faucetStatus', { query: { address: address ?? '' }, ignoreToken: true }),
    enabled: address !== undefined,
    refetchInterval: (query) => (query.state.data?.status === CLAIMING ? POLL_MS : false),
  });
  return data;
}

export async function claim(address: string): Promise<void> {
  const status = await http.call('claim', { body: { address } });
  queryClient.setQueryData(keyOf(address), status);
}

let told: { readonly address: string; readonly status: ClaimStatus } | undefined;

function tell(address: string, status: ClaimStatus): void {
  const before = told?.address === address ? told.status : undefined;
  told = { address, status };
  if (before === undefined || before === status) return;
  window.dispatchEvent(new CustomEvent<ClaimStatus>(CLAIM_CHANGED, { detail: status }));
  if (before === CLAIMING && status === 2) {
    showSuccess(say('faucet.arrived'));
    void queryClient.invalidateQueries({ queryKey: ['balances'] });
  }
}

function hear(news: AccountNews): void {
  // The event has only the status: the chain transaction and the time of the next claim are read with it.
  if (news.kind === 'claim' || news.kind === 'ready') void queryClient.invalidateQueries({ queryKey: [FAUCET] });
}

/** Emits changes for all components that show them. Mounted once. */
export function useClaimEvents(): void {
  const address = useSession((state) => state.address);
  const status = useFaucet()?.status;
  useAccountNews(hear);
  useEffect(() => {
    if (address !== undefined && status !== undefined) tell(address, status);
  }, [address, status]);
}

export function useClaimChanged(listener: (status: ClaimStatus) => void): void {
  useEffect(() => {
    const listen = (event: Event): void => {
      if (event instanceof CustomEvent) listener(event.detail);
    };
    window.addEventListener(CLAIM_CHANGED, listen);
    return () => window.removeEventListener(CLAIM_CHANGED, listen);
  }, [listener]);
}
