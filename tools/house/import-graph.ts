/** Which file imports which, types included: a circle of types ties files together as firmly as one of values. */
import { posix } from 'node:path';
import type { SourceFile } from './source-rules.ts';

/** A file, and the files it imports by a relative path; in the order in which they were read. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Counts what a comment quotes too: one import too many is seen and removed, one too few is never seen. */
const IMPORT = /\b(?:from|import)\s*\(?\s*['"`]([^'"`\s]+)['"`]/g;

/** What follows `from`, and what `import` names, as written. A worker's `new URL(…)` is another program, and no import. */
export const specifiersOf = (text: string): readonly string[] => [...text.matchAll(IMPORT)].map((match) => match[1] ?? '');

export function importGraph(files: readonly SourceFile[]): ImportGraph {
  return new Map(files.map(({ path, text }) => [path, relativeImports(path, text)]));
}

/** With a query (`?worker&url`) it is the address of a file, not an import of it. */
function relativeImports(path: string, text: string): readonly string[] {
  const relative = specifiersOf(text).filter((specifier) => specifier.startsWith('.') && !specifier.includes('?'));
  return [...new Set(relative.map((specifier) => posix.join(posix.dirname(path), specifier)))];
}

/** Each as `a → b → a`, the shortest through its first file; empty when there is none. */
export function circles(graph: ImportGraph): readonly string[] {
  return connectedGroups(graph).map((group) => shortestCircle(graph, new Set(group)).join(' → '));
}

/** Tarjan's strongly connected components, without those of one file that does not import itself. */
function connectedGroups(graph: ImportGraph): readonly (readonly string[])[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    order.set(file, number);
    open.push(file);
    let low = number;
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, lowest.get(next) ?? number, order.get(next) ?? number);
    }
    lowest.set(file, low);
    if (low === number) groups.push(open.splice(open.indexOf(file)));
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return groups.filter((group) => group.length > 1 || group.some((file) => graph.get(file)?.includes(file)));
}

function shortestCircle(graph: ImportGraph, group: ReadonlySet<string>): readonly string[] {
  const [first = ''] = [...group].sort();
  const paths: (readonly string[])[] = [[first]];
  const seen = new Set<string>();
  for (const path of paths) {
    for (const next of graph.get(path.at(-1) ?? '') ?? []) {
      if (next === first) return [...path, first];
      if (!group.has(next) || seen.has(next)) continue;
      seen.add(next);
      paths.push([...path, next]);
    }
  }
  return [first];
}
