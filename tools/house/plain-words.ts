/**
 * Idioms that a reader from another house stumbles over: the list of STYLE.md as data, checked in comments, documents and test titles, and words
 * that name nothing exactly, checked in identifiers and file names.
 */
import type { SourceFile } from './source-rules.ts';

/** Each row of the table in STYLE.md, and what finds it. */
export const AVOIDED_WORDS: ReadonlyMap<string, RegExp> = new Map([
  ['told, tells', /\b(told|tells)\b/i],
  ['for ever', /\bfor ever\b/i],
  ['whoever, who asks, asked of', /\b(whoever|who asks|asked of)\b/i],
  ['what lives', /\bwhat lives\b/i],
  ['makes and forgets, made and forgotten', /\b(makes? and forgets?|made and forgotten)\b/i],
  ['made anew, anew', /\banew\b/i],
  ['comes to', /\bcomes? to\b/i],
  ['by head', /\bby head\b/i],
  ['so many', /\bso many\b/i],
  ['such a one', /\bsuch a one\b/i],
]);

/** Parts of names: what is told is emitted, reported, announced, posted or published; a deed is a mutation, an action or activity. */
export const AVOIDED_NAMES: readonly string[] = ['told', 'tell', 'tells', 'telling', 'deed', 'deeds'];
/** A column of a database that is in use. */
const KEPT_NAMES: ReadonlySet<string> = new Set(['told_at', 'campaign_whitelist_untold']);

/** These name the words in order to forbid them, or to plant them. */
const NAMES_THE_WORDS: readonly string[] = ['STYLE.md', 'tools/house/plain-words.ts', 'tools/house/plain-words.test.ts'];

const COMMENT_OR_TITLE = /\/\*[\s\S]*?\*\/|(?:^|\s)\/\/.*|\b(?:test|it|describe)(?:\.each)?\((?:'[^'\n]*'|`[^`]*`)|^\s*\]\)\('[^'\n]*'/gm;

/** The prose of a file, one line where one comment may have several. */
export function proseOf({ path, text }: SourceFile): readonly string[] {
  const pieces = path.endsWith('.md') ? [text] : (text.match(COMMENT_OR_TITLE) ?? []);
  return pieces.map((piece) => piece.replaceAll(/\n\s*(?:\*(?!\/)|\/\/)?\s*/g, ' '));
}

/** A sentence for each avoided word that the file's prose holds. */
export function wordViolations(file: SourceFile): readonly string[] {
  if (NAMES_THE_WORDS.includes(file.path)) return [];
  const prose = proseOf(file);
  return [...AVOIDED_WORDS]
    .filter(([, pattern]) => prose.some((piece) => pattern.test(piece)))
    .map(([word]) => `${file.path} says "${word}": STYLE.md has the plain word`);
}

const COMMENT_OR_TEXT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g;
const NAME = /[A-Za-z_$][\w$]*/g;
const PART_OF_NAME = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g;

/** A sentence for each name of the code, and for the file's own, of which a part is an avoided word; comments and texts are no names. */
export function nameViolations({ path, text }: SourceFile): readonly string[] {
  if (!/\.(ts|tsx|mjs)$/.test(path) || NAMES_THE_WORDS.includes(path)) return [];
  const fileName = path.split('/').at(-1) ?? '';
  const names = new Set([fileName, ...(text.replaceAll(COMMENT_OR_TEXT, ' ').match(NAME) ?? [])]);
  const isAvoided = (name: string): boolean =>
    !KEPT_NAMES.has(name) && (name.match(PART_OF_NAME) ?? []).some((part) => AVOIDED_NAMES.includes(part.toLowerCase()));
  return [...names].filter(isAvoided).map((name) => `${path} names something ${name}: it says nothing exact`);
}
