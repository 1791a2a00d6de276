/** Whether there is room for a table of several columns; the width is that of the `tablet` breakpoint. */
import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 760px)');

function listen(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

export const useIsWide = (): boolean => useSyncExternalStore(listen, () => wide.matches);
