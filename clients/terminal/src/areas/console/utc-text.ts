/** Times as operators type them: to the minute, in UTC, whatever zone the page shows. */

const TYPED = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/;
const LENGTH = '2026-12-01 00:00'.length;

/** Unix milliseconds; null when nothing is typed, undefined when it is no time. */
export function utcOf(typed: string): number | null | undefined {
  const text = typed.trim();
  if (text === '') return null;
  if (!TYPED.test(text)) return undefined;
  const at = Date.parse(`${text.replace(' ', 'T')}Z`);
  // Some take the 30th of February for a day of March.
  return at >= 0 && utcText(at) === text ? at : undefined;
}

export const utcText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().slice(0, LENGTH).replace('T', ' '));
