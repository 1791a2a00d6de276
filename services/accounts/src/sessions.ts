/**
 * Sessions: one signature opens one, for five hours and no longer. Access tokens are short and many, refresh tokens serve once.
 * Everything a call needs lies in memory; SQL is written first when something is given, after when something is taken.
 */
import { ACCESS_TOKEN_LIFE_MS, TRADING_SESSION_MS } from '@orrery/api';
import type { AccountId, Address } from '@orrery/units';
import type { EndedFile } from './ended-file.ts';
import { newToken, hashToken } from './opaque-token.ts';
import type { FoundSession, Session, SessionStore } from './session-store.ts';

const SESSIONS_MAX = 10;
/**
 * A refresh token that was used a moment ago is taken once more: two tabs that wake together, or a page that was
 * reloaded before the answer arrived, are no thieves.
 */
const REFRESH_GRACE_MS = 10_000;

export interface IssuedTokens {
  readonly session: Session;
  readonly accessToken: string;
  readonly accessExpiresAt: number;
  readonly refreshToken: string;
}

export class Sessions {
  readonly #store: SessionStore;
  readonly #endedFile: EndedFile;
  readonly #now: () => number;
  readonly #monotonicMs: () => number;
  readonly #onEnded: (sessionId: string) => void;
  readonly #live = new Map<string, Session>();
  /** By session: the monotonic time of its end, which no clock that is set back moves. */
  readonly #overAt = new WeakMap<Session, number>();
  readonly #access = new Map<string, { readonly session: Session; readonly expiresAt: number }>();
  /** Seen since it was last written. */
  readonly #seen = new Set<Session>();
  /** Ended here but not in SQL yet: tried again until it is. */
  readonly #unsaved = new Set<string>();
  readonly #isShared: boolean;
  /** Sessions that ended here: what was read before one of them is read again. */
  #ends = 0;

  /**
   * @param parts.monotonicMs only grows, whatever is done to the clock of `now`
   * @param parts.isShared whether other processes open and end sessions in the same database
   */
  constructor(parts: {
    store: SessionStore;
    endedFile: EndedFile;
    now: () => number;
    monotonicMs: () => number;
    onEnded: (sessionId: string) => void;
    isShared: boolean;
  }) {
    this.#isShared = parts.isShared;
    this.#store = parts.store;
    this.#endedFile = parts.endedFile;
    this.#now = parts.now;
    this.#monotonicMs = parts.monotonicMs;
    this.#onEnded = parts.onEnded;
  }

