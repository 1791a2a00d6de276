/** Who a credential belongs to, answered from memory: an order never waits for SQL. */
import {
  addressField,
  ApiError,
  otcReleaseStatement,
  type PasskeyAnswer,
  type Principal,
  type WithdrawRequest,
  withdrawStatement,
} from '@orrery/api';
import { millis, type AccountId } from '@orrery/units';
import type { AddressBook } from './address-book.ts';
import type { ApiKeys } from './api-keys.ts';
import type { FoundKey } from './stored-key.ts';
import type { BlockedAddresses } from './blocked.ts';
import { CHANGE, type Factors, releasePurpose, withdrawalPurpose } from './factors/factors.ts';
import type { Proofs } from './proof.ts';
import type { Session } from './session-store.ts';
import type { Sessions } from './sessions.ts';

/** What a call shows that gives away a coin. */
interface GivenProof {
  readonly google?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
  readonly nonce?: string | undefined;
  readonly message?: string | undefined;
  readonly signature?: string | undefined;
}

interface ReleaseTerms {
  readonly orderId: string;
  readonly amount: string;
  readonly coin: string;
  /** The trader id of the buyer. */
  readonly buyer: string;
}

type RevocationListener = (credential: string) => void;

/** Notifies the holder of open streams that a session or key has ended. */
export class Revocations {
  readonly #listeners = new Set<RevocationListener>();

