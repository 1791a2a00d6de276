/** Notifies the person once when the session was not ended by themselves. */
import { useEffect } from 'react';
import { useText } from '../../kit/i18n/text.tsx';
import { showError, showInfo } from '../../kit/ui/toast.ts';
import { noticeSeen, useSession } from './session.ts';

export function useSessionNotices(): void {
  const text = useText();
  const notice = useSession((state) => state.notice);
  useEffect(() => {
    if (notice === undefined) return;
    if (notice === 'blocked') showError(text('wallet.blockedTitle'), text('wallet.blocked'));
    else showInfo(text('wallet.expired'));
    noticeSeen();
  }, [notice, text]);
}
