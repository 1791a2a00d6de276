/** The page's session: the machine wired to the wallet, the exchange, the clock and the storage. */
import { create } from 'zustand';
import { accessTokens, AUTH_EXPIRED, http } from '../client/client.ts';
import { loadConfig } from '../client/config.ts';
import { reach } from '../client/exchange-reach.ts';
import {
  previousAddressToToken,
  previousSpotSymbol,
  tokenToAddress,
  tradingEndTime,
  walletAddress,
  walletType,
} from '../../kit/storage/remembered.ts';
import { accountOf, setView } from '../../kit/storage/account-in-view.ts';
import type { Account } from '../../kit/storage/account-in-view.ts';
import { closeForeignDialogs, lazyDialog, openDialog } from '../../kit/ui/dialogs.tsx';
import { inTime } from '../wallet/in-time.ts';
import { wallets } from '../wallet/open-wallets.ts';
import { useWallet } from '../wallet/wallet-store.ts';
import { randomHex } from '../../kit/storage/random-hex.ts';
import { createFollower } from './follow-wallet.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionRuntime, TOKEN_CHECK_MS } from './session-runtime.ts';
import { canTrade, disconnected } from './session-state.ts';
import type { SessionState, Signing } from './session-state.ts';
import { waitForSigning } from './sign-in-wait.ts';
import { sign, statementOf } from './sign.ts';
import type { Signed, SignPorts, SignRequest } from './sign.ts';

const SecondStepDialog = lazyDialog(async () => (await import('./second-step-dialog.tsx')).SecondStepDialog);

/** What is remembered in the place of a wallet's type where a name logged in. */
const BY_NAME = 'name';
/** The type of an e-mail wallet, which signs for an open session only. */
const EMBEDDED = 'embedded';

/** How long an access token is good for when the exchange did not say. */
const TOKEN_LIFE_MS = 15 * 60_000;

/** The wallet of the last visit is waited for no longer than this. */
const RECONNECT_LIMIT_MS = 10_000;

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

/** Before the next try: a while, and then until the exchange can be reached. */
async function pause(millis: number): Promise<void> {
  await sleep(millis);
  await reach.whenReached();
}

export const useSession = create<SessionState>()(() => disconnected);

const accountIn = ({ phase, signedIn }: SessionState): string | undefined => (phase === 'signedIn' ? signedIn?.accountId : undefined);

/** The account whose session is open on this page. */
export function useAccountInView(): Account | undefined {
  const id = useSession(accountIn);
  return id === undefined ? undefined : accountOf(id);
}

const memory = createSessionMemory({ tokenToAddress, previousAddressToToken, walletAddress, tradingEndTime });

const signPorts: SignPorts = {
  origin: location.origin,
  chainId: async () => (await loadConfig()).defaultChainId,
  nonce: (query) => http.call('nonce', { query, ignoreToken: true }),
  time: () => http.call('time', { ignoreToken: true }),
  signMessage: async (text) => (await wallets()).signMessage(text),
};

/** Signs for a purpose with the connected wallet. */
export const signFor = (request: SignRequest): Promise<Signed> => sign(signPorts, request);

const runtime = new SessionRuntime({
  now: Date.now,
  sleep: pause,
  newHandle: () => randomHex(16),
  memory,
  tokens: accessTokens,
  disconnectWallet: async () => (await wallets()).disconnect(),
  signLogin: (address) => signFor({ address, purpose: 'login', statement: statementOf('login') }),
  async verify(signed) {
    const answer = await http.call('verify', { body: { ...signed }, ignoreToken: true });
    const token = typeof answer === 'string' ? answer : await openDialog(SecondStepDialog, answer, { of: 'everybody' });
    // What wallets say, so that it counts as a cancel.
    if (token === undefined) throw new Error('User rejected the second step of the login');
    return { token, expiresAt: Date.now() + TOKEN_LIFE_MS };
  },
  account: () => http.load('accountInfo'),
  async isTokenTaken() {
    const query = { symbol: previousSpotSymbol.read(), page: 1, size: 10, state: 1 } as const;
    const { status } = await http.raw('openOrders', { query });
    return status !== 401 && status !== 403;
  },
  isWhitelisted: async (address) => (await http.load('checkWhitelist', { body: { address } })).inWhitelist,
  onState(state) {
    const account = accountIn(state);
    setView({ address: state.address, account: account === undefined ? undefined : accountOf(account) });
    useSession.setState(state, true);
    closeForeignDialogs();
    // There is nothing to sign with: who logged in by a name is a visitor again.
    if (state.phase === 'needsSignature' && !leaveName() && walletType.read() === EMBEDDED) void disconnectWallet();
  },
  signOut,
});

