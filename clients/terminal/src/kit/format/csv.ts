/** Comma-separated values by RFC 4180, which spreadsheets read as they are: numbers with a point, times in UTC. */

/** A spreadsheet takes a cell that begins with one of these for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;

function cellOf(text: string): string {
  const harmless = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** The lines of a file, the first of them the names of the columns. */
export const csvOf = (lines: readonly (readonly string[])[]): string => lines.map((cells) => `${cells.map(cellOf).join(',')}\r\n`).join('');
