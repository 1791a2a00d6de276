/** API keys: how programs sign their calls. */
import { Type, type Static } from 'typebox';
import { PERMISSIONS } from './access.ts';
import { Millis, listed, nullable, strict } from './fields.ts';
import { routes } from './route.ts';

/** Headers of a signed call, in lower case as Node reads them. */
export const SIGNED_HEADERS = {
  accessKey: 'x-access-key',
  timestamp: 'x-request-timestamp',
  nonce: 'x-request-nonce',
  signature: 'x-signature',
} as const;
export const RECEIVE_WINDOW_MS = 5_000;
/** A timestamp may run ahead of ours by this much. */
export const TIMESTAMP_AHEAD_MS = 1_000;

/**
 * What is signed: HMAC-SHA256 in hex, keyed by the secret's text, over the parameters in the order in which they are sent, then the timestamp;
 * without parameters it begins with `&timestamp=`. A JSON body is signed as the one parameter `body` with the raw text.
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
  enabled: Type.Boolean(),
  createdTime: Millis,
  lastUsedTime: nullable(Millis),
  endTime: nullable(Millis),
});
export type ApiKey = Static<typeof ApiKey>;

export const NewApiKey = Type.Object({ ...ApiKey.properties, secret: Type.String({ description: 'shown once' }) });
export type NewApiKey = Static<typeof NewApiKey>;

export const apiKeyRoutes = routes({
  createApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/create',
    access: 'session',
    rate: 'manage',
    summary: 'Make an API key; its secret is shown this once. A TRADE key without an IP list lapses after 30 days.',
    body: strict({ label: Label, permission: Type.Optional(PermissionName), ipList: Type.Optional(IpList) }),
    response: NewApiKey,
  },
  updateApiKey: {
    method: 'POST',
    path: '/pro/u/apikey/update',
    access: 'session',
    rate: 'manage',
    summary: 'Change the label or the IP list of an API key.',
    body: strict({ accessKey: AccessKey, label: Type.Optional(Label), ipList: Type.Optional(IpList) }),
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
