/** A name as it is written, read and shown: an e-mail address or a telephone number. */
import { ApiError, NAME_LENGTH_MAX, nameText, TEL_COUNTRY_CODE_DEFAULT } from '@orrery/api';

export interface Name {
  readonly kind: 'email' | 'phone';
  /** An e-mail address in lower case, or a telephone number as E.164 writes it. */
  readonly text: string;
  /** Of a telephone number. */
  readonly telCountryCode: string | undefined;
}

/** No more than mailboxes need: one @, a host with a point, no blanks and no control characters. */
const EMAIL = /^[^\s@"<>(),;:\\[\]\p{Cc}]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/u;
/** E.164 allows 15 digits, the country's included. */
const TEL_DIGITS = [4, 14] as const;
const E164_DIGITS_MAX = 15;

/** @throws ApiError MalformedField naming the field. */
export function parseName(written: string, telCountryCode: string | undefined, field: string): Name {
  if (written.includes('@')) return parseEmail(written, field);
  const country = telCountryCode ?? TEL_COUNTRY_CODE_DEFAULT;
  const text = nameText(written, country);
  const digits = text.slice(country.length + 1);
  const isNumber = /^[0-9]+$/.test(digits) && digits.length >= TEL_DIGITS[0] && digits.length <= TEL_DIGITS[1];
  if (!isNumber || text.length > E164_DIGITS_MAX + 1) throw new ApiError('MalformedField', { field });
  return { kind: 'phone', text, telCountryCode: country };
}

/** @throws ApiError MalformedField naming the field. */
export function parseEmail(written: string, field: string): Name {
  const text = nameText(written);
  if (text.length > NAME_LENGTH_MAX || !EMAIL.test(text)) throw new ApiError('MalformedField', { field });
  return { kind: 'email', text, telCountryCode: undefined };
}

/** `a***@example.org`, `+86*********00`: enough for its owner to know it again. */
export function masked({ kind, text, telCountryCode = '' }: Name): string {
  if (kind === 'email') return `${text.slice(0, 1)}***${text.slice(text.indexOf('@'))}`;
  const shown = telCountryCode.length + 1;
  return `${text.slice(0, shown)}${'*'.repeat(Math.max(0, text.length - shown - 2))}${text.slice(-2)}`;
}
