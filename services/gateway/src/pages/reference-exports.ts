/** The section on files of exports: a dictionary of every file and column, from what the files are written by. */
import { EXPORT_FILES, type ExportColumnKind, type ExportFileTerms } from '@orrery/api';
import { anchor, capital, prose, table, text } from './reference-html.ts';

export const EXPORTS = 'files of exports';

const KINDS: Readonly<Record<ExportColumnKind, string>> = {
  id: 'made by the exchange or the chain; the same thing has the same id in every file',
  text: 'written by a person, or with parts by one; what a spreadsheet would take for a formula begins with an apostrophe',
  time: 'in UTC: 2026-01-31T09:30:00.000Z, in the layouts of others as the column says',
  decimal: 'exact, with a point and without an exponent',
  coin: 'code of a coin, such as USDC',
  word: 'one of a few words that do not change',
  integer: 'a whole number',
  boolean: 'true or false',
};

export function exportSection(): string {
  const kinds = Object.entries(KINDS).map(([kind, meaning]) => `<tr><td><code>${kind}</code></td><td>${text(meaning)}</td></tr>`);
  return `<section id="${anchor(`at ${EXPORTS}`)}"><h2>${capital(EXPORTS)}</h2>
<p>An export is made by <a href="#createExport"><code>/pro/u/export/create</code></a>: files of CSV by RFC 4180 in UTF-8, with a line of headers, complete up to the call. A column is one
fact, and a cell is empty where there is none.</p>
${table(['Kind of column', 'Meaning'], kinds)}
${Object.entries<ExportFileTerms>(EXPORT_FILES).map(fileOf).join('\n')}</section>`;
}

function fileOf([name, { summary, columns }]: readonly [string, ExportFileTerms]): string {
  const rows = Object.entries(columns).map(
    ([column, [kind, description]]) => `<tr><td><code>${text(column)}</code></td><td>${kind}</td><td>${text(description)}</td></tr>`,
  );
  return `<details id="${anchor(`export ${name}`)}"><summary><code>${text(name)}.csv</code></summary><p>${prose(summary)}</p>${table(['Column', 'Kind', 'Meaning'], rows)}</details>`;
}
