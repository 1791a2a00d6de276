import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CallError } from '@orrery/sdk';
import { createAccessTokens } from '../client/access-tokens.ts';
import type { AccessTokens } from '../client/access-tokens.ts';
import { createSessionMemory } from './session-memory.ts';
import type { SessionMemory } from './session-memory.ts';
import { SessionRuntime } from './session-runtime.ts';
import type { AccountFacts, SessionPorts } from './session-runtime.ts';
import { TRADING_SESSION_MS } from './session-state.ts';
import { parseMillis, parseRecord, parseString } from '../../kit/storage/parse.ts';
import { stored } from '../../kit/storage/stored.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce';
const BOB = '0x0000000000000000000000000000000000000b0b';

function newMemory(map: Map<string, string>): SessionMemory {
  const store = () => ({
    getItem: (key: string) => map.get(key) ?? null,
    setItem: (key: string, value: string) => void map.set(key, value),
    removeItem: (key: string) => void map.delete(key),
  });
  const table = (name: string) => stored({ name, version: 1, fallback: {}, parse: parseRecord }, store);
  return createSessionMemory({
    tokenToAddress: table('tokenToAddress'),
    previousAddressToToken: table('previousAddressToToken'),
    walletAddress: stored({ name: 'walletAddress', version: 1, fallback: '', parse: parseString }, store),
    tradingEndTime: stored({ name: 'enableTradingEndTime', version: 1, fallback: 0, parse: parseMillis }, store),
  });
}

interface World {
  readonly session: SessionRuntime;
  readonly storage: Map<string, string>;
  readonly memory: SessionMemory;
  readonly tokens: AccessTokens;
  readonly disconnectWallet: ReturnType<typeof vi.fn>;
  now: number;
  account: AccountFacts;
  /** What the wallet answers when it is asked to sign. */
  signature: () => Promise<string>;
  isTokenTaken: boolean;
  refreshed: 'token' | 'nothing';
}

const facts = (address: string): AccountFacts => ({
  accountId: '7',
  address,
  termsAccepted: true,
  connected: true,
  sessionEndsAt: TRADING_SESSION_MS,
});

function newWorld(overrides: Partial<SessionPorts> = {}): World {
  const storage = new Map<string, string>();
  const memory = newMemory(storage);
  const disconnectWallet = vi.fn(() => Promise.resolve());
  let handles = 0;
  let owner = '';
  const world: Omit<World, 'session' | 'tokens'> = {
    storage,
    memory,
    disconnectWallet,
    now: 0,
    account: facts(ALICE),
    signature: () => Promise.resolve('0xsigned'),
    isTokenTaken: true,
    refreshed: 'token',
  };
  const tokens = createAccessTokens({
    now: () => world.now,
    refresh: () => Promise.resolve(world.refreshed === 'token' ? { token: 'renewed', expiresAt: world.now + 900_000 } : undefined),
    cookieOwner: () => owner,
  });
  const session = new SessionRuntime({
    now: () => world.now,
    sleep: () => Promise.resolve(),
    newHandle: () => `handle-${(handles += 1)}`,
    memory: {
      ...memory,
      remember: (remembered) => {
        owner = remembered.address;
        memory.remember(remembered);
      },
    },
    tokens,
    disconnectWallet,
    signLogin: async () => {
      const signature = await world.signature();
      if (signature === '') throw new Error('sign error');
      return { nonce: 'n', message: 'm', signature };
    },
    verify: () => Promise.resolve({ token: 'access-1', expiresAt: world.now + 900_000 }),
    account: () => Promise.resolve(world.account),
    isTokenTaken: () => Promise.resolve(world.isTokenTaken),
    isWhitelisted: () => Promise.resolve(true),
    onState: () => undefined,
    signOut: () => Promise.resolve(),
    ...overrides,
  });
  return Object.assign(world, { session, tokens });
}

const connect = (world: World, address: string): void => world.session.dispatch({ type: 'walletConnected', address, isBlocked: false });

async function signedInWorld(): Promise<World> {
  const world = newWorld();
  connect(world, ALICE);
  await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
  await world.session.signIn();
  return world;
}

