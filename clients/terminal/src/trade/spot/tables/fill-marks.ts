/** The account's newest fills in a market, for their marks on the chart. */
import { useMemo } from 'react';
import type { FillMark } from '../../../market/chart/chart-port.ts';
import { useData } from '../../../platform/data/use-data.ts';
import { useSignedIn } from '../../shared/account.ts';

/** One page of history: older fills lie far behind the bars that are shown first. */
const MARKS_MAX = 100;
const NONE: readonly FillMark[] = [];

export function useFillMarks(symbol: string): readonly FillMark[] {
  // Under the name of the pages of fills, so that an event of the stream makes it stale with them.
  const { value } = useData({
    name: 'fills',
    input: { query: { page: 1, size: MARKS_MAX, symbol } },
    of: 'account',
    when: useSignedIn(),
  });
  return useMemo(
    () =>
      value?.items.map(({ execId, orderId, orderSide, timestamp, price }) => ({
        id: `${execId}-${orderId}`,
        side: orderSide === 'BUY' ? 'buy' : 'sell',
        time: timestamp,
        price: Number(price),
      })) ?? NONE,
    [value],
  );
}
