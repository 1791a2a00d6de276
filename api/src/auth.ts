/** Proof of ownership: a nonce, a signed EIP-4361 message, a session. */
import { Type, type Static } from 'typebox';
import { AddressText, Millis, Nonce, Signature, SignedMessage, nullable, strict } from './fields.ts';
import { IdNoStatus } from './identity.ts';
import { routes } from './route.ts';
import { SecondStep } from './security.ts';
import { PURPOSES } from './statements.ts';

/** `issuedAt` may differ from the server's clock by this much. */
export const ISSUED_AT_SKEW_MS = 60_000;
/** `expirationTime`, when given, lies at most this far ahead. */
export const MESSAGE_LIFE_MS = 600_000;
export const NONCE_LIFE_MS = 300_000;
/** Of an access token: then it is renewed by the refresh cookie. */
export const ACCESS_TOKEN_LIFE_MS = 15 * 60_000;
export const TRADING_SESSION_MS = 5 * 3_600_000;

export const SignedNonce = strict({ nonce: Nonce, signature: Signature, message: SignedMessage });
export type SignedNonce = Static<typeof SignedNonce>;

export const AccessToken = Type.Object({
  token: Type.String({ description: 'for the Authorization header: Bearer <token>' }),
  expiresAt: Type.Integer({ description: 'when the token must be refreshed, unix milliseconds' }),
  sessionEndsAt: Type.Integer({ description: 'when the trading session ends, 5 hours after the signature' }),
});
export type AccessToken = Static<typeof AccessToken>;

export const AccountInfo = Type.Object({
  accountId: Type.String(),
  id: Type.String({ description: 'the same as accountId' }),
  username: nullable(
    Type.String({ description: 'masked: the e-mail address, or the telephone number where there is none; null: the wallet alone' }),
  ),
  authType: Type.Enum(['WALLET', 'NAME'], { description: 'what opened the account' }),
  lastAuthTime: nullable(Type.Integer({ description: 'the newest login whose session is open, unix milliseconds' })),
  roles: Type.Array(Type.String(), { description: 'roles beside trading: none is given' }),
  realAuth: Type.Boolean({ description: 'whether an identity is approved' }),
  initialAuth: Type.Boolean({
    description: 'whether an identity passed the first check, that of its form and files: it is handed in or approved',
  }),
  idNoStatus: IdNoStatus,
  realName: nullable(Type.String({ description: 'of an approved identity; to a session only' })),
  backReason: nullable(Type.String({ description: 'why an identity was sent back' })),
  address: AddressText,
  termsAccepted: Type.Boolean(),
  whitelisted: Type.Boolean(),
  connected: Type.Boolean(),
  via: Type.Enum(['session', 'apiKey']),
  permission: Type.Enum(['READ', 'TRADE']),
  sessionEndsAt: nullable(Millis),
  googleSecurityStatus: Type.Boolean({ description: 'whether an authenticator app is bound' }),
  passkeySecurityStatus: Type.Boolean({ description: 'whether a passkey is bound' }),
  securityLevel: Type.Integer({ description: '1: one way in alone; 2: an authenticator app beside it; 3: a passkey' }),
  emailSecurityStatus: Type.Boolean({ description: 'whether an e-mail address is bound' }),
  phoneSecurityStatus: Type.Boolean({ description: 'whether a telephone number is bound' }),
  passwordSecurityStatus: Type.Boolean({ description: 'whether a password is set' }),
  email: nullable(Type.String({ description: 'masked' })),
  tel: nullable(Type.String({ description: 'masked' })),
  telCountryCode: nullable(Type.String()),
  inviteCode: nullable(Type.String({ description: 'by which others are invited; null while it can not be read' })),
  emailLogin: Type.Boolean({ description: 'true when a name opened it: it has no wallet, or an e-mail wallet' }),
  withdrawalsHeldUntil: nullable(Millis),
});
export type AccountInfo = Static<typeof AccountInfo>;

export const authRoutes = routes({
  nonce: {
    method: 'GET',
    path: '/pro/p/auth/nonce',
    access: 'public',
    rate: 'nonce',
    sameOrigin: true,
    summary:
      'A nonce to sign, good once and for five minutes, for one address and one purpose. It comes with a cookie (`__Host-orrery-browser`, over plain ' +
      'HTTP to a remote host `orrery-browser`): the call that carries the signed nonce sends it back.',
    query: strict({ evmAddress: AddressText, purpose: Type.Optional(Type.Enum([...PURPOSES], { default: 'login' })) }),
    response: Nonce,
  },
  verify: {
    method: 'POST',
    path: '/pro/p/auth/verify',
    access: 'public',
    rate: 'auth',
    sameOrigin: true,
    summary:
      'Log in with a signed nonce of purpose login and the cookie that came with it; answers the access token, good for 15 minutes, and sets the ' +
      'refresh cookie (`__Host-orrery-refresh`). Where an authenticator app is bound, it answers a loginId instead, which the second step takes.',
    body: SignedNonce,
    response: Type.Union([Type.String({ description: 'access token' }), SecondStep]),
  },
  refresh: {
    // Counted with the public calls: every page load makes one, and nobody guesses a cookie of 256 bits.
    method: 'POST',
    path: '/pro/p/auth/refresh',
    access: 'cookie',
    rate: 'public',
    sameOrigin: true,
    summary: 'A new access token for the refresh cookie, as long as the trading session lasts.',
    body: strict({}),
    response: AccessToken,
  },
  connection: {
    method: 'POST',
    path: '/pro/u/auth/connection',
    access: 'session',
    rate: 'auth',
    sameOrigin: true,
    summary: 'Establish the trading connection with a signed nonce of purpose connection; once per account.',
    body: SignedNonce,
    response: Type.Object({ connected: Type.Boolean() }),
  },
  accountInfo: {
    method: 'GET',
    path: '/pro/u/account/info',
    access: 'read',
    rate: 'read',
    summary: 'Who the caller is, and what the account may do.',
    response: AccountInfo,
  },
});
