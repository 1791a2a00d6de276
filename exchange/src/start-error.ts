/** The program can not start, and one sentence says why, or several reasons do, each by a sentence. Shown as it is, without a stack, before a non-zero exit. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly reasons: readonly string[];

  constructor(reasons: string | readonly string[], options?: ErrorOptions) {
    const sentences = typeof reasons === 'string' ? [reasons] : [...new Set(reasons)];
    super(sentences.join('\n'), options);
    this.reasons = sentences;
  }
}

/** As `readAll`, for a list. */
export const readEach = <Item, Value>(items: readonly Item[], read: (item: Item, index: number) => Value): Value[] =>
  Object.values(readAll<Record<string, Value>>(Object.fromEntries(items.map((item, index) => [index, () => read(item, index)]))));

/** Reads every part, so that a person corrects all that is wrong at once. @throws StartError with the reasons of all that can not be used. */
export function readAll<Parts extends object>(readers: { readonly [Name in keyof Parts]: () => Parts[Name] }): Parts {
  const parts: Partial<Parts> = {};
  const reasons: string[] = [];
  for (const name of Object.keys(readers) as (keyof Parts)[]) {
    try {
      parts[name] = readers[name]();
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      reasons.push(...error.reasons);
    }
  }
  if (reasons.length > 0) throw new StartError(reasons);
  return parts as Parts;
}
