/** A name as it is kept and signed. Without a schema, and apart from the statements that every page loads. */

/** The country of a telephone number, where none is given. */
export const TEL_COUNTRY_CODE_DEFAULT = '86';

/** A name as it is kept and signed: an e-mail address in lower case, or the number as E.164 writes it, without the zero for calls inside of a country. */
export function nameText(written: string, telCountryCode: string = TEL_COUNTRY_CODE_DEFAULT): string {
  if (written.includes('@')) return written.trim().toLowerCase();
  const digits = written.trim().replaceAll(/[ ()./-]/g, '');
  return `+${telCountryCode}${digits.replace(/^0/, '')}`;
}

/** The statement of binding a name: an e-mail address in lower case, or a telephone number such as +8613800138000. */
export const bindNameStatement = (name: string): string => `Bind ${name} to my account on Orrery.`;
