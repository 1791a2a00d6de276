/** Readers for remembered values: each answers `undefined` for what it does not understand. */
export const parseBoolean = (json: unknown): boolean | undefined => (typeof json === 'boolean' ? json : undefined);

export const parseString = (json: unknown): string | undefined => (typeof json === 'string' ? json : undefined);

export const parseMillis = (json: unknown): number | undefined =>
  typeof json === 'number' && Number.isSafeInteger(json) && json >= 0 ? json : undefined;

export function parseChoice<const Choice extends string>(choices: readonly Choice[]): (json: unknown) => Choice | undefined {
  return (json) => choices.find((choice) => choice === json);
}

export function parseRecord(json: unknown): Readonly<Record<string, string>> | undefined {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) return undefined;
  const record: Record<string, string> = {};
  for (const [key, value] of Object.entries(json)) {
    if (typeof value !== 'string') return undefined;
    record[key] = value;
  }
  return record;
}
