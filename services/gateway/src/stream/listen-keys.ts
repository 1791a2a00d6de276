/** Listen keys: by which a private stream is opened again and again, without the token of the session. */
import { randomBytes } from 'node:crypto';
import { LISTEN_KEY_LIFE_MS, type ListenKeyKind, type Principal } from '@orrery/api';

interface Given {
  readonly key: string;
  readonly kind: ListenKeyKind;
  readonly principal: Principal;
  expiresAt: number;
}

export const KEY_BYTES = 16;

export interface ListenKeys {
  /** The key of this kind that is good already, renewed, or a fresh one. */
  issue(principal: Principal, kind: ListenKeyKind): Promise<string>;
  /** Whose key it is; undefined when it is not good, or not of one of these kinds. */
  ownerOf(key: string, kinds: readonly ListenKeyKind[]): Promise<Principal | undefined>;
  /** A key is worth no more than the session or API key that it was given to. */
  revoke(credential: string): void;
}

/** Of a process that is alone: a client asks again after a restart. */
export class MemoryListenKeys implements ListenKeys {
  readonly #byKey = new Map<string, Given>();
  /** One of each kind for each session or API key. */
  readonly #byCredential = new Map<string, Given>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  async issue(principal: Principal, kind: ListenKeyKind): Promise<string> {
    const now = this.#now();
    for (const given of this.#byKey.values()) if (given.expiresAt <= now) this.#drop(given);
    const owner = `${principal.credential} ${kind}`;
    const known = this.#byCredential.get(owner);
    const given = known ?? { key: randomBytes(KEY_BYTES).toString('hex'), kind, principal, expiresAt: 0 };
    given.expiresAt = now + LISTEN_KEY_LIFE_MS;
    this.#byKey.set(given.key, given);
    this.#byCredential.set(owner, given);
    return given.key;
  }

  async ownerOf(key: string, kinds: readonly ListenKeyKind[]): Promise<Principal | undefined> {
    const given = this.#byKey.get(key);
    return given !== undefined && given.expiresAt > this.#now() && kinds.includes(given.kind) ? given.principal : undefined;
  }

  revoke(credential: string): void {
    for (const given of this.#byKey.values()) if (given.principal.credential === credential) this.#drop(given);
  }

  #drop({ key, kind, principal }: Given): void {
    this.#byKey.delete(key);
    this.#byCredential.delete(`${principal.credential} ${kind}`);
  }
}
