/** How much JavaScript a browser loads for a page of the built terminal, compressed as it travels. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const KIB = 1_024;

/** KiB of JavaScript, gzip at level 9. */
export const BUDGETS = {
  /** The script that every page loads first. */
  shell: 190,
  /** What any page but trading adds to the shell, with everything it loads without a user action. */
  page: 60,
  /** The shell with a trading page, its chart and the worker of the feed. */
  trade: 345,
  futures: 345,
} as const;

/** A chunk's file, and the files it can not begin without. */
export interface Chunk {
  readonly file: string;
  /** Bytes, compressed. */
  readonly weight: number;
  readonly imports: readonly string[];
}

export interface Bundle {
  readonly entry: string;
  readonly chunks: ReadonlyMap<string, Chunk>;
}

const STATIC_IMPORT = /\b(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g;
const ENTRY = /<script type="module"[^>]* src="\/assets\/([^"]+\.js)"/;

/** @throws Error when the terminal is not built. */
export function readBundle(dist: string): Bundle {
  const [, entry] = ENTRY.exec(readFileSync(join(dist, 'index.html'), 'utf8')) ?? [];
  if (entry === undefined) throw new Error(`${dist}/index.html starts no script`);
  const files = readdirSync(join(dist, 'assets')).filter((file) => file.endsWith('.js'));
  const chunks = files.map((file): [string, Chunk] => {
    const code = readFileSync(join(dist, 'assets', file), 'utf8');
    const imports = [...code.matchAll(STATIC_IMPORT)].map(([, imported = '']) => imported);
    return [file, { file, weight: gzipSync(code, { level: 9 }).length, imports }];
  });
  return { entry, chunks: new Map(chunks) };
}

/** KiB of these chunks and of everything they can not begin without; each once. */
export function weightOf({ chunks }: Bundle, files: readonly string[]): number {
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (found.has(file)) return;
    found.add(file);
    for (const imported of chunks.get(file)?.imports ?? []) visit(imported);
  };
  for (const file of files) visit(file);
  return [...found].reduce((sum, file) => sum + (chunks.get(file)?.weight ?? 0), 0) / KIB;
}

/** The chunks of this name, whatever their hashes. */
const named = ({ chunks }: Bundle, name: RegExp): readonly string[] => [...chunks.keys()].filter((file) => name.test(file));

const CHART = /^klinecharts-chart-/;
const WORKER = /^feed\.worker-/;
const TRADE = /^trade-page-/;
const FUTURES = /^futures-page-/;
/** Without the gallery of parts, which production does not have. */
const PAGE = /^(?!gallery-)[a-z-]+-pages?-[^/]+\.js$/;

/** A sentence for each page that is too heavy, and for each that was not found. */
export function weightViolations(bundle: Bundle): readonly string[] {
  const { entry } = bundle;
  const [chart, worker, trade] = [CHART, WORKER, TRADE].map((name) => named(bundle, name));
  const missing = [chart, worker, trade].some((found) => found?.length !== 1) ? ['the chunks of the trading page were not found'] : [];
  const futures = named(bundle, FUTURES);
  const pages = named(bundle, PAGE).filter((file) => !TRADE.test(file) && !FUTURES.test(file));
  const shell = weightOf(bundle, [entry]);
  const weights = [
    { name: 'the shell', budget: BUDGETS.shell, weight: shell },
    {
      name: 'the trading page',
      budget: BUDGETS.trade,
      weight: weightOf(bundle, [entry, ...[chart, worker, trade].flatMap((found) => found ?? [])]),
    },
    {
      name: 'the trading page of contracts',
      budget: BUDGETS.futures,
      weight: weightOf(bundle, [entry, ...[chart, worker, futures].flatMap((found) => found ?? [])]),
    },
    ...pages.map((file) => ({ name: `beyond the shell, ${file}`, budget: BUDGETS.page, weight: weightOf(bundle, [entry, file]) - shell })),
  ];
  const heavy = weights.filter(({ weight, budget }) => weight > budget);
  return [...missing, ...heavy.map(({ name, weight, budget }) => `${name} is ${weight.toFixed(1)} KiB of ${budget} KiB`)];
}