/** Whether a name logged in here: no wallet can sign. */
export const isByName = (): boolean => walletType.read() === BY_NAME;

/** Ends the page's session of a name. @returns whether there was one. */
function leaveName(): boolean {
  if (!isByName()) return false;
  walletType.clear();
  runtime.dispatch({ type: 'walletDisconnected' });
  return true;
}

/** The session of an account that a name opened begins on this page: its token is held already. */
export function beginByName({ address, endsAt }: { readonly address: string; readonly endsAt: number }): void {
  memory.remember({ address, handle: randomHex(16), endsAt });
  walletType.write(BY_NAME);
  accessTokens.use(address);
  runtime.dispatch({ type: 'walletConnected', address, isBlocked: false });
}

export const signIn = (): Promise<void> => runtime.signIn();
export const giveUpSigning = (): void => runtime.giveUpSigning();
export const refreshAccount = (): Promise<void> => runtime.refreshAccount();
/** Resolves when no signature is awaited any more, and no wallet of the last visit or its session, or after five seconds. */
export const signingOver = (): Promise<Signing> =>
  waitForSigning({ read: () => (runtime.state.phase === 'validating' ? 'pending' : runtime.state.signing), sleep });
export const acceptedTerms = (): void => runtime.dispatch({ type: 'termsAccepted' });
export const establishedConnection = (): void => runtime.dispatch({ type: 'connectionEstablished' });
export const noticeSeen = (): void => runtime.dispatch({ type: 'noticeSeen' });

export function useCanTrade(): boolean {
  return useSession((state) => canTrade(state, memory.handleOf));
}

const follow = createFollower({
  blockedAddresses: async () => (await loadConfig()).blockedAddresses,
  dispatch: (event) => runtime.dispatch(event),
});

const signedOutListeners = new Set<() => void>();

/** Called after each logout, wherever it was asked for. @returns ends it. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Lets the wallet go without a session to end: to choose another, or none. */
export async function disconnectWallet(): Promise<void> {
  // A wallet that cannot be reached any more is gone already.
  await wallets()
    .then((opened) => opened.disconnect())
    .catch(() => undefined);
}

let isLeaving = false;

/** While a logout is on its way: what would be read of the account now is refused. */
export const isSigningOut = (): boolean => isLeaving;

/** Ends the session here and at the exchange, and lets the wallet go. Never rejects: what goes wrong is shown, and nothing of the session stays. */
export async function signOut(): Promise<void> {
  const { address } = runtime.state;
  isLeaving = true;
  await http
    .call('logout', { body: {} })
    .catch(() => undefined)
    .finally(() => (isLeaving = false));
  if (address !== undefined) {
    accessTokens.drop(address);
    memory.forget(address);
  }
  if (!leaveName()) await disconnectWallet();
  for (const listener of signedOutListeners) listener();
}

/** The wallet of the last visit comes back without a question; a newcomer loads no wallet library before the first click. */
async function returnToLastWallet(): Promise<void> {
  const address = walletAddress.read();
  if (isByName() && address !== '') return runtime.dispatch({ type: 'walletConnected', address, isBlocked: false });
  if (walletType.read() === '') return;
  runtime.dispatch({ type: 'walletAwaited' });
  const opened = await wallets().catch(() => undefined);
  if (opened !== undefined) await inTime(opened.reconnect(), RECONNECT_LIMIT_MS).catch(() => undefined);
  if (useWallet.getState().wallet === undefined) runtime.dispatch({ type: 'walletAbsent' });
}

/** Starts the session's life with the page. */
export function startSession(): void {
  useWallet.subscribe(({ wallet }, before) => {
    if (wallet !== undefined) walletType.write(wallet.type);
    if (wallet?.address !== before.wallet?.address) void follow(wallet);
  });
  const check = (): void => void runtime.checkToken();
  setInterval(check, TOKEN_CHECK_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check();
  });
  window.addEventListener(AUTH_EXPIRED, check);
  void returnToLastWallet();
}
