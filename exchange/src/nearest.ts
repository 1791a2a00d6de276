/** The name that somebody meant who wrote another: the one that shares most with it. */

/** @param names not empty */
export function nearest(wrong: string, names: readonly string[]): string {
  const likenesses = names.map((name) => ({ name, likeness: likenessOf(plain(wrong), plain(name)) }));
  return likenesses.reduce((best, each) => (each.likeness > best.likeness ? each : best), { name: names[0] ?? '', likeness: -1 }).name;
}

/** `ORRERY_RPC_URL` and `rpcUrl` are the same name in two places. */
const plain = (name: string): string =>
  name
    .replace(/^ORRERY_/i, '')
    .replaceAll('_', '')
    .toLowerCase();

/** From 0 to 1, by letters in their order or by pairs of letters: the first finds a slip, the second a part of a name. */
function likenessOf(one: string, other: string): number {
  const byLetters = 1 - editsBetween(one, other) / Math.max(one.length, other.length, 1);
  const [pairs, others] = [pairsOf(one), pairsOf(other)];
  const shared = [...pairs].filter((pair) => others.has(pair)).length;
  return Math.max(byLetters, (2 * shared) / Math.max(pairs.size + others.size, 1));
}

const pairsOf = (text: string): ReadonlySet<string> =>
  new Set(
    Array.from(text)
      .slice(1)
      .map((letter, at) => `${text[at]}${letter}`),
  );

/** Letters to be added, removed or replaced (Levenshtein). */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [line, letter] of Array.from(one).entries()) {
    const next = [line + 1];
    for (const [at, each] of Array.from(other).entries())
      next.push(Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (each === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1) ?? 0;
}
