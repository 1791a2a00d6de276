/**
 * What leaves the program as text names no secret. Errors of a node, a database or a mail server carry the address by which they were called, and with
 * it the key: so what is written is searched for every secret that was set, and for the parts of it by which one gets in.
 */

/** Takes the secrets out of a text. */
export type Redact = (text: string) => string;

const MARK = '[redacted]';
/** Shorter parts of an address are words such as the name of a database; shorter secrets could not be distinguished from ordinary text. */
const PART_LENGTH_MIN = 12;
const CREDENTIAL_LENGTH_MIN = 6;
const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/[^\s,"'<>]+/gi;

/** @param secrets as they were set */
export function redactor(secrets: readonly string[]): Redact {
  const hidden = [...new Set(secrets.flatMap(partsOf).flatMap(spellingsOf))]
    .filter((text) => text.length >= CREDENTIAL_LENGTH_MIN)
    // The longest first: what is left of it when a part is gone would be found no more.
    .toSorted((one, other) => other.length - one.length);
  return (text) => hidden.reduce((shown, secret) => shown.replaceAll(secret, MARK), text);
}

/** The secret, and of every address in it what comes beside the host. */
function partsOf(secret: string): readonly string[] {
  const addresses = (secret.match(ADDRESS) ?? []).filter((text) => URL.canParse(text)).map((text) => new URL(text));
  const ofAddresses = addresses.flatMap(({ href, username, password, pathname, search, searchParams }) =>
    [href, `${pathname}${search}`, search.slice(1), ...pathname.split('/'), ...searchParams.values(), username]
      .filter((part) => part.length >= PART_LENGTH_MIN)
      .concat(password),
  );
  return [secret, ...ofAddresses];
}

/** As it stands, as an address or a JSON text spells it. */
const spellingsOf = (text: string): readonly string[] =>
  [text, decoded(text)].flatMap((each) => [each, encodeURIComponent(each), JSON.stringify(each).slice(1, -1)]);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
