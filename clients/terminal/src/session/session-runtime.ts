/** Does what the session machine says: asks the wallet and the exchange, keeps time, remembers. */
import { isAuthFailure } from '../client/failure.ts';
import type { AccessToken } from './access-tokens.ts';
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
  readonly tokens: {
    use(address: string | undefined): void;
    hold(address: string, token: AccessToken): void;
    drop(address: string): void;
    current(): Promise<string | undefined>;
    renew(): Promise<AccessToken | undefined>;
  };
  readonly disconnectWallet: () => Promise<void>;
  readonly signLogin: (address: string) => Promise<Signed>;
  readonly verify: (signed: Signed) => Promise<AccessToken>;
  /** Rejects with HTTP 401 or 403 when the token is not taken. */
  readonly account: () => Promise<AccountFacts>;
  /** The spot order list, which tells whether the token is still taken. */
  readonly isTokenTaken: () => Promise<boolean>;
  readonly isWhitelisted: (address: string) => Promise<boolean>;
  readonly onState: (state: SessionState) => void;
}

export interface SessionRuntime {
  dispatch(event: SessionEvent): void;
  /** Asks the wallet to sign in. Resolves when signing is over, whatever came of it. */
  signIn(): Promise<void>;
  /** Looks now whether the token is still taken: every 10 s, when the page becomes visible, after a 401. */
  checkToken(): Promise<void>;
  /** Asks the exchange anew what the account may do. */
  refreshAccount(): Promise<void>;
  state(): SessionState;
}

export function createSessionRuntime(ports: SessionPorts): SessionRuntime {
  let state = disconnected;

  function dispatch(event: SessionEvent): void {
    const { state: next, effects } = transition(state, event);
    if (next !== state) {
      if (next.address !== state.address) ports.tokens.use(next.address);
      state = next;
      ports.onState(state);
    }
    for (const effect of effects) perform(effect);
  }

  function perform(effect: SessionEffect): void {
    switch (effect.type) {
      case 'disconnectWallet':
        return void ports.disconnectWallet();
      case 'validateToken':
        return void validate(effect.address);
      case 'checkWhitelist':
        return void checkWhitelist(effect.address);
      case 'rememberSession':
        return ports.memory.remember(effect);
      case 'forgetSession':
        ports.tokens.drop(effect.address);
        return ports.memory.forget(effect.address);
    }
  }

  /** Answers only for the address that asked: the cookie may belong to another account of the same wallet. */
  async function readSignedIn(address: string, handle: string): Promise<SignedIn | undefined> {
    const account = await ports.account();
    if (account.address.toLowerCase() !== address.toLowerCase() || account.sessionEndsAt === null) return undefined;
    const { accountId, termsAccepted, connected, sessionEndsAt } = account;
    return { accountId, handle, endsAt: sessionEndsAt, termsAccepted, connected };
  }

  async function findSession(address: string): Promise<SignedIn | undefined> {
    const handle = ports.memory.handleOf(address);
    if (handle === undefined) return undefined;
    const token = (await ports.tokens.current()) ?? (await ports.tokens.renew())?.token;
    return token === undefined ? undefined : readSignedIn(address, handle);
  }

  async function validate(address: string): Promise<void> {
    while (state.address === address && state.phase === 'validating') {
      try {
        const signedIn = await findSession(address);
        return dispatch(signedIn === undefined ? { type: 'tokenInvalid', address } : { type: 'tokenValid', address, signedIn });
      } catch (error) {
        if (isAuthFailure(error)) return dispatch({ type: 'tokenInvalid', address });
        // The exchange could not be asked: that says nothing about the token.
        await ports.sleep(RETRY_MS);
      }
    }
  }

  async function checkWhitelist(address: string): Promise<void> {
    while (state.address === address) {
      try {
        return dispatch({ type: 'whitelistChecked', address, inWhitelist: await ports.isWhitelisted(address) });
      } catch {
        await ports.sleep(RETRY_MS);
      }
    }
  }

  async function signIn(): Promise<void> {
    const { address } = state;
    if (address === undefined) return;
    dispatch({ type: 'signingStarted' });
    if (state.phase !== 'signing') return;
    try {
      const token = await ports.verify(await ports.signLogin(address));
      ports.tokens.hold(address, token);
      const signedIn = await readSignedIn(address, ports.newHandle());
      if (signedIn === undefined) throw new Error('the exchange signed in another account');
      dispatch({ type: 'signingSucceeded', address, signedIn });
    } catch (error) {
      dispatch({ type: 'signingFailed', address, message: walletMessage(error) });
    }
  }

  async function isOver(signedIn: SignedIn): Promise<boolean> {
    if (signedIn.endsAt <= ports.now()) return true;
    if (await ports.isTokenTaken()) return false;
    // The short token may have been revoked alone: the cookie has the last word.
    return (await ports.tokens.renew()) === undefined || !(await ports.isTokenTaken());
  }

  let checking = false;
  async function checkToken(): Promise<void> {
    const { signedIn, address } = state;
    if (signedIn === undefined || checking) return;
    checking = true;
    try {
      const over = await isOver(signedIn);
      if (over && state.address === address) dispatch({ type: 'tokenExpired' });
    } catch {
      // Not reachable: the next check asks again.
    } finally {
      checking = false;
    }
  }

  async function refreshAccount(): Promise<void> {
    const { address, signedIn } = state;
    if (address === undefined || signedIn === undefined) return;
    const fresh = await readSignedIn(address, signedIn.handle);
    if (fresh?.termsAccepted === true) dispatch({ type: 'termsAccepted' });
    if (fresh?.connected === true) dispatch({ type: 'connectionEstablished' });
    void checkWhitelist(address);
  }

  return { dispatch, signIn, checkToken, refreshAccount, state: () => state };
}
