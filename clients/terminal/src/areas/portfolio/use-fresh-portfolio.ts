/** What changes the money of the account makes what the portfolio has read old: a trade, a deposit, a claim, a payment of funding. */
import { useEffect, useRef } from 'react';
import { refresh } from '../../platform/data/calls.ts';
import { useRunningAccount } from '../../platform/data/streams/use-running.ts';
import { paced } from './paced.ts';
import type { Paced } from './paced.ts';

/** The projection has what the stream says a moment later, on a busy machine a longer one. */
const AFTER_MS = [600, 15_000];

const readAgain = (): void => void refresh('portfolioHistory', 'portfolioSummary', 'deposits', 'balances');

/** Mounted once on the page. It is read soon after a change, and by its polls while nothing changes. */
export function useFreshPortfolio(): void {
  const account = useRunningAccount();
  const balances = account?.isReady === true ? account.balances : undefined;
  const known = useRef(balances);
  const pace = useRef<Paced>(undefined);
  useEffect(() => {
    const own = paced(readAgain, AFTER_MS);
    pace.current = own;
    return own.stop;
  }, []);
  useEffect(() => {
    // What there is at first was read with the page.
    if (known.current !== undefined && balances !== undefined && balances !== known.current) pace.current?.ask();
    known.current = balances ?? known.current;
  }, [balances]);
}
