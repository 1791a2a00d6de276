/** Which clock a length of time goes by. A wall clock that jumps ahead and comes back must neither let through what was refused nor refuse without end. */
import { isTest, type SourceFile } from './source-rules.ts';

export const CLOCKS = ['steady', 'monotonic', 'wall', 'unit', 'pace'] as const;

const isOfTheProgram = ({ path }: SourceFile): boolean => /^(services\/[a-z]+|exchange|api)\/src\/.*\.ts$/.test(path) && !isTest(path);

const WINDOW = /^(?:export )?const ([A-Z][A-Z0-9_]*_(?:MS|DAYS|SECONDS))\b/gm;
const WALL_CLOCK = /\bDate\.now\b|\bnew Date\(\)/;

/** Lengths of time without a row, rows without one, and rows of no clock. @param table as in `windows.txt` */
export function windowViolations(sources: readonly SourceFile[], table: string): readonly string[] {
  const found = sources.filter(isOfTheProgram).flatMap(({ path, text }) => [...text.matchAll(WINDOW)].map(([, name]) => `${name} ${path}`));
  const rows = new Map<string, string>();
  for (const line of table.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [name = '', clock = '', path = ''] = line.split(/ +/);
    rows.set(`${name} ${path}`, clock);
  }
  const ofNoClock = [...rows].filter(([, clock]) => !CLOCKS.some((each) => each === clock)).map(([window]) => `${window} goes by no clock`);
  return [
    ...found.filter((window) => !rows.has(window)).map((window) => `${window} has no row`),
    ...[...rows.keys()].filter((window) => !found.includes(window)).map((window) => `${window} is no window`),
    ...ofNoClock,
  ];
}

/** Files that read the wall clock without a reason, and reasons that nothing needs. */
export function wallClockViolations(sources: readonly SourceFile[], reasons: Readonly<Record<string, string>>): readonly string[] {
  const readers = sources.filter((source) => isOfTheProgram(source) && WALL_CLOCK.test(source.text)).map(({ path }) => path);
  return [
    ...readers
      .filter((path) => reasons[path] === undefined)
      .map((path) => `${path} reads the wall clock: what has a term goes by the clock it is given`),
    ...Object.keys(reasons)
      .filter((path) => !readers.includes(path))
      .map((path) => `${path} has a reason to read the wall clock, and does not read it`),
  ];
}
