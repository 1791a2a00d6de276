/** The form of real names, and when two of them are the same. */

const REAL_NAME = /^\p{L}[\p{L}\p{M} .'’-]*$/u;
const LETTERS_MIN = 2;

/** One space between its parts, none around it, accents composed. */
export const tidyName = (text: string): string => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ');

/** @param name tidy */
export const isRealName = (name: string): boolean => REAL_NAME.test(name) && (name.match(/\p{L}/gu)?.length ?? 0) >= LETTERS_MIN;

export const isSameName = (one: string, other: string): boolean => keyOf(one) === keyOf(other);

const keyOf = (name: string): string => tidyName(name.normalize('NFKC').replaceAll('’', "'")).toLowerCase();

/** The first letter of each part. */
export const maskedName = (name: string): string =>
  name
    .split(' ')
    .map((part) => `${/^./u.exec(part)?.[0] ?? ''}***`)
    .join(' ');

/** Its last two characters. */
export const maskedNumber = (number: string): string => `…${number.slice(-2)}`;
