/** Pieces of the reference: tables, examples, and text that is safe in a page. */
import type { Field } from './reference-schema.ts';

export function fieldTable(title: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, type, isRequired, notes }) =>
      `<tr><td><code>${breakable(name)}</code>${isRequired ? '' : ' <span class="optional">optional</span>'}</td><td><code>${text(type)}</code></td><td>${text(notes.join('; '))}</td></tr>`,
  );
  return `<h4>${title}</h4>${table(['Name', 'Type', 'Notes'], rows)}`;
}

/** Wide tables scroll inside their own box, which the keyboard reaches. */
export const table = (heads: readonly string[], rows: readonly string[]): string =>
  `<div class="scroll" tabindex="0" role="group" aria-label="${heads.join(', ')}"><table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></div>`;

export const example = (title: string, value: unknown): string =>
  `<h4>${title}</h4><pre tabindex="0">${text(JSON.stringify(value, undefined, 2))}</pre>`;

export const capital = (raw: string): string => `${raw.charAt(0).toUpperCase()}${raw.slice(1)}`;

export const anchor = (name: string): string => name.replaceAll(/[^a-zA-Z0-9]+/g, '-');

export const text = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Long names break behind their separators. */
export const breakable = (name: string): string => text(name).replaceAll(/([/.[_])/g, '<wbr>$1');

/** Text with `code` in it. */
export const prose = (raw: string): string => text(raw).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
