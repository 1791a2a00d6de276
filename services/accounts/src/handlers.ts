/** The calls of this service, each a few lines: who, what is refused, what is answered. */
import {
  type AccountInfo,
  addressField,
  type agreementRoutes,
  ApiError,
  apiKeyChangeStatement,
  apiKeyStatement,
  type apiKeyRoutes,
  type authRoutes,
  type Caller,
  type collectionRoutes,
  type futuresCollectionRoutes,
  type Handlers,
  type loginRoutes,
  type LoginWay,
  type Principal,
  type sessionRoutes,
  STATEMENTS,
  TERMS_CODE,
} from '@orrery/api';
import type { AccountDirectory } from '@orrery/foundation';
import type { AccountId } from '@orrery/units';
import type { AddressBook } from './address-book.ts';
import type { Agreements } from './agreements.ts';
import type { Captcha } from './captcha/captcha.ts';
import type { ApiKeys } from './api-keys.ts';
import type { BlockedAddresses } from './blocked.ts';
import type { Collections } from './collections.ts';
import { clearRefreshCookie, readCookie, setBrowserCookie, setDeviceCookie, setRefreshCookie } from './cookies.ts';
import type { EmbeddedWallets } from './embedded-wallets.ts';
import type { Erasures } from './erasures.ts';
import type { Files } from './files/files.ts';
import type { Identities } from './identity/identities.ts';
import { CHANGE, type FactorCheck, type Factors, type GivenFactors } from './factors/factors.ts';
import type { Login, LoginCaller } from './login.ts';
import { type KeyRequest, readsOnly, withdraws } from './key-rules.ts';
import type { InviteCodes } from './invite-codes.ts';
import type { LoginRecords } from './login-record.ts';
import type { NameAccounts } from './name-accounts.ts';
import type { Codes } from './names/codes.ts';
import type { Names } from './names/names.ts';
import type { Passwords } from './names/passwords.ts';
import type { Nonces } from './nonces.ts';
import { isToken, newToken } from './opaque-token.ts';
import type { Proof, Proofs } from './proof.ts';
import type { Push } from './push/push.ts';
import type { Session } from './session-store.ts';
import type { IssuedTokens, Sessions } from './sessions.ts';
import type { Traces } from './traces.ts';

const PAGE_SIZE_DEFAULT = 10;

export interface Parts {
  readonly directory: AccountDirectory;
  readonly blocked: BlockedAddresses;
  readonly nonces: Nonces;
  readonly proofs: Proofs;
  readonly login: Login;
  readonly records: LoginRecords;
  readonly factors: Factors;
  readonly traces: Traces;
  readonly sessions: Sessions;
  readonly agreements: Agreements;
  readonly apiKeys: ApiKeys;
  readonly inviteCodes: InviteCodes;
  readonly collections: Collections;
  readonly captcha: Captcha;
  readonly names: Names;
  readonly passwords: Passwords;
  readonly codes: Codes;
  readonly nameAccounts: NameAccounts;
  readonly addressBook: AddressBook;
  readonly wallets: EmbeddedWallets;
  readonly files: Files;
  readonly identities: Identities;
  readonly erasures: Erasures;
  readonly push: Push;
}

/** The browser's secret, made when it has none; always sent again, so that it lives as long as the newest nonce. */
export function browserOf(caller: Caller): string {
  const kept = readCookie('browser', caller);
  const browser = kept !== undefined && isToken(kept) ? kept : newToken();
  setBrowserCookie(caller, browser);
  return browser;
}

/** The device's secret, made when it has none. Only those who have agreed to the terms are asked to keep one. */
function deviceOf(caller: Caller): string {
  const kept = readCookie('device', caller);
  const device = kept !== undefined && isToken(kept) ? kept : newToken();
  setDeviceCookie(caller, device);
  return device;
}

export const loginCallerOf = (caller: Caller, way: LoginWay): LoginCaller => ({
  way,
  userAgent: caller.userAgent,
  ip: caller.ip,
  neighbourhood: caller.neighbourhood,
  device: readCookie('device', caller),
});

