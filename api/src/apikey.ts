/** API keys: how programs sign their calls. */
import { Type, type Static } from 'typebox';
import { MONEY_RIGHTS, PERMISSIONS, type MoneyRight, type Permission } from './access.ts';
import { SignedNonce } from './auth.ts';
import { GuardCaptcha } from './captcha.ts';
import { Millis, listed, nullable, strict } from './fields.ts';
import { PasskeyAnswer } from './passkey-text.ts';
import { routes } from './route.ts';
import { CurrentPassword, OneTimeCode } from './security.ts';

/** Headers of a signed call, in lower case as Node reads them. */
export const SIGNED_HEADERS = {
  accessKey: 'x-access-key',
  timestamp: 'x-request-timestamp',
  nonce: 'x-request-nonce',
  signature: 'x-signature',
  /** `2` for the scheme of `signedRequestText`; without it the legacy scheme of `signedText`. */
  version: 'x-signature-version',
} as const;
export const SIGNATURE_VERSION = '2';
/** What `X-Signature-Version` of a legacy signature may say. */
export const LEGACY_SIGNATURE_VERSION = '1';
export const RECEIVE_WINDOW_MS = 5_000;
/** A timestamp may run ahead of ours by this much. */
export const TIMESTAMP_AHEAD_MS = 1_000;

/** The parts of a call that its signature covers. */
export interface SignedRequest {
  readonly method: string;
  /** As sent, without the query. */
  readonly path: string;
  /** As sent, without the question mark; empty when there is none. */
  readonly query: string;
  /** SHA-256 of the body's bytes in lower-case hex; of no bytes when there is no body. */
  readonly bodyHash: string;
  readonly nonce: string;
  readonly timestamp: number | string;
}

/** What is signed by version 2, over six lines, in hex: HMAC-SHA256 keyed by the secret's text, or Ed25519 by the key whose public half the owner gave. */
export const signedRequestText = ({ method, path, query, bodyHash, nonce, timestamp }: SignedRequest): string =>
  `${method}\n${path}\n${query}\n${bodyHash}\n${nonce}\n${timestamp}`;

/**
 * What is signed by the legacy scheme: HMAC-SHA256 in hex, keyed by the secret's text, over the parameters in the order in which they are sent, then
 * the timestamp; without parameters it begins with `&timestamp=`. A JSON body is signed as the one parameter `body` with the raw text.
 */
export function signedText(parameters: readonly (readonly [name: string, value: string])[], timestamp: number | string): string {
  return `${parameters.map(([name, value]) => `${name}=${value}`).join('&')}&timestamp=${timestamp}`;
}

export const AccessKey = Type.String({ minLength: 16, maxLength: 64, pattern: '^[0-9a-zA-Z_-]{16,64}$' });
const Label = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]{1,64}$' });
const IpList = Type.Array(Type.String({ minLength: 2, maxLength: 43, pattern: '^[0-9a-fA-F.:]{2,39}(/[0-9]{1,3})?$' }), { maxItems: 20 });
const PermissionName = Type.Enum([...PERMISSIONS]);
const MoneyRights = Type.Array(Type.Enum([...MONEY_RIGHTS]), {
  maxItems: MONEY_RIGHTS.length,
  uniqueItems: true,
  description: 'what it may do with money beside its permission',
});
const PUBLIC_KEY_LENGTH_MAX = 200;
const PublicKey = Type.String({
  minLength: 43,
  maxLength: PUBLIC_KEY_LENGTH_MAX,
  pattern: '^[0-9A-Za-z+/= \\n-]{43,200}$',
  description: 'Ed25519: PEM, or base64 of its SPKI or of its 32 bytes',
});
export const KEY_LIFE_DAYS_MAX = 365;

