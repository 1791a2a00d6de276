/** Refuses a PDF that does something, or that could hide what it does. Nothing is parsed: every name anywhere in the file counts. */
import { ApiError } from '@orrery/api';

const ACTIVE: ReadonlySet<string> = new Set([
  'JS',
  'JavaScript',
  'OpenAction',
  'AA',
  'EmbeddedFile',
  'EmbeddedFiles',
  'Launch',
  'RichMedia',
  'XFA',
  'SubmitForm',
  'ImportData',
  'GoToE',
  'GoToR',
  'Rendition',
  'Movie',
  'Sound',
]);
// eslint-disable-next-line no-control-regex -- NUL ends a name in a PDF.
const NAME = /\/([^\0\t\n\f\r ()<>[\]{}/%]+)/g;
const ESCAPED = /#([0-9a-fA-F]{2})/g;
const END = '%%EOF';
/** After it no reader looks for the end. */
const END_WITHIN_BYTES = 1_024;

/** @throws ApiError FileRefused with the reason. */
export function checkPdf(bytes: Buffer): void {
  const text = bytes.toString('latin1');
  if (!text.slice(-END_WITHIN_BYTES).includes(END)) throw refused('the PDF is not complete, or something follows its end');
  for (const [, raw = ''] of text.matchAll(NAME)) {
    const name = raw.includes('#') ? raw.replaceAll(ESCAPED, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))) : raw;
    if (ACTIVE.has(name)) throw refused(`the PDF has active content: ${name}`);
    if (name === 'Encrypt') throw refused('the PDF is encrypted');
    if (name === 'ObjStm')
      throw refused('the PDF packs its objects, where active content could be: print it to a PDF again, or hand in an image');
  }
}

const refused = (message: string): ApiError => new ApiError('FileRefused', { field: 'file', message });
