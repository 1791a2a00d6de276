/** Readings of the terminal whose failure nobody looks at: a skeleton without end, or an empty list that is none. */
import { isTest, type SourceFile } from './source-rules.ts';

/** A reading in a source file, by what it is called there. */
interface DroppedFailure {
  readonly path: string;
  /** The hook that reads it. */
  readonly hook: string;
}

/** The state that a reader may look at; one that does not drops the failure. */
const STATE = /\bphase\b/;
const READING_HOOK = /\b(?:function|const) (use[A-Z]\w*)\b[^;{]*?\)\s*: (?:Loaded|CursorList|PageOf)</g;

/** The hooks whose result is loading, failed or known: their return types say so. */
function readingHooks(sources: readonly SourceFile[]): ReadonlySet<string> {
  const found = sources.flatMap(({ text }) => [...text.matchAll(READING_HOOK)].map(([, hook = '']) => hook));
  return new Set(['useReading', 'useCursorQuery', 'usePageQuery', ...found]);
}

/** What comes by the stream: the bar of the market and the book say that it is away, and a figure of it is a dash. */
const STREAMED = new Set([
  'useTicker',
  'useTape',
  'useLadderTop',
  'useDepth',
  'useContractQuote',
  'useContractQuotes',
  'useContractFunding',
]);

/** The list of markets: the trading page says that it could not be read, and is all that needs the whole of it. */
const MARKETS = new Set(['useMarkets', 'useMarketTerms', 'useContractMarkets']);

/** Sentences about failures that are dropped without a reason, and about reasons that nothing needs any more. */
export function droppedFailureViolations(sources: readonly SourceFile[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const dropped = droppedFailures(sources).filter(({ hook }) => !STREAMED.has(hook) && !MARKETS.has(hook));
  const paths = new Set(dropped.map(({ path }) => path.replace('clients/terminal/src/', '')));
  return [
    ...[...paths].filter((path) => reasons[path] === undefined).map((path) => `${path} shows nothing where its reading failed`),
    ...Object.keys(reasons)
      .filter((path) => !paths.has(path))
      .map((path) => `${path} has a reason to drop a failure, and drops none`),
  ];
}

function droppedFailures(sources: readonly SourceFile[]): readonly DroppedFailure[] {
  const own = sources.filter(({ path }) => path.startsWith('clients/terminal/src/') && !isTest(path));
  const hooks = readingHooks(own);
  return own.flatMap(({ path, text }) =>
    [...text.matchAll(/\b(use[A-Z]\w*)(?:<[^>(]*>)?\(/g)]
      .filter(([, hook = '']) => hooks.has(hook))
      .filter((call) => !/\b(function|const) $/.test(text.slice(0, call.index)) && isDropped(text, call))
      .map(([, hook = '']) => ({ path, hook })),
  );
}

function isDropped(text: string, call: RegExpExecArray): boolean {
  const after = text.slice(endOf(text, call.index + call[0].length));
  // Of the value alone, right behind the call.
  if (/^\s*\.(read\.)?value\b/.test(after)) return true;
  const [, taken] = /(?:const|let) (\{[^{}]*\}|\w+)(?:: [^=;]+)? =\s*$/.exec(text.slice(0, call.index)) ?? [];
  if (taken === undefined) return false;
  if (!taken.startsWith('{')) return isValueAlone(after, taken);
  // A list has its reading beside its pager.
  if (/\bread\b/.test(taken)) return isValueAlone(after, 'read');
  return /\bvalue\b/.test(taken) && !STATE.test(taken);
}

const isValueAlone = (text: string, name: string): boolean =>
  new RegExp(`\\b${name}\\.(read\\.)?value\\b`).test(text) &&
  !new RegExp(`\\b${name}\\.(read\\.)?phase\\b|=\\{${name}(\\.read)?\\}|[(,] ?${name}(\\.read)?[,)]`).test(text);

/** Behind the bracket that closes the one which was opened before this place. */
function endOf(text: string, start: number): number {
  let open = 1;
  let at = start;
  for (; open > 0 && at < text.length; at += 1) {
    if (text[at] === '(') open += 1;
    if (text[at] === ')') open -= 1;
  }
  return at;
}
