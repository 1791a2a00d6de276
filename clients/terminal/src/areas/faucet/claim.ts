/** A claim from the faucet: made, then followed until the chain has paid it. Changes are emitted as events. */
import type { ClaimStatus, FaucetStatus } from '@orrery/api';
import { useEffect } from 'react';
import { act, refresh } from '../../platform/data/calls.ts';
import type { Loaded } from '../../kit/ui/loaded.ts';
import { learned, useData } from '../../platform/data/use-data.ts';
import type { AccountNews } from '../../platform/data/streams/streams.ts';
import { useAccountNews, useAccountTopic } from '../../platform/data/streams/use-account-stream.ts';
import { useSession } from '../../platform/session/session.ts';
import { showSuccess } from '../../kit/ui/toast.ts';
import { actor } from '../../kit/storage/account-in-view.ts';

/** Dispatched on the window with a `ClaimStatus` when the claim of the address in use has moved on. */
export const CLAIM_CHANGED = 'orrery:claim-changed';

/** The stream brings changes; this is for a stream that is away while a claim is under way. */
const POLL_MS = 10_000;
const CLAIMING: ClaimStatus = 1;

const queryOf = (address: string | undefined): { query: { address: string } } => ({ query: { address: address ?? '' } });

/** Where the claim of the address in use stands; followed closely while one is under way. */
export function useFaucetReading(): Loaded<FaucetStatus> {
  const address = useSession((state) => state.address);
  return useData({
    name: 'faucetStatus',
    input: queryOf(address),
    of: 'everybody',
    when: address !== undefined,
    pollMs: (faucet) => (faucet?.status === CLAIMING ? POLL_MS : undefined),
  });
}

export const useFaucet = (): FaucetStatus | undefined => useFaucetReading().value;

export async function claim(address: string): Promise<void> {
  const status = await act('claim', { body: { address } }, actor());
  learned({ name: 'faucetStatus', input: queryOf(address), of: 'everybody' }, status);
}

let reported: { readonly address: string; readonly status: ClaimStatus } | undefined;

function report(address: string, status: ClaimStatus): void {
  const before = reported?.address === address ? reported.status : undefined;
  reported = { address, status };
  if (before === undefined || before === status) return;
  window.dispatchEvent(new CustomEvent<ClaimStatus>(CLAIM_CHANGED, { detail: status }));
  if (before === CLAIMING && status === 2) {
    showSuccess('notices.claimPaid');
    void refresh('balances');
  }
}

/** The event has only the status: the chain transaction and the time of the next claim are read with it. */
const changed = (): void => void refresh('faucetStatus');

/** What was missed while the stream was away. */
function hear({ kind }: AccountNews): void {
  if (kind === 'ready') changed();
}

/** Emits changes for all components that show them. Mounted once. */
export function useClaimEvents(): void {
  const address = useSession((state) => state.address);
  const status = useFaucet()?.status;
  useAccountTopic('uClaim', changed);
  useAccountNews(hear);
  useEffect(() => {
    if (address !== undefined && status !== undefined) report(address, status);
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