  subscribe(listener: RevocationListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  report(credential: string): void {
    for (const listener of this.#listeners) listener(credential);
  }
}

export class AccountAuthenticator {
  readonly #sessions: Sessions;
  readonly #apiKeys: ApiKeys;
  readonly #blocked: BlockedAddresses;
  readonly #proofs: Proofs;
  readonly #factors: Factors;
  readonly #addressBook: AddressBook;
  readonly #revocations: Revocations;
  readonly #copies: { readonly isFresh: boolean } | undefined;

  constructor(parts: {
    sessions: Sessions;
    apiKeys: ApiKeys;
    blocked: BlockedAddresses;
    proofs: Proofs;
    factors: Factors;
    addressBook: AddressBook;
    revocations: Revocations;
    /** Where other processes share the database. */
    copies?: { readonly isFresh: boolean } | undefined;
  }) {
    this.#copies = parts.copies;
    this.#sessions = parts.sessions;
    this.#apiKeys = parts.apiKeys;
    this.#blocked = parts.blocked;
    this.#proofs = parts.proofs;
    this.#factors = parts.factors;
    this.#addressBook = parts.addressBook;
    this.#revocations = parts.revocations;
  }

  /**
   * Undefined where memory has what is known of this credential. Otherwise to be awaited before it is looked up: another process may have given it out a
   * moment ago.
   */
  learn(credential: { readonly token: string } | { readonly accessKey: string }): Promise<void> | undefined {
    if ('token' in credential) return this.#sessions.isUnknown(credential.token) ? this.#sessions.learn(credential.token) : undefined;
    return this.#apiKeys.isUnknown(credential.accessKey) ? this.#apiKeys.readAgain(credential.accessKey) : undefined;
  }

  /** @throws ApiError Upstream while it is not known what other processes have ended. */
  session(token: string): Principal | 'SessionExpired' | 'AddressBlocked' {
    this.#checkFresh();
    const session = this.#sessions.find(token);
    if (session === undefined) return 'SessionExpired';
    return this.#blocked.has(session.address) ? 'AddressBlocked' : principalOf(session);
  }

  /**
   * Who a session or an API key is by now, whichever process gave it out. Its end is announced here from then on.
   * @throws ApiError Upstream while it is not known what other processes have ended
   */
  async holder({
    account,
    via,
    credential,
  }: Pick<Principal, 'account' | 'via' | 'credential'>): Promise<Principal | 'SessionExpired' | 'InvalidApiKey' | 'AddressBlocked'> {
    if (via === 'apiKey') {
      await this.learn({ accessKey: credential });
      const key = this.apiKey(credential);
      return typeof key === 'string' ? key : key.principal;
    }
    if (!this.#sessions.isLive(credential)) await this.#sessions.learnOf(account);
    this.#checkFresh();
    const session = this.#sessions.of(account).find(({ sessionId }) => sessionId === credential);
    if (session === undefined) return 'SessionExpired';
    return this.#blocked.has(session.address) ? 'AddressBlocked' : principalOf(session);
  }

  /** @throws ApiError Upstream while it is not known what other processes have ended. */
  apiKey(accessKey: string): FoundKey | 'InvalidApiKey' | 'AddressBlocked' {
    this.#checkFresh();
    const key = this.#apiKeys.find(accessKey);
    if (key === undefined) return 'InvalidApiKey';
    return this.#blocked.has(key.principal.address) ? 'AddressBlocked' : key;
  }

  /**
   * The signature binds the amount, the coin, the receiver and the id: a stolen session alone moves nothing. Where a second factor is
   * bound, neither does a stolen wallet; the answer of a passkey binds the same. The signature is checked first: a code that is used up
   * cannot be sent again, and a repetition of what was taken names the nonce that is used up. The receiver is the own wallet, or has been in the address book for its wait. A key is
   * its own signature over the request: it was made with a code of the app, and is used from its addresses, a day later.
   */
  async checkWithdrawal({ principal, origin, request }: { principal: Principal; origin: string; request: WithdrawRequest }): Promise<void> {
    if (principal.via === 'apiKey') {
      await this.#readFactors(principal.account);
      this.#apiKeys.checkWithdraws(principal.credential);
      this.#factors.holds.check(principal.account);
      return this.#addressBook.checkUsable(principal, addressField(request.to, 'to'));
    }
    await this.#readFactors(principal.account);
    const check = this.#factors.requiredForMoney(principal.account, request, { origin, purpose: withdrawalPurpose(request) });
    await this.#proofs.check({
      purpose: 'withdraw',
      nonce: required('nonce', request.nonce),
      message: required('message', request.message),
      signature: required('signature', request.signature),
      origin,
      caller: { sessionOf: principal.address },
      statement: withdrawStatement(request),
      requestId: request.withdrawalId,
    });
    this.#factors.holds.check(principal.account);
    await this.#addressBook.checkUsable(principal, addressField(request.to, 'to'));
    await check?.();
  }

  /**
   * The release of an OTC order: a stolen session alone gives away nothing. Where a second factor is bound, it is needed; elsewhere the wallet signs over
   * exactly this amount, coin, order and buyer. No key of a program releases anything.
   */
  async checkRelease({
    principal,
    origin,
    given,
    terms,
  }: {
    principal: Principal;
    origin: string;
    given: GivenProof;
    terms: ReleaseTerms;
  }): Promise<void> {
    if (principal.via === 'apiKey') throw new ApiError('PermissionMissing');
    await this.#readFactors(principal.account);
    const check = this.#factors.requiredForMoney(principal.account, given, { origin, purpose: releasePurpose(terms) });
    if (check !== undefined) return check();
    await this.#proofs.check({
      purpose: 'otc-release',
      nonce: required('nonce', given.nonce),
      message: required('message', given.message),
      signature: required('signature', given.signature),
      origin,
      caller: { sessionOf: principal.address },
      statement: otcReleaseStatement(terms),
    });
  }

  /** Where others pay a person is changed with the second factor, where one is bound. */
  async checkChange({ principal, origin, given }: { principal: Principal; origin: string; given: GivenProof }): Promise<void> {
    await this.#readFactors(principal.account);
    await this.#factors.required(principal.account, given, { origin, purpose: CHANGE })?.();
  }

  /** 2 where an authenticator app is bound, 3 where a passkey is. */
  levelOf(account: AccountId): number {
    return this.#factors.levelOf(account);
  }

  #checkFresh(): void {
    if (this.#copies?.isFresh === false) throw new ApiError('Upstream', { field: 'the database', retryAfterSeconds: 1 });
  }

  /** What gives money away goes by the rows: another process may have bound a factor, or begun a hold, a moment ago. */
  async #readFactors(account: AccountId): Promise<void> {
    if (this.#copies !== undefined) await this.#factors.readAgain(account);
  }

  onRevoked(listener: RevocationListener): () => void {
    return this.#revocations.subscribe(listener);
  }
}

const principalOf = ({ account, address, sessionId, endsAt }: Session): Principal => ({
  account,
  address,
  via: 'session',
  credential: sessionId,
  permission: 'TRADE',
  tier: 'standard',
  endsAt: millis(endsAt),
});

function required(field: string, value: string | undefined): string {
  if (value === undefined) throw new ApiError('MissingField', { field });
  return value;
}
