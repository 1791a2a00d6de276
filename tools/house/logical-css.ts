/**
 * Physical sides in the styles of the terminal: where a logical side exists it is used, so that a page in a language written from right to left
 * is mirrored as a whole. Canvases draw by coordinates and are left out.
 */
import { isTest, type SourceFile } from './source-rules.ts';

/** Utilities by their physical name and what replaces them. */
const UTILITIES: readonly (readonly [physical: RegExp, logical: string])[] = [
  [/^(scroll-)?[mp][lr]-/, 'the same with s or e: ms-2, pe-4'],
  [/^rounded-([lr]|[tb][lr])(-|$)/, 'rounded-s, rounded-e, rounded-ss …'],
  [/^border-[lr](-|$)/, 'border-s, border-e'],
  [/^(left|right)-(\d|\[|\(|auto$|full$|px$)/, 'inset-s-, inset-e-'],
  [/^(text|float|clear)-(left|right)$/, 'text-start, text-end'],
];

const PROPERTIES =
  /^\s*((?:margin|padding|border|scroll-margin|scroll-padding)-(?:left|right)[a-z-]*|left|right|border-(?:top|bottom)-(?:left|right)-radius)\s*:|\b(?:text-align|float|clear):\s*(left|right)\b/gm;

const QUOTED = /'[^'\n]*'|"[^"\n]*"|`[^`]*`/g;

/** In the middle both sides are the same. */
const isMiddle = (utility: string): boolean => utility === 'left-1/2';

/** Without its variants and its sign: `max-tablet:-ml-2` is `ml-2`. */
const bare = (name: string): string => name.replace(/^.*:(?![^[]*\])/, '').replace(/^-/, '');

function utilityViolations({ path, text }: SourceFile): readonly string[] {
  const names = (text.match(QUOTED) ?? []).flatMap((quoted) => quoted.slice(1, -1).split(/\s+/));
  return names.flatMap((name) => {
    const utility = bare(name);
    const found = UTILITIES.find(([physical]) => physical.test(utility) && !isMiddle(utility));
    return found === undefined ? [] : [`${path}: ${name} is a physical side, use ${found[1]}`];
  });
}

const propertyViolations = ({ path, text }: SourceFile): readonly string[] =>
  [...text.matchAll(PROPERTIES)].map(
    ([, property, side]) => `${path}: ${property ?? side ?? ''} is a physical side, use -inline-start or -inline-end`,
  );

/** A sentence for each physical side in a file of the terminal. */
export function physicalSides(file: SourceFile): readonly string[] {
  if (!file.path.startsWith('clients/terminal/src/') || isTest(file.path)) return [];
  return file.path.endsWith('.css') ? propertyViolations(file) : /\.tsx?$/.test(file.path) ? utilityViolations(file) : [];
}
