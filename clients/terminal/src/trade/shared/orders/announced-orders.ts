/** Which orders were shown to be over: what is sent looks here, and needs nothing of the words for them. */

/** Ids of orders whose end was shown lately: the stream may be faster than the answer to the order itself. */
const reported = new Set<string>();
const ANNOUNCED_MAX = 50;

export const wasAnnounced = (clientOrderId: string): boolean => reported.has(clientOrderId);

export function rememberAnnounced(clientOrderId: string): void {
  reported.add(clientOrderId);
  const [oldest] = reported;
  if (reported.size > ANNOUNCED_MAX && oldest !== undefined) reported.delete(oldest);
}

/** How long the stream may take to say what became of an order that trades at once. */
const SOON_MS = 2_000;

/** @param answer what is said of an order whose end the stream has not said by then */
export function unlessAnnounced(clientOrderId: string, answer: () => void): void {
  setTimeout(() => {
    if (!wasAnnounced(clientOrderId)) answer();
  }, SOON_MS);
}
