/**
 * The wallet session as a pure machine: an event and a state give the next state and what is to be done about it.
 * It knows no wallet, no network and no storage; `session-runtime.ts` does what it says.
 */
import { unreachable } from '@orrery/units';

export const TRADING_SESSION_MS = 5 * 60 * 60 * 1000;

export interface SignedIn {
  readonly accountId: string;
  /** The opaque mark under which this device remembers the session. Not the token. */
  readonly handle: string;
  readonly endsAt: number;
  readonly termsAccepted: boolean;
  readonly connected: boolean;
}

export type Signing = 'idle' | 'pending' | 'success' | 'cancel' | 'failed';
export type WhitelistCheck = 'idle' | 'pending' | 'complete';

export interface SessionState {
  readonly phase: 'disconnected' | 'validating' | 'needsSignature' | 'signing' | 'signedIn';
  readonly address: string | undefined;
  readonly signing: Signing;
  /** Why signing failed, for the person. */
  readonly signingError: string | undefined;
  readonly signedIn: SignedIn | undefined;
  readonly checkingWhitelistStatus: WhitelistCheck;
  readonly inWhitelist: boolean;
  /** Called once when the session was not ended by the person. */
  readonly notice: 'blocked' | 'expired' | undefined;
}

export const disconnected: SessionState = {
  phase: 'disconnected',
  address: undefined,
  signing: 'idle',
  signingError: undefined,
  signedIn: undefined,
  checkingWhitelistStatus: 'idle',
  inWhitelist: false,
  notice: undefined,
};

export type SessionEvent =
  | { readonly type: 'walletConnected'; readonly address: string; readonly isBlocked: boolean }
  | { readonly type: 'walletDisconnected' }
  /** The wallet of the last visit is looked for: nobody is a visitor before it was found absent. */
  | { readonly type: 'walletAwaited' }
  | { readonly type: 'walletAbsent' }
  | { readonly type: 'tokenValid'; readonly address: string; readonly signedIn: SignedIn }
  | { readonly type: 'tokenInvalid'; readonly address: string }
  | { readonly type: 'signingStarted' }
  | { readonly type: 'signingGivenUp' }
  | { readonly type: 'signingFailed'; readonly address: string; readonly message: string }
  | { readonly type: 'signingSucceeded'; readonly address: string; readonly signedIn: SignedIn }
  | { readonly type: 'whitelistChecked'; readonly address: string; readonly inWhitelist: boolean }
  | { readonly type: 'termsAccepted' }
  | { readonly type: 'connectionEstablished' }
  | { readonly type: 'tokenExpired' }
  | { readonly type: 'noticeSeen' };

export type SessionEffect =
  | { readonly type: 'disconnectWallet' }
  | { readonly type: 'validateToken'; readonly address: string }
  | { readonly type: 'checkWhitelist'; readonly address: string }
  | { readonly type: 'rememberSession'; readonly address: string; readonly handle: string; readonly endsAt: number }
  | { readonly type: 'forgetSession'; readonly address: string };

export interface Step {
  readonly state: SessionState;
  readonly effects: readonly SessionEffect[];
}

const step = (state: SessionState, ...effects: readonly SessionEffect[]): Step => ({ state, effects });

/** The wallet's own words for "no": every wallet's message begins with them. */
const isRejection = (message: string): boolean => message.startsWith('User rejected');

function connect(state: SessionState, { address, isBlocked }: { address: string; isBlocked: boolean }): Step {
  if (isBlocked) return step({ ...disconnected, notice: 'blocked' }, { type: 'disconnectWallet' });
  if (state.address === address) return step(state);
  return step(
    { ...disconnected, phase: 'validating', address, checkingWhitelistStatus: 'pending' },
    { type: 'validateToken', address },
    { type: 'checkWhitelist', address },
  );
}

