/** Where the terminal leads a person by itself: to the login page after each logout, and away from an exchange out of service. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useReach } from '../platform/client/exchange-reach.ts';
import { onSignedOut, useSession } from '../platform/session/session.ts';
import { atFirstPages, replacing } from '../kit/ui/choices-in-search.ts';

export function useLogoutPage(): void {
  const router = useRouter();
  useEffect(() => onSignedOut(() => void router.navigate({ to: '/login' })), [router]);
}

/** The pages of lists were those of the account that went: the next one begins at the first. */
export function useFirstPagesOfAccount(): void {
  const router = useRouter();
  const accountId = useSession((state) => state.signedIn?.accountId);
  const before = useRef(accountId);
  useEffect(() => {
    const gone = before.current;
    before.current = accountId;
    if (gone !== undefined && gone !== accountId) void router.navigate(replacing(atFirstPages));
  }, [accountId, router]);
}

/** These say something while the exchange is out of service. */
const READABLE: readonly string[] = ['/maintenance', '/status', '/terms', '/privacy', '/cookies'];

export function useMaintenance(path: string): void {
  const router = useRouter();
  const { phase } = useReach();
  const isLedAway = phase === 'maintenance' && !READABLE.includes(path);
  useEffect(() => {
    if (!isLedAway) return;
    const from = router.state.location.href;
    void router.navigate({ to: '/maintenance', search: { from }, replace: true });
  }, [isLedAway, router]);
}
