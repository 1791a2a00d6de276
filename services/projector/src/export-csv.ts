/** Lines by RFC 4180, of the columns that the public contract names. */
import { EXPORT_FILES, type ExportColumnOf, type ExportFileName } from '@orrery/api';

/** One text for each column; an empty one where there is nothing to say. */
export type Line<File extends ExportFileName> = Readonly<Record<ExportColumnOf<File>, string>>;

/** A spreadsheet takes a cell that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

export const headerOf = (file: ExportFileName): string => joined(Object.keys(EXPORT_FILES[file].columns));

export function lineOf<File extends ExportFileName>(file: File, line: Line<File>): string {
  const columns = Object.entries<readonly [string, string]>(EXPORT_FILES[file].columns);
  return joined(columns.map(([name, [kind]]) => cellOf(line[name as ExportColumnOf<File>], kind)));
}

/** Only what a person has written may begin like a formula, and an amount with its sign. */
const cellOf = (text: string, kind: string): string => (kind === 'text' && FORMULA.test(text) ? `'${text}` : text);

const joined = (cells: readonly string[]): string =>
  `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`;
