/** Whether the wallet list is that of a phone: 768 px or less, a little more than the page's own mobile layout. */
import { useSyncExternalStore } from 'react';

const mobile = matchMedia('(max-width: 768px)');

function listen(listener: () => void): () => void {
  mobile.addEventListener('change', listener);
  return () => mobile.removeEventListener('change', listener);
}

export const useIsMobile = (): boolean => useSyncExternalStore(listen, () => mobile.matches);
