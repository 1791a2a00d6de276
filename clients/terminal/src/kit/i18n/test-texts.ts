/**
 * Texts that nobody reads: `?texts=pseudo` shows each message with marks on its letters and a third longer, so that what stays plain is not
 * translated and what is cut has no room; `?texts=mirrored` lays the page out from right to left besides. Not in production.
 */
import { i18n } from '@lingui/core';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const MARKED = 'áƀçďéƒǧĥíǰķļɱñóþǫřšţúṽŵẋýžÁƁÇĎÉƑǦĤÍĴĶĻṀÑÓÞǪŘŠŢÚṼŴẊÝŽ';
const marks: ReadonlyMap<string, string> = new Map(Array.from(PLAIN, (letter, at) => [letter, MARKED.charAt(at)]));

/** The tags of rich text, as `<0>`, stay. */
export function pseudoText(shown: string): string {
  const marked = shown.replaceAll(/<\/?\d+\/?>|./gsu, (piece) => marks.get(piece) ?? piece);
  // In short groups: a word of the length of a sentence would fit nowhere.
  return `⟦${marked}${' ····'.repeat(Math.ceil(shown.length / 15))}⟧`;
}

/** @param wish the value of `?texts=`; any but the two above changes nothing. */
export function showTestTexts(wish: string): void {
  if (wish !== 'pseudo' && wish !== 'mirrored') return;
  const real = i18n._.bind(i18n);
  i18n._ = (...asked: readonly unknown[]): string => pseudoText(Reflect.apply(real, i18n, asked));
  if (wish === 'mirrored') document.documentElement.dir = 'rtl';
}
