/** Does what the session machine says: asks the wallet and the exchange, keeps time, remembers. */
import { unreachable } from '@orrery/units';
import { isAuthFailure, isLogout } from '../client/failure.ts';
import type { AccessToken, AccessTokens } from '../client/access-tokens.ts';
import type { SessionMemory } from './session-memory.ts';
import { disconnected, transition } from './session-state.ts';
import type { SessionEffect, SessionEvent, SessionState, SignedIn } from './session-state.ts';
import { walletMessage } from './sign.ts';
import type { Signed } from './sign.ts';

export const TOKEN_CHECK_MS = 10_000;
const RETRY_MS = 2_000;

/** What the exchange says of the signed-in account. */
export interface AccountFacts {
  readonly accountId: string;
  readonly address: string;
  readonly termsAccepted: boolean;
  readonly connected: boolean;
  readonly sessionEndsAt: number | null;
}

export interface SessionPorts {
  readonly now: () => number;
  readonly sleep: (millis: number) => Promise<void>;
  readonly newHandle: () => string;
  readonly memory: SessionMemory;
  readonly tokens: AccessTokens;
  readonly disconnectWallet: () => Promise<void>;
  readonly signLogin: (address: string) => Promise<Signed>;
  readonly verify: (signed: Signed) => Promise<AccessToken>;
  /** Rejects with HTTP 401 or 403 when the token is not taken. */
  readonly account: () => Promise<AccountFacts>;
  /** The spot order list, which shows whether the token is still accepted. */
  readonly isTokenTaken: () => Promise<boolean>;
  readonly isWhitelisted: (address: string) => Promise<boolean>;
  readonly onState: (state: SessionState) => void;
  /** Ends the session here and at the exchange. Never rejects. */
  readonly signOut: () => Promise<void>;
}

export class SessionRuntime {
  readonly #ports: SessionPorts;
  #state: SessionState = disconnected;
  #isChecking = false;
  /** Counts requests to sign, so that the answer to one that was given up changes nothing. */
  #signing = 0;

  constructor(ports: SessionPorts) {
    this.#ports = ports;
  }

  get state(): SessionState {
    return this.#state;
  }

  dispatch(event: SessionEvent): void {
    const before = this.#state;
    const { state, effects } = transition(before, event);
    if (state !== before) {
      if (state.address !== before.address) this.#ports.tokens.use(state.address);
      this.#state = state;
      this.#ports.onState(state);
    }
    for (const effect of effects) this.#perform(effect);
  }

  /** Asks the wallet to sign in. Resolves when signing is over, whatever came of it. */
  async signIn(): Promise<void> {
    const { address } = this.#state;
    if (address === undefined) return;
    this.dispatch({ type: 'signingStarted' });
    if (this.#state.phase !== 'signing') return;
    const request = (this.#signing += 1);
    try {
      const signed = await this.#ports.signLogin(address);
      if (request !== this.#signing) return;
      this.#ports.tokens.hold(address, await this.#ports.verify(signed));
      const signedIn = await this.#readSignedIn(address, this.#ports.newHandle());
      if (signedIn === undefined) throw new Error('the exchange signed in another account');
      if (request === this.#signing) this.dispatch({ type: 'signingSucceeded', address, signedIn });
    } catch (error) {
      if (request === this.#signing) this.dispatch({ type: 'signingFailed', address, message: walletMessage(error) });
    }
  }

  /** The person waits no longer. What the wallet answers later is not looked at. */
  giveUpSigning(): void {
    this.#signing += 1;
    this.dispatch({ type: 'signingGivenUp' });
  }

  /** Looks now whether the token is still taken: every 10 s, when the page becomes visible, after a 401. */
  async checkToken(): Promise<void> {
    const { signedIn } = this.#state;
    if (signedIn === undefined || this.#isChecking) return;
    this.#isChecking = true;
    try {
      const isOver = await this.#isOver(signedIn);
      // The same person may have logged out and in again meanwhile: that session is another.
      if (isOver && this.#state.signedIn?.handle === signedIn.handle) this.dispatch({ type: 'tokenExpired' });
    } catch {
      // Not reachable: the next check asks again.
    } finally {
      this.#isChecking = false;
    }
  }

  /** Reads again from the exchange what the account may do. */
  async refreshAccount(): Promise<void> {
    const { address, signedIn } = this.#state;
    if (address === undefined || signedIn === undefined) return;
    // Not reachable: what is known stays, and the next look asks again.
    const fresh = await this.#readSignedIn(address, signedIn.handle).catch(() => undefined);
    if (fresh?.termsAccepted === true) this.dispatch({ type: 'termsAccepted' });
    if (fresh?.connected === true) this.dispatch({ type: 'connectionEstablished' });
    await this.#checkWhitelist(address);
  }

  #perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'disconnectWallet':
        // A wallet that does not let itself be disconnected is not followed either.
        return void this.#ports.disconnectWallet().catch(() => undefined);
      case 'validateToken':
        return void this.#validate(effect.address);
      case 'checkWhitelist':
        return void this.#checkWhitelist(effect.address);
      case 'rememberSession':
        return this.#ports.memory.remember(effect);
      case 'forgetSession':
        this.#ports.tokens.drop(effect.address);
        return this.#ports.memory.forget(effect.address);
      default:
        return unreachable(effect);
    }
  }

  async #validate(address: string): Promise<void> {
    while (this.#state.address === address && this.#state.phase === 'validating') {
      try {
        const signedIn = await this.#findSession(address);
        return this.dispatch(signedIn === undefined ? { type: 'tokenInvalid', address } : { type: 'tokenValid', address, signedIn });
      } catch (error) {
        if (isAuthFailure(error) || isLogout(error)) return this.dispatch({ type: 'tokenInvalid', address });
        // The exchange could not be asked: that says nothing about the token.
        await this.#ports.sleep(RETRY_MS);
      }
    }
  }

  async #findSession(address: string): Promise<SignedIn | undefined> {
    const { memory, tokens } = this.#ports;
    const handle = memory.handleOf(address);
    if (handle === undefined) return undefined;
    const token = (await tokens.current()) ?? (await tokens.renew())?.token;
    return token === undefined ? undefined : this.#readSignedIn(address, handle);
  }

  /** Answers only for the address that asked: the cookie may belong to another account of the same wallet. */
  async #readSignedIn(address: string, handle: string): Promise<SignedIn | undefined> {
    const account = await this.#ports.account().catch((error: unknown) => {
      // Code 303 on the account's own facts is the order to log out.
      if (isLogout(error)) void this.#ports.signOut();
      throw error;
    });
    if (account.address.toLowerCase() !== address.toLowerCase() || account.sessionEndsAt === null) return undefined;
    const { accountId, termsAccepted, connected, sessionEndsAt } = account;
    return { accountId, handle, endsAt: sessionEndsAt, termsAccepted, connected };
  }

  async #checkWhitelist(address: string): Promise<void> {
    while (this.#state.address === address) {
      try {
        const inWhitelist = await this.#ports.isWhitelisted(address);
        return this.dispatch({ type: 'whitelistChecked', address, inWhitelist });
      } catch {
        await this.#ports.sleep(RETRY_MS);
      }
    }
  }

  async #isOver(signedIn: SignedIn): Promise<boolean> {
    if (signedIn.endsAt <= this.#ports.now()) return true;
    if (await this.#ports.isTokenTaken()) return false;
    // The short token may have been revoked alone: the cookie has the last word.
    return (await this.#ports.tokens.renew()) === undefined || !(await this.#ports.isTokenTaken());
  }
}
