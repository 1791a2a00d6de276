/** Who makes a call: a session by its token, a program by its key. */
import { ApiError, LEGACY_SIGNATURE_VERSION, SIGNATURE_VERSION, SIGNED_HEADERS, type Principal } from '@orrery/api';
import { createPublicKey, type KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { AccountsView } from '@orrery/views';
import type { ApiKeyRecord, Authenticator, AuthFailure } from '../ports.ts';
import type { Parameters } from '../input/request-text.ts';
import { IpList } from './ip-list.ts';
import type { SignatureCheck, SignedCall } from './signature.ts';

export interface Credentials {
  readonly headers: IncomingHttpHeaders;
  readonly method: string;
  /** Path and query as sent. */
  readonly url: string;
  readonly ip: string;
  readonly parameters: Parameters;
  /** The text of the body, empty without one. */
  readonly bodyText: string;
}

export interface KeyProof extends SignedCall {
  readonly ip: string;
}

/** What comes before the 32 bytes of an Ed25519 key in its SPKI (RFC 8410). */
const SPKI_OF_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const BEARER = /^Bearer ([0-9a-zA-Z_-]{16,128})$/;

export class Who {
  readonly #authenticator: Authenticator;
  readonly #signatures: SignatureCheck;
  readonly #accounts: AccountsView;
  readonly #now: () => number;
  readonly #publicKeys = new WeakMap<ApiKeyRecord, KeyObject>();
  readonly #ipLists = new WeakMap<ApiKeyRecord, IpList>();

  constructor(options: { authenticator: Authenticator; signatures: SignatureCheck; accounts: AccountsView; now: () => number }) {
    this.#authenticator = options.authenticator;
    this.#signatures = options.signatures;
    this.#accounts = options.accounts;
    this.#now = options.now;
  }

  /** To be awaited before `of` where it is given: another process may have given out the credential. */
  learn(headers: IncomingHttpHeaders): Promise<void> | undefined {
    const accessKey = headers[SIGNED_HEADERS.accessKey];
    if (typeof accessKey === 'string') return this.learnKey(accessKey);
    const token = bearerOf(headers);
    return token === undefined ? undefined : this.#authenticator.learn?.({ token });
  }

  /** The same before `ofKey`. */
  learnKey(accessKey: string): Promise<void> | undefined {
    return this.#authenticator.learn?.({ accessKey });
  }

  /** Throws 401 or 403 when the caller is unknown or may not make this call; a promise, of which the same holds, as `ofKey`. */
  of(credentials: Credentials): Principal | Promise<Principal> {
    const { headers } = credentials;
    if (headers[SIGNED_HEADERS.accessKey] !== undefined) return this.#signed(credentials);
    const token = bearerOf(headers);
    if (token === undefined) throw new ApiError('NotSignedIn');
    return this.admit(this.#authenticator.session(token));
  }

  /**
   * By an API key. With a legacy signature a key that does not trade by it reads only, and a legacy read only reads, tickets of the stream included: it
   * can be repeated on another path.
   * @returns a promise where other processes take calls too: one of them may have taken this one
   */
  ofKey(proof: KeyProof): Principal | Promise<Principal> {
    const key = this.#keyOf(proof);
    const taken = this.#signatures.accept(proof, this.#proverOf(key));
    // The key may have ended meanwhile.
    return taken === undefined ? this.#admitKey(proof, key) : taken.then(() => this.#admitKey(proof, this.#keyOf(proof)));
  }

  #keyOf({ accessKey }: KeyProof): ApiKeyRecord {
    const key = this.#authenticator.apiKey(accessKey);
    if (typeof key === 'string') throw new ApiError(key);
    return key;
  }

  #admitKey(proof: KeyProof, key: ApiKeyRecord): Principal {
    if (!this.#allowsIp(key, proof.ip)) throw new ApiError('IpNotAllowed');
    const principal = this.admit(key.principal);
    if (!proof.isLegacy || changesNothing(principal)) return principal;
    if (proof.changes && key.legacySigning) return principal;
    if (proof.changes) throw new ApiError('LegacySignature');
    return { ...principal, permission: 'READ', moneyRights: [] };
  }

  /** Ended and blocked ones are turned away, on whatever way they came. */
  admit(principal: Principal | AuthFailure): Principal {
    if (typeof principal === 'string') throw new ApiError(principal);
    if (principal.endsAt <= this.#now()) throw new ApiError(principal.via === 'session' ? 'SessionExpired' : 'InvalidApiKey');
    if (this.#accounts.account(principal.account)?.flags.blocked === true) throw new ApiError('AddressBlocked');
    return principal;
  }

  #signed({ headers, method, url, ip, parameters, bodyText }: Credentials): Principal | Promise<Principal> {
    const end = url.indexOf('?');
    return this.ofKey({
      accessKey: headerOf(headers, SIGNED_HEADERS.accessKey),
      timestamp: headerOf(headers, SIGNED_HEADERS.timestamp),
      nonce: headerOf(headers, SIGNED_HEADERS.nonce),
      signature: headerOf(headers, SIGNED_HEADERS.signature),
      isLegacy: isLegacy(headers[SIGNED_HEADERS.version]),
      method,
      path: end === -1 ? url : url.slice(0, end),
      query: end === -1 ? '' : url.slice(end + 1),
      bodyText,
      parameters,
      ip,
      changes: method !== 'GET',
    });
  }

  /** By what its signatures are checked. */
  #proverOf(key: ApiKeyRecord): string | KeyObject {
    if (key.publicKey === undefined) return key.secret;
    let publicKey = this.#publicKeys.get(key);
    if (publicKey === undefined) {
      const spki = Buffer.concat([SPKI_OF_ED25519, Buffer.from(key.publicKey, 'base64')]);
      publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });
      this.#publicKeys.set(key, publicKey);
    }
    return publicKey;
  }

  #allowsIp(key: ApiKeyRecord, ip: string): boolean {
    if (key.ipList.length === 0) return true;
    let list = this.#ipLists.get(key);
    if (list === undefined) {
      list = new IpList(key.ipList);
      this.#ipLists.set(key, list);
    }
    return list.includes(ip);
  }
}

const changesNothing = ({ permission, moneyRights = [] }: Principal): boolean => permission === 'READ' && moneyRights.length === 0;

/** The token of the Authorization header. */
export const bearerOf = (headers: IncomingHttpHeaders): string | undefined =>
  headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];

function isLegacy(version: string | readonly string[] | undefined): boolean {
  if (version === SIGNATURE_VERSION) return false;
  if (version === undefined || version === LEGACY_SIGNATURE_VERSION) return true;
  throw new ApiError('MalformedField', { field: SIGNED_HEADERS.version });
}

function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  if (typeof value !== 'string') throw new ApiError('MissingField', { field: name });
  return value;
}
