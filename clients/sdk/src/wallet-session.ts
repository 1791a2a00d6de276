/** A session of a program that holds a wallet: it signs in as a person does, and keeps the cookies that a browser would keep. */
import { ACCESS_TOKEN_LIFE_MS, MESSAGE_VERSION, STATEMENTS, type Purpose, type SignedNonce } from '@orrery/api';
import { createClient, type Client } from './client.ts';
import { withCookies } from './cookies.ts';
import { sessionCredentials } from './credentials.ts';

export interface SigningWallet {
  /** In the checksum form of EIP-55, as wallets show it. */
  readonly address: string;
  /** `personal_sign` (EIP-191): the signature in hex, 65 bytes, or that of a contract wallet. */
  signMessage(text: string): Promise<string>;
}

export interface SignInOptions {
  /** Where the exchange is reached, such as `http://localhost:8080`. */
  readonly baseUrl: string;
  readonly wallet: SigningWallet;
  /** The origin of the exchange's pages, which the signed message names, where that is not the origin of `baseUrl`. */
  readonly origin?: string;
  /** The code of the authenticator app, where one is bound to the account: asked for at each login. */
  readonly oneTimeCode?: () => Promise<string>;
  readonly fetch?: typeof globalThis.fetch;
  readonly now?: () => number;
}

/** A token is renewed this long before it ends. */
const RENEW_BEFORE_MS = 60_000;

/** Nonce, signature, session. Rejects with a `CallError` when the exchange refuses, and with the wallet's own error when it does not sign. */
export async function signInWithWallet(options: SignInOptions): Promise<WalletSession> {
  const session = new WalletSession(options);
  await session.signIn();
  return session;
}

export class WalletSession {
  /** Calls by this session; its token is renewed in time. */
  readonly client: Client;
  readonly #options: SignInOptions;
  /** Calls that need no token. */
  readonly #door: Client;
  readonly #now: () => number;
  #token = '';
  #renewAt = 0;
  #renewal: Promise<void> | undefined;
  #chainId: number | undefined;

  constructor(options: SignInOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    const transport = { baseUrl: options.baseUrl, fetch: withCookies(options.fetch) };
    this.#door = createClient(transport);
    this.client = createClient({ ...transport, credentials: sessionCredentials(() => this.#liveToken()) });
  }

  /** Opens a session; again, when the trading session has ended after five hours. */
  async signIn(): Promise<void> {
    const answer = await this.#door.verify(await this.sign({ purpose: 'login', statement: STATEMENTS.login }));
    this.#keep(typeof answer === 'string' ? answer : await this.#second(answer.loginId));
  }

  async #second(loginId: string): Promise<string> {
    const { oneTimeCode } = this.#options;
    if (oneTimeCode === undefined) throw new Error('an authenticator app is bound to this account: give oneTimeCode');
    return this.#door.loginSecond({ loginId, codes: { google: await oneTimeCode() } });
  }

  /** What a call that asks for a fresh signature carries: a new nonce of this purpose, the message with the statement, and the signature. */
  async sign(asked: { readonly purpose: Purpose; readonly statement: string; readonly requestId?: string }): Promise<SignedNonce> {
    const { wallet } = this.#options;
    this.#chainId ??= (await this.#door.config()).defaultChainId;
    const nonce = await this.#door.nonce({ evmAddress: wallet.address, purpose: asked.purpose });
    const message = signInMessage({
      address: wallet.address,
      origin: this.#options.origin ?? new URL(this.#options.baseUrl).origin,
      chainId: this.#chainId,
      issuedAt: this.#now(),
      nonce,
      ...asked,
    });
    return { nonce, message, signature: await wallet.signMessage(message) };
  }

  async signOut(): Promise<void> {
    await this.client.logout();
    this.#token = '';
  }

  /** Calls that need a new token at the same time wait for one renewal: a refresh cookie serves once. */
  async #liveToken(): Promise<string | undefined> {
    if (this.#token !== '' && this.#now() >= this.#renewAt) {
      this.#renewal ??= this.#renew().finally(() => (this.#renewal = undefined));
      await this.#renewal;
    }
    return this.#token === '' ? undefined : this.#token;
  }

  async #renew(): Promise<void> {
    const { token } = await this.#door.refresh();
    this.#keep(token);
  }

  #keep(token: string): void {
    this.#token = token;
    this.#renewAt = this.#now() + ACCESS_TOKEN_LIFE_MS - RENEW_BEFORE_MS;
  }
}

interface MessageFields {
  readonly address: string;
  readonly origin: string;
  readonly chainId: number;
  readonly statement: string;
  readonly nonce: string;
  readonly issuedAt: number;
  readonly requestId?: string;
}

/** EIP-4361 text. */
const signInMessage = ({ address, origin, chainId, statement, nonce, issuedAt, requestId }: MessageFields): string =>
  [
    `${new URL(origin).host} wants you to sign in with your Ethereum account:`,
    address,
    '',
    statement,
    '',
    `URI: ${origin}`,
    `Version: ${MESSAGE_VERSION}`,
    `Chain ID: ${chainId}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    ...(requestId === undefined ? [] : [`Request ID: ${requestId}`]),
  ].join('\n');
