/** Proof that the owner of an address wants one thing, here and now: a nonce of ours in a message that is compared field by field, signed. */
import { ApiError, ISSUED_AT_SKEW_MS, MESSAGE_LIFE_MS, MESSAGE_VERSION, type Purpose } from '@orrery/api';
import type { Address } from '@orrery/units';
import { getAddress, type Hex } from 'viem';
import type { BlockedAddresses } from './blocked.ts';
import type { NonceRecord, Nonces } from './nonces.ts';
import { hashToken } from './opaque-token.ts';
import { ChainUnavailable, isSignedBy, type SignaturePorts } from './signature.ts';
import { parseSignInMessage, type SignInMessage } from './sign-in-message.ts';

export interface Proof {
  readonly purpose: Purpose;
  /** The nonce the caller names; where the call has no field for it, the message's own counts. */
  readonly nonce: string | undefined;
  readonly message: string;
  readonly signature: string;
  /** The origin that serves the caller's page. */
  readonly origin: string;
  /** What ties the call to the browser that asked for the nonce: its cookie, or the session of the same address. */
  readonly caller: { readonly browser: string | undefined } | { readonly sessionOf: Address };
  readonly statement: string;
  readonly requestId?: string;
}

export class Proofs {
  readonly #nonces: Nonces;
  readonly #blocked: BlockedAddresses;
  readonly #ports: SignaturePorts;
  readonly #chainId: number;
  readonly #now: () => number;
  readonly #wallMs: () => number;

  constructor(
    parts: SignaturePorts & { nonces: Nonces; blocked: BlockedAddresses; chainId: number; now: () => number; wallMs: () => number },
  ) {
    this.#nonces = parts.nonces;
    this.#blocked = parts.blocked;
    this.#ports = parts;
    this.#chainId = parts.chainId;
    this.#now = parts.now;
    this.#wallMs = parts.wallMs;
  }

  /**
   * The first call with a nonce uses it up, whatever comes of it.
   * @param onWrongSignature is called with the address in whose name it was not signed
   * @returns the address that signed. @throws ApiError naming what is wrong.
   */
  async check(proof: Proof, onWrongSignature?: (claimed: Address) => Promise<void>): Promise<Address> {
    const message = parseSignInMessage(proof.message);
    const named = proof.nonce ?? message?.nonce;
    if (named === undefined) throw new ApiError('InvalidMessage', { field: 'message' });
    const record = await this.#nonces.consume(named);
    if (record === undefined || record.purpose !== proof.purpose) throw new ApiError('InvalidNonce');
    if (record.origin !== proof.origin) throw new ApiError('ForeignOrigin');
    checkCaller(record, proof.caller);
    if (message === undefined) throw new ApiError('InvalidMessage', { field: 'message' });
    const wrong = this.#firstDifference(message, record, proof);
    if (wrong === 'statement') {
      // Who signs by a program reads here what this call is signed by.
      throw new ApiError('InvalidMessage', { field: wrong, message: `the statement of the message must be: ${proof.statement}` });
    }
    if (wrong !== undefined) throw new ApiError('InvalidMessage', { field: wrong });
    if (this.#blocked.has(record.address)) throw new ApiError('AddressBlocked');
    if (!(await this.#isSigned(record.address, proof))) {
      await onWrongSignature?.(record.address);
      throw new ApiError('InvalidSignature');
    }
    return record.address;
  }

  /** The name of the first field that is not what the server's own record asks for. */
  #firstDifference(message: SignInMessage, record: NonceRecord, proof: Proof): string | undefined {
    const origin = new URL(record.origin);
    if (message.scheme !== undefined && `${message.scheme}:` !== origin.protocol) return 'scheme';
    if (message.domain !== origin.host) return 'domain';
    if (message.address !== getAddress(record.address)) return 'address';
    if (message.statement !== proof.statement) return 'statement';
    if (message.uri !== record.origin) return 'uri';
    if (message.version !== MESSAGE_VERSION) return 'version';
    if (message.chainId !== String(this.#chainId)) return 'chainId';
    if (message.nonce !== record.nonce) return 'nonce';
    // The message is written when the nonce arrives; how long the person then looks at it is the nonce's life to limit.
    const now = this.#now();
    // A client goes by the time that we report or by the time of the world: by one of them all its times must be right.
    const wrong = [0, this.#wallMs() - now].map((ahead) => {
      if (Math.abs(record.issuedAt + ahead - message.issuedAt) > ISSUED_AT_SKEW_MS) return 'issuedAt';
      return message.expirationTime === undefined || isWithinLife(message.expirationTime, now + ahead) ? undefined : 'expirationTime';
    });
    if (!wrong.includes(undefined)) return wrong[0];
    if (message.requestId !== proof.requestId) return 'requestId';
    return undefined;
  }

  async #isSigned(address: Address, proof: Proof): Promise<boolean> {
    try {
      return await isSignedBy({ address, text: proof.message, signature: proof.signature as Hex }, this.#ports);
    } catch (cause) {
      if (cause instanceof ChainUnavailable) throw new ApiError('Upstream', { field: 'the chain', cause });
      throw cause;
    }
  }
}

/** The client's clock may run ahead of ours as far as `issuedAt` may. */
const isWithinLife = (expiration: number, now: number): boolean =>
  expiration > now && expiration <= now + MESSAGE_LIFE_MS + ISSUED_AT_SKEW_MS;

function checkCaller(record: NonceRecord, caller: Proof['caller']): void {
  if ('sessionOf' in caller) {
    if (caller.sessionOf !== record.address) throw new ApiError('NotYours', { field: 'nonce' });
  } else if (caller.browser === undefined || hashToken(caller.browser) !== record.browserHash) throw new ApiError('OtherBrowser');
}