/** To the browser that is logged in: the cookies, and the token for its calls. */
export async function handOver({ directory, traces }: Parts, caller: Caller, tokens: IssuedTokens): Promise<string> {
  const { account } = tokens.session;
  const hasAgreed = directory.get(account)?.flags.termsAccepted === true;
  await traces.note(account, { network: caller.neighbourhood, device: hasAgreed ? deviceOf(caller) : undefined });
  setRefreshCookie(caller, tokens.refreshToken);
  return tokens.accessToken;
}

/** Of the sessions that are open; null where a key calls without any. */
const lastLoginOf = (open: readonly Session[]): number | null =>
  open.length === 0 ? null : Math.max(...open.map(({ createdAt }) => createdAt));

export const authHandlers = (parts: Parts): Handlers<typeof authRoutes> => {
  const { directory, blocked, nonces, proofs, login, sessions } = parts;
  return {
    async nonce({ query, caller }) {
      const address = addressField(query.evmAddress, 'evmAddress');
      if (blocked.has(address)) throw new ApiError('AddressBlocked');
      return nonces.issue({ address, purpose: query.purpose ?? 'login', origin: caller.origin, browser: browserOf(caller) });
    },

    async verify({ body, caller }) {
      const tried = loginCallerOf(caller, 'wallet');
      const proof: Proof = {
        ...body,
        purpose: 'login',
        origin: caller.origin,
        caller: { browser: readCookie('browser', caller) },
        statement: STATEMENTS.login,
      };
      const address = await proofs.check(proof, (claimed) => login.noteFailure(claimed, tried));
      const outcome = await login.completeLogin({ address, ...tried }, browserOf(caller));
      return 'second' in outcome ? outcome.second : handOver(parts, caller, outcome.tokens);
    },

    async refresh({ caller }) {
      const presented = readCookie('refresh', caller);
      if (presented === undefined) throw new ApiError('NotSignedIn');
      const tokens = await sessions.refresh(presented);
      if (tokens === undefined) {
        clearRefreshCookie(caller);
        throw new ApiError('SessionExpired');
      }
      if (blocked.has(tokens.session.address)) throw new ApiError('AddressBlocked');
      setRefreshCookie(caller, tokens.refreshToken);
      return { token: tokens.accessToken, expiresAt: tokens.accessExpiresAt, sessionEndsAt: tokens.session.endsAt };
    },

    async connection({ principal, body, caller }) {
      await proofs.check({
        ...body,
        purpose: 'connection',
        origin: caller.origin,
        caller: { sessionOf: principal.address },
        statement: STATEMENTS.connection,
      });
      await directory.setFlag(principal.account, 'connected');
      return { connected: true };
    },

    accountInfo: ({ principal }) => accountInfoOf(parts, principal),
  };
};

async function accountInfoOf(parts: Parts, principal: Principal): Promise<AccountInfo> {
  const { directory, sessions, factors, names, passwords, wallets, identities, inviteCodes } = parts;
  const flags = directory.get(principal.account)?.flags;
  const { email, tel, telCountryCode, isWithoutWallet } = names.factsOf(principal.account);
  return {
    accountId: String(principal.account),
    id: String(principal.account),
    username: email ?? tel,
    authType: isWithoutWallet ? 'NAME' : 'WALLET',
    lastAuthTime: lastLoginOf(sessions.of(principal.account)),
    // No role is given.
    roles: [],
    ...identities.levelsOf(principal.account),
    // A key that leaks says nothing of who its owner is.
    realName: principal.via === 'session' ? await identities.realNameOf(principal.account) : null,
    address: principal.address,
    termsAccepted: flags?.termsAccepted ?? false,
    whitelisted: flags?.whitelisted ?? false,
    connected: flags?.connected ?? false,
    via: principal.via,
    permission: principal.permission,
    sessionEndsAt: principal.via === 'session' ? principal.endsAt : null,
    googleSecurityStatus: factors.totp.isBound(principal.account),
    passkeySecurityStatus: factors.passkeys.has(principal.account),
    securityLevel: factors.levelOf(principal.account),
    emailSecurityStatus: email !== null,
    phoneSecurityStatus: tel !== null,
    passwordSecurityStatus: passwords.has(principal.account),
    email,
    tel,
    telCountryCode,
    inviteCode: await inviteCodes.of(principal.account),
    emailLogin: isWithoutWallet || wallets.has(principal.account),
    withdrawalsHeldUntil: factors.holds.of(principal.account) ?? null,
  };
}