function signIn(state: SessionState, { address, signedIn }: { address: string; signedIn: SignedIn }): Step {
  const { handle, endsAt } = signedIn;
  return step(
    { ...state, phase: 'signedIn', signedIn, signing: 'success', signingError: undefined, notice: undefined },
    { type: 'rememberSession', address, handle, endsAt },
    { type: 'checkWhitelist', address },
  );
}

/** Only with the session's token does the check put the address in the queue. */
function returnSignedIn(state: SessionState, { address, signedIn }: { address: string; signedIn: SignedIn }): Step {
  return step({ ...state, phase: 'signedIn', signedIn }, { type: 'checkWhitelist', address });
}

function failSigning(state: SessionState, message: string): Step {
  const signing = isRejection(message) ? 'cancel' : 'failed';
  return step({ ...state, phase: 'needsSignature', signing, signingError: message });
}

function expire(state: SessionState): Step {
  if (state.address === undefined || state.signedIn === undefined) return step(state);
  return step(
    { ...state, phase: 'needsSignature', signedIn: undefined, signing: 'idle', notice: 'expired' },
    { type: 'forgetSession', address: state.address },
  );
}

function amend(state: SessionState, change: Partial<SignedIn>): Step {
  if (state.signedIn === undefined) return step(state);
  return step({ ...state, signedIn: { ...state.signedIn, ...change } });
}

const isAwaitingWallet = ({ phase, address }: SessionState): boolean => phase === 'validating' && address === undefined;

/** Answers to a question about another address than the present one come too late and change nothing. */
const isLate = (state: SessionState, event: SessionEvent): boolean =>
  'address' in event && event.type !== 'walletConnected' && event.address !== state.address;

export function transition(state: SessionState, event: SessionEvent): Step {
  if (isLate(state, event)) return step(state);
  switch (event.type) {
    case 'walletConnected':
      return connect(state, event);
    case 'walletDisconnected':
      return step({ ...disconnected, notice: state.notice });
    case 'walletAwaited':
      return state.phase === 'disconnected' ? step({ ...state, phase: 'validating' }) : step(state);
    case 'walletAbsent':
      return isAwaitingWallet(state) ? step({ ...state, phase: 'disconnected' }) : step(state);
    case 'tokenValid':
      return state.phase === 'validating' ? returnSignedIn(state, event) : step(state);
    case 'tokenInvalid':
      return state.phase === 'validating' ? step({ ...state, phase: 'needsSignature' }) : step(state);
    case 'signingStarted':
      return state.phase === 'needsSignature'
        ? step({ ...state, phase: 'signing', signing: 'pending', signingError: undefined, notice: undefined })
        : step(state);
    case 'signingGivenUp':
      return state.phase === 'signing' ? step({ ...state, phase: 'needsSignature', signing: 'cancel' }) : step(state);
    case 'signingFailed':
      return state.phase === 'signing' ? failSigning(state, event.message) : step(state);
    case 'signingSucceeded':
      return state.phase === 'signing' ? signIn(state, event) : step(state);
    case 'whitelistChecked':
      return step({ ...state, checkingWhitelistStatus: 'complete', inWhitelist: event.inWhitelist });
    case 'termsAccepted':
      return amend(state, { termsAccepted: true });
    case 'connectionEstablished':
      return amend(state, { connected: true });
    case 'tokenExpired':
      return expire(state);
    case 'noticeSeen':
      return step({ ...state, notice: undefined });
    default:
      return unreachable(event);
  }
}

/**
 * Whether this page lets the person trade: known, whitelisted, and the handle this device remembers for the address is the
 * one in use. The exchange checks the same again, and more.
 */
export function canTrade(state: SessionState, handleOf: (address: string) => string | undefined): boolean {
  const { address, signedIn, inWhitelist } = state;
  if (address === undefined || signedIn === undefined || !inWhitelist) return false;
  return signedIn.accountId !== '' && handleOf(address) === signedIn.handle;
}