describe('the session with a wallet and an exchange', () => {
  test('[L2, L4] a newcomer signs; the session lasts five hours from the signature', async () => {
    const world = await signedInWorld();
    expect(world.session.state).toMatchObject({
      phase: 'signedIn',
      signing: 'success',
      signedIn: { accountId: '7', endsAt: 5 * 60 * 60 * 1000 },
    });
    expect(await world.tokens.current()).toBe('access-1');
  });

  test('[L4, L15] what is remembered is a handle for the address and the end time, never the token', async () => {
    const world = await signedInWorld();
    expect(world.memory.handleOf(ALICE)).toBe('handle-1');
    const text = [...world.storage.entries()].join('\n');
    expect(text).toContain(String(TRADING_SESSION_MS));
    expect(text).not.toContain('access-1');
    expect(text).not.toContain('0xsigned');
  });

  test('[L3] a declined signature is a cancel, an empty one a `sign error`', async () => {
    const world = newWorld();
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
    world.signature = () => Promise.reject(Object.assign(new Error('details'), { shortMessage: 'User rejected the request.' }));
    await world.session.signIn();
    expect(world.session.state.signing).toBe('cancel');
    world.signature = () => Promise.resolve('');
    await world.session.signIn();
    expect(world.session.state).toMatchObject({ signing: 'failed', signingError: 'sign error' });
  });

  test('a signature that is awaited can be given up, and what the wallet answers later changes nothing', async () => {
    const world = newWorld();
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
    const late = Promise.withResolvers<string>();
    world.signature = () => late.promise;
    const signing = world.session.signIn();
    expect(world.session.state).toMatchObject({ phase: 'signing', signing: 'pending' });
    world.session.giveUpSigning();
    expect(world.session.state).toMatchObject({ phase: 'needsSignature', signing: 'cancel' });
    late.resolve('0xlate');
    await signing;
    expect(world.session.state.phase).toBe('needsSignature');
    expect(await world.tokens.current()).toBeUndefined();
    world.signature = () => Promise.resolve('0xsigned');
    await world.session.signIn();
    expect(world.session.state.phase).toBe('signedIn');
  });

  test('[A2] code 303 on the facts of the account logs out', async () => {
    const signOut = vi.fn(() => Promise.resolve());
    const world = newWorld({ signOut, account: () => Promise.reject(new CallError({ code: 303, msg: 'logged out', status: 200 })) });
    world.memory.remember({ address: ALICE, handle: 'handle-0', endsAt: TRADING_SESSION_MS });
    world.tokens.hold(ALICE, { token: 'access-0', expiresAt: 900_000 });
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
    expect(signOut).toHaveBeenCalledTimes(1);
  });

  test('facts that cannot be read again just now change nothing and fail nobody', async () => {
    const world = await signedInWorld();
    const before = world.session.state;
    world.account = { ...world.account, address: BOB };
    await world.session.refreshAccount();
    expect(world.session.state.signedIn).toEqual(before.signedIn);
  });

  test('a wallet that does not let itself be disconnected fails nobody', async () => {
    const world = newWorld({ disconnectWallet: () => Promise.reject(new Error('the wallet is gone')) });
    world.session.dispatch({ type: 'walletConnected', address: ALICE, isBlocked: true });
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.session.state.notice).toBe('blocked');
  });

  test('[L2] a page opened again signs in by its cookie, without the wallet', async () => {
    const world = await signedInWorld();
    world.tokens.drop(ALICE);
    world.session.dispatch({ type: 'walletDisconnected' });
    world.signature = () => Promise.reject(new Error('must not be asked'));
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('signedIn'));
    expect(await world.tokens.current()).toBe('renewed');
  });

  test('[L7] a token that is no longer taken and can not be renewed ends the session', async () => {
    const world = await signedInWorld();
    world.isTokenTaken = false;
    world.refreshed = 'nothing';
    await world.session.checkToken();
    expect(world.session.state).toMatchObject({ phase: 'needsSignature', notice: 'expired' });
    expect(world.memory.handleOf(ALICE)).toBeUndefined();
    expect(world.storage.has('orrery.enableTradingEndTime')).toBe(false);
    expect(await world.tokens.current()).toBeUndefined();
  });

  test('[L7] a session that began while the one before it was checked is not ended by what that check finds', async () => {
    const taken = Promise.withResolvers<boolean>();
    const world = newWorld({ isTokenTaken: () => taken.promise });
    const begin = async (): Promise<void> => {
      connect(world, ALICE);
      await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
      await world.session.signIn();
      expect(world.session.state.phase).toBe('signedIn');
    };
    await begin();
    const check = world.session.checkToken();
    // She logs out, which revokes that token, and in again.
    world.tokens.drop(ALICE);
    world.memory.forget(ALICE);
    world.session.dispatch({ type: 'walletDisconnected' });
    await begin();
    world.refreshed = 'nothing';
    taken.resolve(false);
    await check;
    expect(world.session.state.phase).toBe('signedIn');
  });

  test('[L7] five hours after the signature the session ends, however often it was checked', async () => {
    const world = await signedInWorld();
    world.now = TRADING_SESSION_MS - 1;
    await world.session.checkToken();
    expect(world.session.state.phase).toBe('signedIn');
    world.now = TRADING_SESSION_MS;
    await world.session.checkToken();
    expect(world.session.state).toMatchObject({ phase: 'needsSignature', notice: 'expired' });
  });

  test('[L7] an exchange that can not be asked ends no session', async () => {
    const world = newWorld({ isTokenTaken: () => Promise.reject(new Error('Something went wrong')) });
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
    await world.session.signIn();
    await world.session.checkToken();
    expect(world.session.state.phase).toBe('signedIn');
  });

  test('[L16] another account of the wallet needs its own signature, and switching back needs none', async () => {
    const world = await signedInWorld();
    connect(world, BOB);
    await vi.waitFor(() => expect(world.session.state).toMatchObject({ phase: 'needsSignature', address: BOB }));
    world.account = facts(BOB);
    await world.session.signIn();
    expect(world.session.state).toMatchObject({ phase: 'signedIn', address: BOB });
    expect([world.memory.handleOf(ALICE), world.memory.handleOf(BOB)]).toEqual(['handle-1', 'handle-2']);
    world.account = facts(ALICE);
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state).toMatchObject({ phase: 'signedIn', address: ALICE }));
  });

  test('[L16] a cookie that belongs to another account signs nobody in', async () => {
    const world = await signedInWorld();
    world.tokens.drop(ALICE);
    world.session.dispatch({ type: 'walletDisconnected' });
    world.account = facts(BOB);
    connect(world, ALICE);
    await vi.waitFor(() => expect(world.session.state.phase).toBe('needsSignature'));
  });

  test('[L2] an exchange that answers 401 makes the token invalid, one that does not answer is asked again', async () => {
    const world = await signedInWorld();
    world.session.dispatch({ type: 'walletDisconnected' });
    let asked = 0;
    const again = newWorld({
      memory: world.memory,
      tokens: world.tokens,
      account: () => {
        asked += 1;
        return asked < 3
          ? Promise.reject(new Error('Something went wrong'))
          : Promise.reject(new CallError({ code: 12002, msg: 'the session has ended', status: 401 }));
      },
    });
    connect(again, ALICE);
    await vi.waitFor(() => expect(again.session.state.phase).toBe('needsSignature'));
    expect(asked).toBe(3);
  });
});

describe('access tokens', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('a token close to its end is renewed once, for all calls at the same time', async () => {
    const refresh = vi.fn(() => Promise.resolve({ token: 'second', expiresAt: 900_000 }));
    const tokens = createAccessTokens({ now: Date.now, refresh, cookieOwner: () => ALICE });
    vi.setSystemTime(0);
    tokens.use(ALICE);
    tokens.hold(ALICE, { token: 'first', expiresAt: 900_000 });
    expect(await tokens.current()).toBe('first');
    vi.setSystemTime(850_000);
    expect(await Promise.all([tokens.current(), tokens.current(), tokens.current()])).toEqual(['second', 'second', 'second']);
    expect(refresh).toHaveBeenCalledTimes(1);
  });

  test('a token that can not be renewed just now is used to its end', async () => {
    const tokens = createAccessTokens({ now: Date.now, refresh: () => Promise.reject(new Error('offline')), cookieOwner: () => ALICE });
    vi.setSystemTime(0);
    tokens.use(ALICE);
    tokens.hold(ALICE, { token: 'first', expiresAt: 30_000 });
    expect(await tokens.current()).toBe('first');
    vi.setSystemTime(30_000);
    expect(await tokens.current()).toBeUndefined();
  });
});
