/** Which orders were shown to be over: what is sent looks here, and needs nothing of the words for them. */

/** Ids of orders whose end was shown lately: the stream may be faster than the answer to the order itself. */
const told = new Set<string>();
const TOLD_MAX = 50;

export const wasTold = (clientOrderId: string): boolean => told.has(clientOrderId);

export function rememberTold(clientOrderId: string): void {
  told.add(clientOrderId);
  const [oldest] = told;
  if (told.size > TOLD_MAX && oldest !== undefined) told.delete(oldest);
}
