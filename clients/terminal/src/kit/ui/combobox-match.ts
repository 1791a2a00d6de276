/** Which choices a few typed letters mean: every word must be the beginning of a word of the choice, those that begin with it come first. */
export interface ComboboxChoice<Value extends string> {
  readonly value: Value;
  readonly label: string;
  /** A second column, such as a dialling code; searched as well. */
  readonly detail?: string;
}

const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}+]+/u)
    .filter((word) => word !== '');

export function matching<Value extends string>(choices: readonly ComboboxChoice<Value>[], typed: string): readonly ComboboxChoice<Value>[] {
  const wanted = wordsOf(typed);
  if (wanted.length === 0) return choices;
  const found = choices
    .map((choice) => ({ choice, words: wordsOf(`${choice.label} ${choice.detail ?? ''}`) }))
    .filter(({ words }) => wanted.every((part) => words.some((word) => word.startsWith(part))));
  const isFirst = ({ words }: { readonly words: readonly string[] }): boolean => words[0]?.startsWith(wanted[0] ?? '') === true;
  return [...found.filter(isFirst), ...found.filter((one) => !isFirst(one))].map(({ choice }) => choice);
}
