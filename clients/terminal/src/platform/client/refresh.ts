/** Asks for a new access token by the refresh cookie. */
import type { RawAnswer } from './http.ts';
import type { AccessToken } from './access-tokens.ts';

function readToken(data: unknown): AccessToken | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  if (!('token' in data) || typeof data.token !== 'string') return undefined;
  if (!('expiresAt' in data) || typeof data.expiresAt !== 'number') return undefined;
  return { token: data.token, expiresAt: data.expiresAt };
}

/** A cookie is good for one renewal, and two tabs share it: they take turns where the browser offers locks. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  return navigator.locks === undefined ? work() : navigator.locks.request('orrery.refresh', work);
}

/** `undefined` when the cookie opens nothing any more; rejects when the exchange could not be asked. */
export async function refreshToken(ask: () => Promise<RawAnswer>): Promise<AccessToken | undefined> {
  const { status, msg, data } = await inTurn(ask);
  if (status === 200) return readToken(data);
  if (status === 401 || status === 403) return undefined;
  throw new Error(msg);
}
