/** Telephone numbers as E.164 writes them: a plus sign, the code of the country, the digits; at most fifteen of them. */
const MAX_DIGITS = 15;
const MIN_DIGITS = 7;

export interface PhoneParts {
  /** Such as `+44`. */
  readonly code: string;
  /** As typed, without what is not a digit. */
  readonly digits: string;
}

/** The whole number; empty while nothing but the code is known. A leading zero is for calls inside the country. */
export function phoneText({ code, digits }: PhoneParts): string {
  const national = digits.replace(/\D/g, '').replace(/^0+/, '');
  return national === '' ? '' : code + national;
}

/** What a person entered as the number: a whole number with its plus sign names its own country. */
export function phoneParts(entered: string, code: string, codes: readonly string[]): PhoneParts {
  const plain = entered.replace(/[^\d+]/g, '').replace(/^00/, '+');
  if (!plain.startsWith('+')) return { code, digits: plain.replaceAll('+', '') };
  const known = codes.filter((candidate) => plain.startsWith(candidate)).toSorted((one, other) => other.length - one.length);
  const [found] = known.includes(code) && known.every((candidate) => candidate.length <= code.length) ? [code] : known;
  return found === undefined ? { code, digits: plain.slice(1) } : { code: found, digits: plain.slice(found.length) };
}

export function isPhoneNumber(text: string): boolean {
  const digits = text.length - 1;
  return /^\+[1-9]\d*$/.test(text) && digits >= MIN_DIGITS && digits <= MAX_DIGITS;
}
