/** The English part of a task's name, which comes as JSON text; the text itself when it is no such JSON. */
export function taskName(text: string): string {
  try {
    const names: unknown = JSON.parse(text);
    if (typeof names === 'object' && names !== null && 'en' in names && typeof names.en === 'string') return names.en;
  } catch {
    // Not JSON: shown as it came.
  }
  return text;
}