  /**
   * What ended before is written first, and what is over by the clock or by the time of history ends for good: a clock that was set back revives nothing.
   * @param historyAt unix milliseconds of the newest command
   */
  async load(historyAt: number): Promise<void> {
    const now = Math.max(this.#now(), historyAt);
    for (const sessionId of this.#endedFile.of('session')) this.#unsaved.add(sessionId);
    await this.writeWaiting();
    await this.#store.endOver(now);
    const { sessions, accessTokens } = await this.#store.live(now);
    // Another process may have ended it since it was read.
    for (const session of sessions) if (!this.#unsaved.has(session.sessionId)) this.#begin(session, now);
    for (const { hash, sessionId, expiresAt } of accessTokens) {
      const session = this.#live.get(sessionId);
      if (session !== undefined) this.#access.set(hash, { session, expiresAt });
    }
  }

  /** Whether memory does not have this token, and another process may have given it out. */
  isUnknown(accessToken: string): boolean {
    return this.#isShared && !this.#access.has(hashToken(accessToken));
  }

  /** What another process has opened. */
  async learn(accessToken: string): Promise<void> {
    this.#adopt(await this.#read({ accessHash: hashToken(accessToken) }));
  }

  /** All live sessions of an account, whichever process has opened them. */
  async learnOf(account: AccountId): Promise<void> {
    if (this.#isShared) this.#adopt(await this.#read({ account }));
  }

  /** As the rows say: what another process has ended is over. @param sessionId undefined: of all */
  async readAgain(sessionId: string | undefined): Promise<void> {
    const known = sessionId === undefined ? [...this.#live.keys()] : [sessionId];
    const found = await (sessionId === undefined ? this.#readAll() : this.#read({ sessionId }));
    const live = new Set(found.map(({ session }) => session.sessionId));
    for (const each of known) if (!live.has(each) && this.#remove(each)) this.#onEnded(each);
    this.#adopt(found);
  }

  /** Called by `completeLogin` and by nothing else. */
  async open(owner: { account: AccountId; address: Address; userAgent: string; ip: string }): Promise<IssuedTokens> {
    await this.learnOf(owner.account);
    const now = this.#now();
    const session: Session = {
      ...owner,
      sessionId: newToken(),
      createdAt: now,
      lastSeenAt: now,
      endsAt: now + TRADING_SESSION_MS,
    };
    const tokens = this.#makeTokens(session);
    await this.#store.insert(session, { access: hashedAccess(tokens), refresh: hashToken(tokens.refreshToken) });
    this.#begin(session, now);
    this.#remember(tokens);
    const older = this.of(owner.account).slice(SESSIONS_MAX);
    for (const { sessionId } of older) await this.end(sessionId);
    return tokens;
  }

  /** The live session of an access token. Looking does not lengthen it. */
  find(accessToken: string): Session | undefined {
    const entry = this.#access.get(hashToken(accessToken));
    const now = this.#now();
    if (entry === undefined || !this.#live.has(entry.session.sessionId)) return undefined;
    // Over is over: what was refused once is not there any more when the clock is set back.
    const isOver = this.#isOver(entry.session, now);
    if (isOver) this.#drop(entry.session.sessionId);
    if (entry.expiresAt <= now) this.#access.delete(hashToken(accessToken));
    if (entry.expiresAt <= now || isOver) return undefined;
    this.#see(entry.session, now);
    return entry.session;
  }

  /** New tokens for a refresh token. One that was used before was stolen, from us or by us: the whole session ends. */
  async refresh(refreshToken: string): Promise<IssuedTokens | undefined> {
    const now = this.#now();
    if (this.#endedFile.has('refresh', hashToken(refreshToken))) return undefined;
    const used = await this.#store.useRefreshToken(hashToken(refreshToken), now);
    if (used === undefined) return undefined;
    // A use in the time to come was before the clock was set back: not a moment ago.
    if (used.previouslyAt !== undefined && Math.abs(now - used.previouslyAt) > REFRESH_GRACE_MS) {
      await this.end(used.sessionId);
      return undefined;
    }
    if (this.#isShared && !this.#live.has(used.sessionId)) this.#adopt(await this.#read({ sessionId: used.sessionId }));
    const session = this.#live.get(used.sessionId);
    if (session === undefined || this.#isOver(session, now)) return undefined;
    const tokens = this.#makeTokens(session);
    await this.#store.insertTokens(session.sessionId, { access: hashedAccess(tokens), refresh: hashToken(tokens.refreshToken), now });
    // It may have ended while SQL was written.
    if (!this.#live.has(session.sessionId)) return undefined;
    this.#see(session, now);
    this.#remember(tokens);
    return tokens;
  }

  /** Ends the session of a refresh token, used or not. While SQL cannot say which one that is, it is remembered and rejects. */
  async endByRefreshToken(refreshToken: string): Promise<void> {
    const hash = hashToken(refreshToken);
    let sessionId: string | undefined;
    try {
      sessionId = await this.#store.sessionOfRefreshToken(hash);
    } catch (cause) {
      await this.#endedFile.add('refresh', [hash]);
      throw cause;
    }
    if (sessionId === undefined) return;
    if (this.#isShared && !this.#live.has(sessionId)) this.#adopt(await this.#read({ sessionId }));
    if (this.#live.has(sessionId)) await this.end(sessionId);
  }

  isLive(sessionId: string): boolean {
    return this.#live.has(sessionId);
  }

  /** Newest first. */
  of(account: AccountId): readonly Session[] {
    const now = this.#now();
    return [...this.#live.values()]
      .filter((session) => session.account === account && !this.#isOver(session, now))
      .sort((a, b) => b.createdAt - a.createdAt || (a.sessionId < b.sessionId ? -1 : 1));
  }

  /** At once here, then in SQL, or on the disk until SQL can be written: resolves when no restart revives it. */
  async end(sessionId: string): Promise<void> {
    this.#drop(sessionId);
    await this.#saveEnded();
  }

  /** What another process has ended, and could not write. */
  hearEnded(sessionIds: readonly string[]): void {
    for (const sessionId of sessionIds) {
      this.#ends += 1;
      this.#unsaved.add(sessionId);
      if (this.#remove(sessionId)) this.#onEnded(sessionId);
    }
  }

  /** What ended while SQL could not be written, here or in another process. */
  async writeWaiting(): Promise<void> {
    await this.#endByRefreshTokens();
    await this.#writeEnded();
  }

  /** @returns the number of sessions that ended. */
  async endAll(account: AccountId): Promise<number> {
    await this.learnOf(account).catch(() => undefined);
    const sessions = this.of(account);
    for (const { sessionId } of sessions) this.#drop(sessionId);
    await this.#saveEnded();
    return sessions.length;
  }

  /** Ends what has run out, writes what waits to be written, forgets what is over. */
  async sweep(): Promise<void> {
    const now = this.#now();
    for (const [hash, { expiresAt }] of this.#access) if (expiresAt <= now) this.#access.delete(hash);
    for (const session of this.#live.values()) if (this.#isOver(session, now)) this.#drop(session.sessionId);
    await this.writeWaiting();
    const seen = [...this.#seen];
    this.#seen.clear();
    await this.#store.saveSeen(seen);
    await this.#store.forget(now);
  }

  #begin(session: Session, now: number): void {
    this.#live.set(session.sessionId, session);
    this.#overAt.set(session, this.#monotonicMs() + session.endsAt - now);
  }

  #isOver(session: Session, now: number): boolean {
    return session.endsAt <= now || (this.#overAt.get(session) ?? 0) <= this.#monotonicMs();
  }

  #drop(sessionId: string): void {
    if (!this.#remove(sessionId)) return;
    this.#ends += 1;
    this.#unsaved.add(sessionId);
    this.#onEnded(sessionId);
  }

  /** @returns whether it was live */
  #remove(sessionId: string): boolean {
    if (!this.#live.delete(sessionId)) return false;
    for (const [hash, { session }] of this.#access) {
      if (session.sessionId === sessionId) this.#access.delete(hash);
    }
    return true;
  }

  /** What has ended here since it was read is not live. */
  async #read(by: Parameters<SessionStore['find']>[0]): Promise<readonly FoundSession[]> {
    for (;;) {
      const ends = this.#ends;
      const found = await this.#store.find(by, this.#now());
      if (ends === this.#ends) return found;
    }
  }

  async #readAll(): Promise<readonly FoundSession[]> {
    for (;;) {
      const ends = this.#ends;
      const { sessions, accessTokens } = await this.#store.live(this.#now());
      const tokens = Map.groupBy(accessTokens, ({ sessionId }) => sessionId);
      if (ends === this.#ends) return sessions.map((session) => ({ session, accessTokens: tokens.get(session.sessionId) ?? [] }));
    }
  }

  #adopt(found: readonly FoundSession[]): void {
    const now = this.#now();
    for (const { session, accessTokens } of found) {
      if (this.#unsaved.has(session.sessionId) || this.#endedFile.has('session', session.sessionId)) continue;
      if (!this.#live.has(session.sessionId)) this.#begin(session, now);
      const own = this.#live.get(session.sessionId) ?? session;
      for (const { hash, expiresAt } of accessTokens) this.#access.set(hash, { session: own, expiresAt });
    }
  }

  #see(session: Session, at: number): void {
    session.lastSeenAt = at;
    this.#seen.add(session);
  }

  async #saveEnded(): Promise<void> {
    const ended = [...this.#unsaved];
    try {
      await this.#writeEnded();
    } catch {
      await this.#endedFile.add('session', ended);
    }
  }

  async #writeEnded(): Promise<void> {
    const ended = [...this.#unsaved];
    if (ended.length === 0) return;
    await this.#store.end(ended, this.#now());
    for (const sessionId of ended) this.#unsaved.delete(sessionId);
    await this.#endedFile.remove('session', ended);
  }

  /** Those whose logout could not be looked up. */
  async #endByRefreshTokens(): Promise<void> {
    const hashes = this.#endedFile.of('refresh');
    if (hashes.length === 0) return;
    // All at once: each logout by a cookie adds one, and nobody is let in until they are through.
    for (const sessionId of await this.#store.sessionsOfRefreshTokens(hashes)) {
      this.#drop(sessionId);
      this.#unsaved.add(sessionId);
    }
    await this.#writeEnded();
    await this.#endedFile.remove('refresh', hashes);
  }

  #makeTokens(session: Session): IssuedTokens {
    const accessExpiresAt = Math.min(this.#now() + ACCESS_TOKEN_LIFE_MS, session.endsAt);
    return { session, accessToken: newToken(), accessExpiresAt, refreshToken: newToken() };
  }

  #remember(tokens: IssuedTokens): void {
    this.#access.set(hashToken(tokens.accessToken), { session: tokens.session, expiresAt: tokens.accessExpiresAt });
  }
}

const hashedAccess = (tokens: IssuedTokens) => ({ hash: hashToken(tokens.accessToken), expiresAt: tokens.accessExpiresAt });