export const sessionHandlers = ({ sessions, apiKeys }: Parts): Handlers<typeof sessionRoutes> => ({
  async logout({ caller }) {
    const refreshToken = readCookie('refresh', caller);
    clearRefreshCookie(caller);
    const byToken = caller.bearer === undefined ? undefined : sessions.find(caller.bearer);
    if (byToken !== undefined) await sessions.end(byToken.sessionId);
    if (refreshToken !== undefined) await sessions.endByRefreshToken(refreshToken);
    return null;
  },

  async sessions({ principal }) {
    await sessions.learnOf(principal.account);
    const list = sessions.of(principal.account).map((session) => describeSession(session, principal));
    return { list, total: list.length };
  },

  async revokeSession({ principal, body }) {
    await sessions.learnOf(principal.account);
    const own = sessions.of(principal.account).some((session) => session.sessionId === body.sessionId);
    if (!own) throw new ApiError('UnknownThing', { field: 'sessionId' });
    await sessions.end(body.sessionId);
    return { sessionId: body.sessionId };
  },

  async revokeAllSessions({ principal, body, caller }) {
    clearRefreshCookie(caller);
    // Both end here at once, also when the one cannot be written.
    const [keys, ended] = await Promise.allSettled([
      body.apiKeys === true ? apiKeys.deleteAll(principal.account) : 0,
      sessions.endAll(principal.account),
    ]);
    if (keys.status === 'rejected') throw keys.reason;
    if (ended.status === 'rejected') throw ended.reason;
    return { sessions: ended.value, apiKeys: keys.value };
  },
});

export const loginHandlers = ({ records }: Parts): Handlers<typeof loginRoutes> => ({
  async loginRecord({ principal, query }) {
    const page = query.page ?? 1;
    const pageSize = query.pageSize ?? PAGE_SIZE_DEFAULT;
    const { items, total } = await records.page(principal.account, { page, pageSize });
    return { items, page, ps: pageSize, total };
  },
});

const describeSession = (session: Session, principal: Principal) => ({
  sessionId: session.sessionId,
  createdTime: session.createdAt,
  lastSeenTime: session.lastSeenAt,
  endTime: session.endsAt,
  userAgent: session.userAgent,
  ip: session.ip,
  current: session.sessionId === principal.credential,
});

export const agreementHandlers = ({ agreements, blocked, directory, proofs, traces }: Parts): Handlers<typeof agreementRoutes> => ({
  checkAgreement: ({ body }) =>
    agreements.isAccepted({ address: addressField(body.walletAddress, 'walletAddress'), termsCode: body.termsCode }),

  async agree({ body, caller }) {
    const claimed = addressField(body.walletAddress, 'walletAddress');
    if (body.termsCode !== TERMS_CODE) throw new ApiError('UnknownThing', { field: 'termsCode' });
    if (blocked.has(claimed)) throw new ApiError('AddressBlocked');
    const address = await proofs.check({
      purpose: 'terms',
      nonce: undefined,
      message: body.message,
      signature: body.signature,
      origin: caller.origin,
      caller: { browser: readCookie('browser', caller) },
      statement: STATEMENTS.terms,
    });
    if (address !== claimed) throw new ApiError('NotYours', { field: 'walletAddress' });
    await agreements.accept({ address, message: body.message, signature: body.signature });
    const { account } = await directory.open(address);
    await traces.note(account, { network: caller.neighbourhood, device: deviceOf(caller) });
    return true;
  },
});

