/** What a file is by its first bytes, whatever its sender says. */
import type { FileType } from '@orrery/api';

const starts = (bytes: Buffer, text: string, at = 0): boolean => bytes.toString('latin1', at, at + text.length) === text;

export function typeOf(bytes: Buffer): FileType | undefined {
  if (starts(bytes, '\xFF\xD8\xFF')) return 'image/jpeg';
  if (starts(bytes, '\x89PNG\r\n\x1A\n')) return 'image/png';
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'image/webp';
  return starts(bytes, '%PDF-') ? 'application/pdf' : undefined;
}

export const EXTENSIONS: Readonly<Record<FileType, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'application/pdf': 'pdf',
};
