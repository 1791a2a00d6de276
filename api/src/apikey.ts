/** API keys: how programs sign their calls. */
import { Type, type Static } from 'typebox';
import { PERMISSIONS, type Permission } from './access.ts';
import { SignedNonce } from './auth.ts';
import { Millis, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

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

/** What is signed by version 2: HMAC-SHA256 in hex, keyed by the secret's text, over six lines. */
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

export const ApiKey = Type.Object({
  accessKey: AccessKey,
  label: Type.String(),
  permission: PermissionName,
  ipList: Type.Array(Type.String()),
  legacySigning: Type.Boolean({ description: 'whether it may trade by signatures of the legacy scheme' }),
  enabled: Type.Boolean(),
  createdTime: Millis,
  lastUsedTime: nullable(Millis),
  endTime: nullable(Millis),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object({ ...ApiKey.properties, secret: Type.String({ description: 'shown once' }) });
export type NewApiKey = Static<typeof NewApiKey>;

export interface ApiKeyWish {
  readonly label: string;
  readonly permission?: Permission;
  readonly ipList?: readonly string[];
  readonly legacySigning?: boolean;
}

/** What a statement of EIP-4361 cannot hold is shown as `?`. */
const NOT_IN_A_STATEMENT = /[^A-Za-z0-9 ._~:/?#[\]@!$&'()*+,;=-]/gu;

/** The statement by which a key is made names what it may do, and from where. */
export const apiKeyStatement = (wish: ApiKeyWish): string => `Make ${keyText(wish)}.`;

/** The statement by which a key may be used from more addresses than before. */
export const apiKeyChangeStatement = (wish: ApiKeyWish): string => `Change ${keyText(wish)}.`;

const keyText = ({ label, permission = 'READ', ipList = [], legacySigning = false }: ApiKeyWish): string =>
  `the ${permission} API key '${label.replaceAll(NOT_IN_A_STATEMENT, '?')}' of Orrery, used from ` +
  `${ipList.length === 0 ? 'any address' : ipList.join(', ')}${legacySigning ? ', with legacy signing' : ''}`;

export const apiKeyRoutes = routes({
  createApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/create',
    access: 'session',
    rate: 'manage',
    sameOrigin: true,
    summary:
      'Make an API key, with a signed nonce of purpose api-key over its label, permission (READ unless given) and IP list; its secret is shown this ' +
      'once. A TRADE key without an IP list lapses after 30 days.',
    body: strict({
      label: Label,
      permission: Type.Optional(PermissionName),
      ipList: Type.Optional(IpList),
      legacySigning: Type.Optional(Type.Boolean()),
      ...SignedNonce.properties,
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
      'it will be.',
    body: strict({
      accessKey: AccessKey,
      label: Type.Optional(Label),
      ipList: Type.Optional(IpList),
      nonce: Type.Optional(SignedNonce.properties.nonce),
      message: Type.Optional(SignedNonce.properties.message),
      signature: Type.Optional(SignedNonce.properties.signature),
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
