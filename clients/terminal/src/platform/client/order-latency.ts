/** How long the exchange took to answer the newest own orders, from the call to the answer. */
import { create } from 'zustand';

/** Orders that are remembered. */
export const ORDERS_KEPT = 20;

/** An order of this page, by the clock of this computer; unix milliseconds. */
export interface SentOrder {
  readonly orderId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

interface OrderLatency {
  /** Milliseconds, oldest first. */
  readonly spans: readonly number[];
  /** Oldest first. */
  readonly sent: readonly SentOrder[];
}

export const useOrderLatency = create<OrderLatency>()(() => ({ spans: [], sent: [] }));

/** Keeps when an order was sent and answered: the exchange answers when it is on disk. */
export const orderAnswered = (order: SentOrder): void =>
  useOrderLatency.setState(({ sent }) => ({ sent: [...sent, order].slice(-ORDERS_KEPT) }));

export function orderTook(millis: number): void {
  useOrderLatency.setState(({ spans }) => ({ spans: [...spans, millis].slice(-ORDERS_KEPT) }));
}

/** The nearest rank: the smallest of the spans that at least this share of them does not exceed. @param share above 0, at most 1. */
export function percentile(spans: readonly number[], share: number): number | undefined {
  const sorted = spans.toSorted((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1];
}

/** Runs an order's call and keeps how long its answer took. One that was not answered has no time. */
export async function timed<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  const start = performance.now();
  const answer = await call();
  orderTook(Math.max(1, Math.round(performance.now() - start)));
  return answer;
}
