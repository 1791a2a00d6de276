/** What is wrong with a chosen file, as a message; `undefined` when it may be taken. */
import type { MessageId } from '../i18n/catalog.ts';
import type { TextValues } from '../i18n/text.tsx';

export interface FileRule {
  /** Media types, such as `image/png`. */
  readonly types: readonly string[];
  /** The largest size that is taken, in bytes. */
  readonly maxBytes: number;
}

export interface FileProblem {
  readonly id: MessageId;
  readonly values?: TextValues;
}

const UNITS = ['B', 'KiB', 'MiB'] as const;

/** `640 B`, `12 KiB`, `1.5 MiB`: rounded down, to a tenth where that says more. */
export function fileSize(bytes: number): string {
  const step = bytes < 1024 ? 0 : bytes < 1024 ** 2 ? 1 : 2;
  const tenths = Math.floor((bytes * 10) / 1024 ** step);
  const whole = Math.floor(tenths / 10);
  return `${whole}${step === 2 && tenths % 10 !== 0 ? `.${tenths % 10}` : ''} ${UNITS[step]}`;
}

export function fileProblem({ type, size }: Pick<File, 'type' | 'size'>, { types, maxBytes }: FileRule): FileProblem | undefined {
  if (!types.includes(type)) return { id: 'ui.file.kind' };
  if (size === 0) return { id: 'ui.file.empty' };
  return size > maxBytes ? { id: 'ui.file.large', values: { size: fileSize(maxBytes) } } : undefined;
}
