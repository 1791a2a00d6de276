/** The page's session: the machine wired to the wallet, the exchange, the clock and the storage. */
import { create } from 'zustand';
import { accessTokens, AUTH_EXPIRED, http } from '../client/client.ts';
import { loadConfig } from '../client/config.ts';
import {
  previousAddressToToken,
  previousSpotSymbol,
  tokenToAddress,
  tradingEndTime,
  walletAddress,
  walletType,
} from '../storage/remembered.ts';
import { wallets } from '../wallet/open-wallets.ts';
import { useWallet } from '../wallet/wallet-store.ts';
import type { ConnectedWallet } from '../wallet/wallet-port.ts';
import { randomHex } from '../storage/random-hex.ts';
import { createSessionMemory } from './session-memory.ts';
import { SessionRuntime, TOKEN_CHECK_MS } from './session-runtime.ts';
import { canTrade, disconnected } from './session-state.ts';
import type { SessionState, Signing } from './session-state.ts';
import { waitForSigning } from './sign-in-wait.ts';
import { sign, statementOf } from './sign.ts';
import type { Signed, SignPorts, SignRequest } from './sign.ts';

/** How long an access token is good for when the exchange did not say. */
const TOKEN_LIFE_MS = 15 * 60_000;

const sleep = (millis: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, millis));

export const useSession = create<SessionState>()(() => disconnected);

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
  sleep,
  newHandle: () => randomHex(16),
  memory,
  tokens: accessTokens,
  disconnectWallet: async () => (await wallets()).disconnect(),
  signLogin: (address) => signFor({ address, purpose: 'login', statement: statementOf('login') }),
  async verify(signed) {
    const token = await http.call('verify', { body: { ...signed }, ignoreToken: true });
    return { token, expiresAt: Date.now() + TOKEN_LIFE_MS };
  },
  account: () => http.load('accountInfo'),
  async isTokenTaken() {
    const query = { symbol: previousSpotSymbol.read(), page: 1, size: 10, state: 1 } as const;
    const { status } = await http.raw('openOrders', { query });
    return status !== 401 && status !== 403;
  },
  isWhitelisted: async (address) => (await http.load('checkWhitelist', { body: { address } })).inWhitelist,
  onState: (state) => useSession.setState(state, true),
});

export const signIn = (): Promise<void> => runtime.signIn();
export const refreshAccount = (): Promise<void> => runtime.refreshAccount();
/** Resolves when no signature is awaited any more, or after five seconds. */
export const signingOver = (): Promise<Signing> => waitForSigning({ read: () => runtime.state.signing, sleep });
export const acceptedTerms = (): void => runtime.dispatch({ type: 'termsAccepted' });
export const establishedConnection = (): void => runtime.dispatch({ type: 'connectionEstablished' });
export const noticeSeen = (): void => runtime.dispatch({ type: 'noticeSeen' });

export function useCanTrade(): boolean {
  return useSession((state) => canTrade(state, memory.handleOf));
}

async function follow(wallet: ConnectedWallet | undefined): Promise<void> {
  if (wallet === undefined) return runtime.dispatch({ type: 'walletDisconnected' });
  walletType.write(wallet.type);
  const address = wallet.address.toLowerCase();
  const { blockedAddresses } = await loadConfig();
  const isBlocked = blockedAddresses.some((blocked) => blocked.toLowerCase() === address);
  runtime.dispatch({ type: 'walletConnected', address, isBlocked });
}

/** Ends the session here and at the exchange, and lets the wallet go. */
export async function signOut(): Promise<void> {
  const { address } = runtime.state;
  try {
    await http.call('logout', { body: {} });
  } finally {
    // Whatever the exchange said, nothing of the session stays on this device.
    if (address !== undefined) {
      accessTokens.drop(address);
      memory.forget(address);
    }
    await (await wallets()).disconnect();
  }
}

/** Starts the session's life with the page. */
export function startSession(): void {
  useWallet.subscribe(({ wallet }, before) => {
    if (wallet?.address !== before.wallet?.address) void follow(wallet);
  });
  const check = (): void => void runtime.checkToken();
  setInterval(check, TOKEN_CHECK_MS);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check();
  });
  window.addEventListener(AUTH_EXPIRED, check);
  // The wallet of the last visit comes back without a question; a newcomer loads no wallet library before the first click.
  if (walletType.read() !== '') void wallets().then((opened) => opened.reconnect());
}
