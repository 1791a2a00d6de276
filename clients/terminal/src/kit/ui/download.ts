/** Hands a text to the browser as a file to save. */
const RELEASED_AFTER_MS = 10_000;

export interface DownloadedFile {
  /** With its ending, such as `orders.csv`. */
  readonly name: string;
  readonly type: 'text/csv' | 'application/json';
  readonly text: string;
}

/** A file that the exchange sends: the browser saves it as it comes, under the name that it has there. */
export const saveFrom = (url: string): void => Object.assign(document.createElement('a'), { href: url, download: '' }).click();

export function download({ name, type, text }: DownloadedFile): void {
  // Without the mark, spreadsheets take the file for another encoding.
  const mark = type === 'text/csv' ? '\ufeff' : '';
  const url = URL.createObjectURL(new Blob([mark + text], { type: `${type};charset=utf-8` }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASED_AFTER_MS);
}
