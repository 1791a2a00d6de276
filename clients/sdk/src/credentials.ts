/** Who makes the calls: an API key that signs each one, or a session whose token is asked for each time. */
import { SIGNATURE_VERSION, SIGNED_HEADERS, signedRequestText } from '@orrery/api';

/** A call as it is sent. */
export interface SentCall {
  readonly method: string;
  readonly url: URL;
  /** Empty without a body. */
  readonly body: string;
}

export interface Credentials {
  /** Headers that prove who calls, for exactly this call. */
  headers(call: SentCall): Promise<Readonly<Record<string, string>>>;
}

export type ApiKeyOptions = {
  readonly accessKey: string;
  readonly now?: () => number;
} & (
  | { readonly secret: string; readonly privateKey?: undefined }
  /** Of an Ed25519 key: PKCS #8 in PEM. */
  | { readonly privateKey: string; readonly secret?: undefined }
);

export class ApiKeyCredentials implements Credentials {
  readonly #accessKey: string;
  readonly #importKey: () => Promise<CryptoKey>;
  readonly #now: () => number;
  #key: Promise<CryptoKey> | undefined;

  constructor({ accessKey, secret, privateKey, now = Date.now }: ApiKeyOptions) {
    this.#accessKey = accessKey;
    this.#importKey = () => (privateKey === undefined ? hmacKeyOf(secret) : ed25519KeyOf(privateKey));
    this.#now = now;
  }

  async headers({ method, url, body }: SentCall): Promise<Readonly<Record<string, string>>> {
    const timestamp = this.#now();
    const nonce = crypto.randomUUID();
    const encoder = new TextEncoder();
    const bodyHash = hex(await crypto.subtle.digest('SHA-256', encoder.encode(body)));
    this.#key ??= this.#importKey();
    const key = await this.#key;
    const text = signedRequestText({ method, path: url.pathname, query: url.search.slice(1), bodyHash, nonce, timestamp });
    return {
      [SIGNED_HEADERS.accessKey]: this.#accessKey,
      [SIGNED_HEADERS.timestamp]: String(timestamp),
      [SIGNED_HEADERS.nonce]: nonce,
      [SIGNED_HEADERS.signature]: hex(await crypto.subtle.sign(key.algorithm.name, key, encoder.encode(text))),
      [SIGNED_HEADERS.version]: SIGNATURE_VERSION,
    };
  }
}

const hmacKeyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', new TextEncoder().encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);

/** Rejects when the text is no private key of Ed25519. */
async function ed25519KeyOf(pem: string): Promise<CryptoKey> {
  const base64 = pem.replaceAll(/-----(BEGIN|END) PRIVATE KEY-----|\s/g, '');
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']);
}

const hex = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param token gives the current access token; undefined sends the call without one. */
export function sessionCredentials(token: () => string | undefined | Promise<string | undefined>): Credentials {
  return {
    async headers() {
      const current = await token();
      return current === undefined ? {} : { authorization: `Bearer ${current}` };
    },
  };
}
