import { useEffect, useState } from 'react';

/** The clock of the device, read as often as given; what the exchange does goes by `useServerNow`. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}
