/** A browser and system a person recognises, out of a user-agent text; the text itself when neither is known. */
const browsers = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

const systems = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux|X11/, 'Linux'],
] as const;

const find = (names: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  names.find(([pattern]) => pattern.test(text))?.[1];

export function browserName(userAgent: string): string {
  const parts = [find(browsers, userAgent), find(systems, userAgent)].filter((part) => part !== undefined);
  return parts.length === 0 ? userAgent : parts.join(', ');
}
