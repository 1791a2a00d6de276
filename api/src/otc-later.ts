/** The line in the chat of an OTC order whose deadline has moved after an outage. Apart from the schemas: the page of an order loads it. */
const LATER = /^LATER (\d+)$/;

/** Of the SYSTEM line that is written when deadlines move after an outage. @param byMs milliseconds */
export const laterText = (byMs: number): string => `LATER ${byMs}`;

/** By how many milliseconds the deadline is later; undefined for another line. */
export function laterOf(text: string | null): number | undefined {
  const ms = LATER.exec(text ?? '')?.[1];
  return ms === undefined ? undefined : Number(ms);
}
