/** EIP-4361 text, read strictly: each line in its place, no field that we do not ask for, or no message at all. */

export interface SignInMessage {
  /** The optional `scheme://` before the domain, without the slashes. */
  readonly scheme: string | undefined;
  readonly domain: string;
  readonly address: string;
  readonly statement: string;
  readonly uri: string;
  readonly version: string;
  readonly chainId: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly expirationTime: number | undefined;
  readonly requestId: string | undefined;
}

const SHAPE = new RegExp(
  [
    '^(?:(?<scheme>[a-z][a-z0-9+.-]{0,15})://)?(?<domain>[^\\s/?#@]{1,255}) wants you to sign in with your Ethereum account:',
    '(?<address>0x[0-9a-fA-F]{40})',
    '',
    '(?<statement>[\\x20-\\x7e]{1,1200})',
    '',
    'URI: (?<uri>[\\x21-\\x7e]{1,255})',
    'Version: (?<version>[0-9]{1,3})',
    'Chain ID: (?<chainId>[1-9][0-9]{0,15})',
    'Nonce: (?<nonce>[0-9a-zA-Z]{8,64})',
    'Issued At: (?<issuedAt>[^\\s]{1,40})(?:',
    'Expiration Time: (?<expirationTime>[^\\s]{1,40}))?(?:',
    'Request ID: (?<requestId>[\\x21-\\x7e]{1,80}))?$',
  ].join('\n'),
);

/** RFC 3339 with the upper-case T and Z that ISO 8601 printers write. */
const TIME =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

export function parseSignInMessage(text: string): SignInMessage | undefined {
  const groups = SHAPE.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { scheme, domain, address, statement, uri, version, chainId, nonce, issuedAt, expirationTime, requestId } = groups;
  const issued = parseTime(issuedAt);
  const expires = expirationTime === undefined ? undefined : parseTime(expirationTime);
  if (issued === undefined || (expirationTime !== undefined && expires === undefined)) return undefined;
  if (domain === undefined || address === undefined || statement === undefined || uri === undefined) return undefined;
  if (version === undefined || chainId === undefined || nonce === undefined) return undefined;
  return {
    scheme,
    domain,
    address,
    statement,
    uri,
    version,
    chainId,
    nonce,
    issuedAt: issued,
    expirationTime: expires,
    requestId,
  };
}

function parseTime(text: string | undefined): number | undefined {
  if (text === undefined || !TIME.test(text)) return undefined;
  const time = Date.parse(text);
  // `Date.parse` takes 31 February for 3 March.
  return Number.isNaN(time) || !dayExists(text) ? undefined : time;
}

function dayExists(text: string): boolean {
  const [year, month, day] = text.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (month ?? 0) - 1, day)).getUTCDate() === day;
}
