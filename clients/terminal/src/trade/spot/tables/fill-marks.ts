/** The account's newest fills in a market, for their marks on the chart. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { FillMark } from '../../../chart/chart-port.ts';
import { http } from '../../../client/client.ts';
import { useOwner } from '../../../session/owner.ts';
import { useSignedIn } from '../../shared/account.ts';
import { FILLS } from './history-keys.ts';

/** One page of history: older fills lie far behind the bars that are shown first. */
const MARKS_MAX = 100;
const NONE: readonly FillMark[] = [];

export function useFillMarks(symbol: string): readonly FillMark[] {
  const owner = useOwner();
  const { data } = useQuery({
    // Among the pages of fills, so that an event of the stream makes it stale with them.
    queryKey: [FILLS, 'marks', owner, symbol],
    queryFn: () => http.load('fills', { query: { page: 1, size: MARKS_MAX, symbol } }),
    enabled: useSignedIn(),
  });
  return useMemo(
    () =>
      data?.items.map(({ execId, orderId, orderSide, timestamp, price }) => ({
        id: `${execId}-${orderId}`,
        side: orderSide === 'BUY' ? 'buy' : 'sell',
        time: timestamp,
        price: Number(price),
      })) ?? NONE,
    [data],
  );
}
