/** Who makes the calls: an API key that signs each one, or a session whose token is asked for each time. */
import { SIGNED_HEADERS, signedText } from '@orrery/api';

export type SentParameters = readonly (readonly [name: string, value: string])[];

export interface Credentials {
  /** Headers that prove who calls, for exactly these parameters. */
  headers(parameters: SentParameters): Promise<Readonly<Record<string, string>>>;
}

export interface ApiKeyOptions {
  readonly accessKey: string;
  readonly secret: string;
  readonly now?: () => number;
}

/** What one signed call, or the login of a stream, carries. */
export interface Signed {
  readonly accessKey: string;
  readonly timestamp: number;
  readonly nonce: string;
  readonly signature: string;
}

export class ApiKeyCredentials implements Credentials {
  readonly #accessKey: string;
  readonly #secret: Uint8Array<ArrayBuffer>;
  readonly #now: () => number;
  #key: Promise<CryptoKey> | undefined;
  #lastTimestamp = 0;

  constructor({ accessKey, secret, now = Date.now }: ApiKeyOptions) {
    this.#accessKey = accessKey;
    this.#secret = new TextEncoder().encode(secret);
    this.#now = now;
  }

  async sign(parameters: SentParameters): Promise<Signed> {
    // Two calls with the same parameters in one millisecond would carry the same signature and look like a replay.
    const timestamp = Math.max(this.#now(), this.#lastTimestamp + 1);
    this.#lastTimestamp = timestamp;
    this.#key ??= crypto.subtle.importKey('raw', this.#secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
    const text = new TextEncoder().encode(signedText(parameters, timestamp));
    const signature = new Uint8Array(await crypto.subtle.sign('HMAC', await this.#key, text));
    const hex = Array.from(signature, (byte) => byte.toString(16).padStart(2, '0')).join('');
    return { accessKey: this.#accessKey, timestamp, nonce: crypto.randomUUID(), signature: hex };
  }

  async headers(parameters: SentParameters): Promise<Readonly<Record<string, string>>> {
    const { accessKey, timestamp, nonce, signature } = await this.sign(parameters);
    return {
      [SIGNED_HEADERS.accessKey]: accessKey,
      [SIGNED_HEADERS.timestamp]: String(timestamp),
      [SIGNED_HEADERS.nonce]: nonce,
      [SIGNED_HEADERS.signature]: signature,
    };
  }
}

/** @param token gives the current access token; undefined sends the call without one. */
export function sessionCredentials(token: () => string | undefined | Promise<string | undefined>): Credentials {
  return {
    async headers() {
      const current = await token();
      return current === undefined ? {} : { authorization: `Bearer ${current}` };
    },
  };
}