/** Base64 of the twelve bytes that come before the 32 of an Ed25519 key in its SPKI; they are a multiple of three, so that the rest stays as it is. */
const SPKI_OF_ED25519 = 'MCowBQYDK2VwAyEA';
const PEM_LINE = /-----(BEGIN|END) PUBLIC KEY-----/g;
/** 32 bytes: the last letter before the sign of padding has two bits that are zero. */
const BASE64_OF_32_BYTES = /^[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=$/;

/** The 32 bytes of an Ed25519 public key in base64, from what its owner gives; undefined when it is none. */
export function publicKeyOf(text: string): string | undefined {
  const base64 = text.replaceAll(PEM_LINE, '').replaceAll(/\s/g, '');
  const bytes =
    base64.length > SPKI_OF_ED25519.length && base64.startsWith(SPKI_OF_ED25519) ? base64.slice(SPKI_OF_ED25519.length) : base64;
  return BASE64_OF_32_BYTES.test(bytes) ? bytes : undefined;
}

export const ApiKey = Type.Object({
  accessKey: AccessKey,
  label: Type.String(),
  permission: PermissionName,
  moneyRights: MoneyRights,
  /** Of a key that signs by Ed25519: its 32 bytes in base64. */
  publicKey: nullable(Type.String({ description: 'base64 of the 32 bytes of the Ed25519 key that signs; null of a key with a secret' })),
  ipList: Type.Array(Type.String()),
  legacySigning: Type.Boolean({ description: 'whether it may trade by signatures of the legacy scheme' }),
  enabled: Type.Boolean(),
  createdTime: Millis,
  lastUsedTime: nullable(Millis),
  endTime: nullable(Millis),
  withdrawsFromTime: nullable(Millis),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object({
  ...ApiKey.properties,
  secret: Type.String({ description: 'shown once; empty where a public key was given' }),
});
export type NewApiKey = Static<typeof NewApiKey>;

export interface ApiKeyWish {
  readonly label: string;
  readonly permission?: Permission;
  readonly moneyRights?: readonly MoneyRight[];
  readonly ipList?: readonly string[];
  readonly legacySigning?: boolean;
  /** As its owner gives it. */
  readonly publicKey?: string;
  readonly lifeDays?: number;
}

/** What a statement of EIP-4361 cannot hold is shown as `?`. */
const NOT_IN_A_STATEMENT = /[^A-Za-z0-9 ._~:/?#[\]@!$&'()*+,;=-]/gu;

/** The statement by which a key is made names what it may do, and from where. */
export const apiKeyStatement = (wish: ApiKeyWish): string => `Make ${keyText(wish)}.`;

/** The statement by which a key may be used from more addresses than before. */
export const apiKeyChangeStatement = (wish: ApiKeyWish): string => `Change ${keyText(wish)}.`;

function keyText(wish: ApiKeyWish): string {
  const { label, permission = 'READ', moneyRights = [], ipList = [], legacySigning = false, publicKey, lifeDays } = wish;
  return [
    `the ${permission} API key '${label.replaceAll(NOT_IN_A_STATEMENT, '?')}' of Orrery`,
    ...MONEY_RIGHTS.filter((right) => moneyRights.includes(right)).map((right) => `with ${right}`),
    `used from ${ipList.length === 0 ? 'any address' : ipList.join(', ')}`,
    ...(legacySigning ? ['with legacy signing'] : []),
    ...(publicKey === undefined ? [] : [`signed by ${publicKeyOf(publicKey) ?? '?'}`]),
    ...(lifeDays === undefined ? [] : [`for ${lifeDays} days`]),
  ].join(', ');
}

/** A wallet signs; an account without one shows its password, and the code of its app where one is bound. */
const ownerOfKey = {
  nonce: Type.Optional(SignedNonce.properties.nonce),
  message: Type.Optional(SignedNonce.properties.message),
  signature: Type.Optional(SignedNonce.properties.signature),
  currentPassword: Type.Optional(CurrentPassword),
  google: Type.Optional(OneTimeCode),
  passkey: Type.Optional(PasskeyAnswer),
  captcha: GuardCaptcha,
};

export const apiKeyRoutes = routes({
  createApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/create',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Make an API key, with a signed nonce of purpose api-key over its label, permission (READ unless given) and IP list; its secret is shown this ' +
      'once. A TRADE key without an IP list lapses after 30 days; a list covers at most a /16 of IPv4 and a /48 of IPv6 together. moneyRights: a key with WITHDRAW needs an IP list and the code of the authenticator ' +
      'app, withdraws from 24 hours after it was made, and never signs the legacy way. publicKey: the key signs by Ed25519, and has no secret. ' +
      'lifeDays: it lapses after this number of days. An account without a wallet makes keys that read, by its password and the code of its app, if one is bound.',
    body: strict({
      label: Label,
      permission: Type.Optional(PermissionName),
      ipList: Type.Optional(IpList),
      legacySigning: Type.Optional(Type.Boolean()),
      moneyRights: Type.Optional(MoneyRights),
      publicKey: Type.Optional(PublicKey),
      lifeDays: Type.Optional(Type.Integer({ minimum: 1, maximum: KEY_LIFE_DAYS_MAX })),
      ...ownerOfKey,
    }),
    response: NewApiKey,
  },
  updateApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/update',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Change the label or the IP list of an API key. A list that allows more addresses than before needs a signed nonce of purpose api-key over the key as ' +
      'it will be; of a key with WITHDRAW also the code of the authenticator app, and its withdrawals wait for 24 hours again.',
    body: strict({
      accessKey: AccessKey,
      label: Type.Optional(Label),
      ipList: Type.Optional(IpList),
      ...ownerOfKey,
    }),
    response: ApiKey,
  },
  setApiKeyStatus: {
    method: 'POST',
    path: '/pro/u/apikey/status',
    access: 'session',
    rate: 'manage',
    summary: 'Switch an API key on or off.',
    body: strict({ accessKey: AccessKey, enabled: Type.Boolean() }),
    response: ApiKey,
  },
  deleteApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/delete',
    access: 'session',
    rate: 'manage',
    summary: 'Delete an API key.',
    body: strict({ accessKey: AccessKey }),
    response: Type.Object({ accessKey: AccessKey }),
  },
  apiKeys: {
    method: 'GET',
    path: '/pro/u/apikey/list',
    access: 'session',
    rate: 'read',
    summary: 'The API keys of this account, without their secrets.',
    response: listed(ApiKey),
  },
});
