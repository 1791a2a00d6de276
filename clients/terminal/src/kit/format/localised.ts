/** The English part of a text that comes as JSON with a part for each language; the text itself when it is no such JSON. */
export function localised(text: string): string {
  try {
    const parts: unknown = JSON.parse(text);
    if (typeof parts === 'object' && parts !== null && 'en' in parts && typeof parts.en === 'string') return parts.en;
  } catch {
    // Not JSON: shown as it came.
  }
  return text;
}
