import { describe, expect, test } from 'vitest';
import { canTrade, disconnected, transition } from './session-state.ts';
import type { SessionEvent, SessionState, SignedIn } from './session-state.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce';
const BOB = '0x0000000000000000000000000000000000000b0b';
const signedIn: SignedIn = { accountId: '7', handle: 'handle-1', endsAt: 18_000_000, termsAccepted: false, connected: false };

const connected = (address: string): SessionEvent => ({ type: 'walletConnected', address, isBlocked: false });

/** Plays events and gives the state after the last, with the names of everything that was asked for on the way. */
function play(...events: readonly SessionEvent[]): { readonly state: SessionState; readonly asked: readonly string[] } {
  let state = disconnected;
  const asked: string[] = [];
  for (const event of events) {
    const step = transition(state, event);
    state = step.state;
    asked.push(...step.effects.map((effect) => effect.type));
  }
  return { state, asked };
}

const toSignedIn: readonly SessionEvent[] = [
  connected(ALICE),
  { type: 'tokenInvalid', address: ALICE },
  { type: 'signingStarted' },
  { type: 'signingSucceeded', address: ALICE, signedIn },
];

describe('the wallet session', () => {
  test('[L1] disconnected, then connected with its address', () => {
    const { state } = play(connected(ALICE));
    expect(state).toMatchObject({ phase: 'validating', address: ALICE });
    expect(play(connected(ALICE), { type: 'walletDisconnected' }).state).toMatchObject({ phase: 'disconnected', address: undefined });
  });

  test('[L1] a blocked address is disconnected by force and the person is notified', () => {
    const { state, asked } = play({ type: 'walletConnected', address: ALICE, isBlocked: true });
    expect(asked).toEqual(['disconnectWallet']);
    expect(state).toMatchObject({ phase: 'disconnected', address: undefined, notice: 'blocked' });
    expect(transition(state, { type: 'walletDisconnected' }).state.notice).toBe('blocked');
  });

  test('nobody is a visitor while the wallet of the last visit is looked for', () => {
    const { state } = play({ type: 'walletAwaited' });
    expect(state).toMatchObject({ phase: 'validating', address: undefined });
    expect(transition(state, { type: 'walletAbsent' }).state).toEqual(disconnected);
    const { state: found } = play({ type: 'walletAwaited' }, connected(ALICE), { type: 'walletAbsent' });
    expect(found).toMatchObject({ phase: 'validating', address: ALICE });
  });

  test('[L2] the stored token of the address is validated; a valid one signs in without a signature', () => {
    const { state, asked } = play(connected(ALICE), { type: 'tokenValid', address: ALICE, signedIn });
    expect(asked).toContain('validateToken');
    expect(state).toMatchObject({ phase: 'signedIn', signedIn, signing: 'idle' });
  });

  test('[L2] a missing or invalid token needs a signature', () => {
    expect(play(connected(ALICE), { type: 'tokenInvalid', address: ALICE }).state.phase).toBe('needsSignature');
  });

  test('[L3] signing is pending, then success', () => {
    expect(play(...toSignedIn.slice(0, 3)).state.signing).toBe('pending');
    expect(play(...toSignedIn).state).toMatchObject({ phase: 'signedIn', signing: 'success' });
  });

  test('[L3] a message that begins with `User rejected` is a cancel, any other a failure', () => {
    const failing = (message: string): SessionState =>
      play(...toSignedIn.slice(0, 3), { type: 'signingFailed', address: ALICE, message }).state;
    expect(failing('User rejected the request.')).toMatchObject({ phase: 'needsSignature', signing: 'cancel' });
    expect(failing('sign error')).toMatchObject({ phase: 'needsSignature', signing: 'failed', signingError: 'sign error' });
    expect(failing('The user has User rejected').signing).toBe('failed');
  });

  test('[L4] success remembers the session of that address with its end, and takes the address into the queue of the whitelist', () => {
    const step = transition(play(...toSignedIn.slice(0, 3)).state, { type: 'signingSucceeded', address: ALICE, signedIn });
    expect(step.effects).toEqual([
      { type: 'rememberSession', address: ALICE, handle: 'handle-1', endsAt: 18_000_000 },
      { type: 'checkWhitelist', address: ALICE },
    ]);
  });

  test('[L5] the whitelist check runs whenever the address changes: idle, pending, complete', () => {
    expect(disconnected.checkingWhitelistStatus).toBe('idle');
    const pending = play(connected(ALICE));
    expect(pending.asked).toContain('checkWhitelist');
    expect(pending.state.checkingWhitelistStatus).toBe('pending');
    const complete = transition(pending.state, { type: 'whitelistChecked', address: ALICE, inWhitelist: true }).state;
    expect(complete).toMatchObject({ checkingWhitelistStatus: 'complete', inWhitelist: true });
    const switched = transition(complete, connected(BOB));
    expect(switched.effects).toContainEqual({ type: 'checkWhitelist', address: BOB });
    expect(switched.state).toMatchObject({ checkingWhitelistStatus: 'pending', inWhitelist: false });
  });

  test('[L7] an expired token clears token and end time, needs a signature, and notifies the person', () => {
    const { state, asked } = play(...toSignedIn, { type: 'tokenExpired' });
    expect(asked.at(-1)).toBe('forgetSession');
    expect(state).toMatchObject({ phase: 'needsSignature', signedIn: undefined, notice: 'expired', address: ALICE });
  });

  test('[L16] switching the account of the wallet switches the session', () => {
    const { state } = play(...toSignedIn, connected(BOB));
    expect(state).toMatchObject({ phase: 'validating', address: BOB, signedIn: undefined, signing: 'idle' });
  });

  test('[L16] an answer about the account before comes too late', () => {
    const { state } = play(...toSignedIn.slice(0, 3), connected(BOB), { type: 'signingSucceeded', address: ALICE, signedIn });
    expect(state).toMatchObject({ phase: 'validating', address: BOB, signedIn: undefined });
    const late = play(connected(ALICE), connected(BOB), { type: 'whitelistChecked', address: ALICE, inWhitelist: true });
    expect(late.state.inWhitelist).toBe(false);
  });

  test('the same address again changes nothing', () => {
    const { state } = play(...toSignedIn);
    expect(transition(state, connected(ALICE))).toEqual({ state, effects: [] });
  });
});

describe('[L6] trading is enabled only when', () => {
  const ready = play(...toSignedIn, { type: 'whitelistChecked', address: ALICE, inWhitelist: true }).state;
  const stored = (): string => 'handle-1';

  test('[L6] the account is known, whitelisted, and the stored token for the address is the current one', () => {
    expect(canTrade(ready, stored)).toBe(true);
  });

  test.each<[string, SessionState, () => string | undefined]>([
    ['nobody is signed in', { ...ready, signedIn: undefined }, stored],
    ['the account has no id', { ...ready, signedIn: { ...signedIn, accountId: '' } }, stored],
    ['the address is not whitelisted', { ...ready, inWhitelist: false }, stored],
    ['another token is stored for the address', ready, () => 'handle-2'],
    ['no token is stored for the address', ready, () => undefined],
  ])('[L6] and not when %s', (_, state, handleOf) => {
    expect(canTrade(state, handleOf)).toBe(false);
  });
});
