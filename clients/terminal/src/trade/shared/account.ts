/** Who is signed in, as the trading page needs to know it. */
import { useSession } from '../../platform/session/session.ts';

export const useSignedIn = (): boolean => useSession((session) => session.phase === 'signedIn');
