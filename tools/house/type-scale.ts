/** The terminal has five sizes of type, as tokens: a size of its own on one page makes two pages look like two products. */
import { isTest, type SourceFile } from './source-rules.ts';

/** `text-[13px]`, `text-[0.92em]`; a colour or a variable in the brackets is no size. */
const ARBITRARY = /\btext-\[(?:length:)?[\d.]+(?:px|em|rem|%|vw|pt)[^\]]*\]/g;
const UNKNOWN_STEP = /(?<![\w-])text-(?:xs|base|[3-9]xl)(?![\w-])/g;
const DECLARED = /\bfont-size:(?!\s*var\(--type-(?:sm|md|lg|xl|2xl)\))[^;]+/g;

/** A sentence for each size in a file of the terminal that is none of the scale. */
export function strayTypeSizes(file: SourceFile): readonly string[] {
  if (!file.path.startsWith('clients/terminal/src/') || isTest(file.path)) return [];
  const patterns = file.path.endsWith('.css') ? [DECLARED] : /\.tsx?$/.test(file.path) ? [ARBITRARY, UNKNOWN_STEP] : [];
  return patterns
    .flatMap((pattern) => file.text.match(pattern) ?? [])
    .map((size) => `${file.path}: ${size} is not of the type scale: sm, md, lg, xl, 2xl`);
}
