/**
 * Access tokens live in this page's memory and nowhere else: one for each address that signed in here.
 * They are short; the browser's own cookie, which no script can read, brings the next one while the session lasts.
 */
export interface AccessToken {
  readonly token: string;
  readonly expiresAt: number;
}

export interface AccessTokenPorts {
  readonly now: () => number;
  /** Asks for a token by the cookie. `undefined` when the cookie opens nothing any more; rejects when it could not be asked. */
  readonly refresh: () => Promise<AccessToken | undefined>;
  /** The address that signed in last in this browser: the cookie is its. */
  readonly cookieOwner: () => string;
}

/** A token this close to its end is renewed before it is used. */
const RENEW_AHEAD_MS = 60_000;

export interface AccessTokens {
  /** The token for the address in use; `undefined` when there is none or it is over. */
  current(): Promise<string | undefined>;
  use(address: string | undefined): void;
  hold(address: string, token: AccessToken): void;
  drop(address: string): void;
  /** A fresh token for the address in use, whatever is held. `undefined` when the cookie does not open it. */
  renew(): Promise<AccessToken | undefined>;
}

export function createAccessTokens(ports: AccessTokenPorts): AccessTokens {
  const held = new Map<string, AccessToken>();
  let inUse: string | undefined;
  let renewing: Promise<AccessToken | undefined> | undefined;

  async function renewOnce(address: string): Promise<AccessToken | undefined> {
    const token = await ports.refresh();
    if (token === undefined) held.delete(address);
    else held.set(address, token);
    return token;
  }

  async function renew(): Promise<AccessToken | undefined> {
    const address = inUse;
    if (address === undefined || ports.cookieOwner() !== address) return undefined;
    // Everyone who needs a token now waits for the same one: a cookie is good for one renewal.
    renewing ??= renewOnce(address).finally(() => (renewing = undefined));
    return renewing;
  }

  return {
    async current() {
      const token = inUse === undefined ? undefined : held.get(inUse);
      if (token === undefined) return undefined;
      const left = token.expiresAt - ports.now();
      if (left > RENEW_AHEAD_MS) return token.token;
      const renewed = await renew().catch(() => undefined);
      return renewed?.token ?? (left > 0 ? token.token : undefined);
    },
    use: (address) => void (inUse = address),
    hold: (address, token) => void held.set(address, token),
    drop: (address) => void held.delete(address),
    renew,
  };
}