export const apiKeyHandlers = ({ apiKeys, directory, factors, nameAccounts, names }: Parts): Handlers<typeof apiKeyRoutes> => ({
  async createApiKey({ principal, body, caller }) {
    const { nonce, message, signature, currentPassword, google, passkey, captcha, ...request } = body;
    const owner = ownerOf(principal);
    const { isWithoutWallet } = names.factsOf(owner.account);
    // A wallet signs the terms: without one there are keys that read.
    const needsTerms = !isWithoutWallet || !readsOnly(request);
    const hasAccepted = (): boolean => directory.get(owner.account)?.flags.termsAccepted === true;
    if (needsTerms && !hasAccepted()) await directory.caughtUp();
    if (needsTerms && !hasAccepted()) throw new ApiError('TermsNotAccepted', { field: 'account' });
    // Before the signature is used up.
    apiKeys.check(owner, request);
    const asked = { account: owner.account, given: { google, passkey }, origin: caller.origin, isWithoutWallet };
    const check = factorFor(request, asked, factors);
    const proof = { nonce, message, signature, currentPassword, google, captcha };
    await nameAccounts.checkOwner(principal, proof, { caller, purpose: 'api-key', statement: apiKeyStatement(request) });
    await check?.();
    const made = await apiKeys.create(owner, request);
    nameAccounts.notify(owner.account, 'apiKeyMade', caller);
    return made;
  },
  async updateApiKey({ principal, body, caller }) {
    const { nonce, message, signature, currentPassword, google, passkey, captcha, ...change } = body;
    const owner = ownerOf(principal);
    return apiKeys.inTurn(change.accessKey, async () => {
      const widened = apiKeys.widenedBy(owner, change);
      if (widened !== undefined) {
        const { isWithoutWallet } = names.factsOf(owner.account);
        const asked = { account: owner.account, given: { google, passkey }, origin: caller.origin, isWithoutWallet };
        const check = factorFor(widened, asked, factors);
        const proof = { nonce, message, signature, currentPassword, google, captcha };
        await nameAccounts.checkOwner(principal, proof, { caller, purpose: 'api-key', statement: apiKeyChangeStatement(widened) });
        await check?.();
      }
      const changed = await apiKeys.update(owner, change);
      if (widened !== undefined) nameAccounts.notify(owner.account, 'apiKeyChanged', caller);
      return changed;
    });
  },
  setApiKeyStatus: ({ principal, body }) => apiKeys.setEnabled(ownerOf(principal), body),
  async deleteApiKey({ principal, body, caller }) {
    await apiKeys.delete(ownerOf(principal), body.accessKey);
    nameAccounts.notify(principal.account, 'apiKeyDeleted', caller);
    return { accessKey: body.accessKey };
  },
  apiKeys({ principal }) {
    const list = [...apiKeys.list(principal.account)];
    return { list, total: list.length };
  },
});

/** The factor that must be checked for a key: of one that withdraws, and wherever one is bound of an account that shows its password. */
function factorFor(
  request: KeyRequest,
  { account, given, origin, isWithoutWallet }: { account: AccountId; given: GivenFactors; origin: string; isWithoutWallet: boolean },
  factors: Factors,
): FactorCheck | undefined {
  const use = { origin, purpose: CHANGE };
  if (withdraws(request)) return factors.demandedForMoney(account, given, use);
  return isWithoutWallet ? factors.required(account, given, use) : undefined;
}

const ownerOf = ({ account, address }: Principal) => ({ account, address });

export const collectionHandlers = ({ collections }: Parts): Handlers<typeof collectionRoutes> => ({
  addCollection: ({ principal: { account }, body: { symbol } }) => collections.add({ account, kind: 'spot', symbol }),
  collections: ({ principal: { account } }) => collections.list({ account, kind: 'spot' }),
  cancelCollection: ({ principal: { account }, body: { symbol } }) => collections.cancel({ account, kind: 'spot', symbol }),
});

export const futuresCollectionHandlers = ({ collections }: Parts): Handlers<typeof futuresCollectionRoutes> => ({
  addFuturesCollection: ({ principal: { account }, body: { symbol } }) => collections.add({ account, kind: 'futures', symbol }),
  futuresCollections: ({ principal: { account } }) => collections.list({ account, kind: 'futures' }),
  cancelFuturesCollection: ({ principal: { account }, body: { symbol } }) => collections.cancel({ account, kind: 'futures', symbol }),
});
