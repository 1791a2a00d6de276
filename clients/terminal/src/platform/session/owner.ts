/** Whose memory this device uses for what is kept by account. */
import { tradingEndTime, walletAddress } from '../../kit/storage/remembered.ts';
import { useSession } from './session.ts';

const VISITOR = 'visitor';

/** An account is known by its address before its wallet is back, while the session of its last visit still runs. */
function ownerOf(address: string | undefined): string {
  if (address !== undefined) return address;
  const last = tradingEndTime.read() > Date.now() ? walletAddress.read() : '';
  return last === '' ? VISITOR : last;
}

export const currentOwner = (): string => ownerOf(useSession.getState().address);

/** The address in lower case; people without an account share one name. */
export const useOwner = (): string => useSession((session) => ownerOf(session.address));
