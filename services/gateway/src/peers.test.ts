/** Processes that count each other's streams, and hear whether anybody is at one of them. */
import { accountId, type AccountId } from '@orrery/units';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Attendance, REST_AFTER_MS, REST_MOVE_PPM } from './attendance.ts';
import { LIMITS } from './limits/limits.ts';
import type { Peers } from '@orrery/foundation';
import { PRESENCE_KEPT_MS, PRESENCE_SENT_MS, SharedPresence } from './peers.ts';

const ALICE = accountId(7);
const OFFICE = '10.1.2.3';

let now: number;
beforeEach(() => {
  now = 0;
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

const step = (ms: number): void => {
  for (let passed = 0; passed < ms; passed += 100) {
    now += 100;
    vi.advanceTimersByTime(100);
  }
};

class Process {
  readonly networks = new Map<string, number>();
  readonly accounts = new Map<AccountId, number>();
  readonly attendance = new Attendance(() => now);
  readonly presence: SharedPresence;
  isWatched = false;

  constructor(peers: Peers) {
    this.presence = new SharedPresence({ peers, limits: LIMITS.stream, now: () => now, onAttended: () => this.attendance.seenElsewhere() });
    this.presence.begin(() => ({ networks: this.networks, accounts: this.accounts, isAttended: this.attendance.takeHere(this.isWatched) }));
  }

  get isAtRest(): boolean {
    return this.attendance.quoteMovePpm(this.isWatched) === REST_MOVE_PPM;
  }
}

function processes(count: number): readonly Process[] {
  const listeners: ((message: string) => void)[] = [];
  return Array.from({ length: count }, (_, own) => {
    const peers: Peers = {
      send: (message) => listeners.forEach((listener, at) => (at === own ? undefined : listener(message))),
      onMessage(listener) {
        listeners[own] = listener;
        return () => (listeners[own] = () => undefined);
      },
    };
    return new Process(peers);
  });
}

test('streams at other processes are counted a second later, not those of a few, and no longer once they are closed or their process ended', () => {
  const [one, two, three] = processes(3) as [Process, Process, Process];
  one.networks.set(OFFICE, 60).set('10.9.9.9', 3);
  two.networks.set(OFFICE, 30);
  one.accounts.set(ALICE, 4);
  step(PRESENCE_SENT_MS);
  expect([one, two, three].map(({ presence }) => presence.ofNetwork(OFFICE))).toEqual([30, 60, 90]);
  expect([one, two, three].map(({ presence }) => presence.ofAccount(ALICE))).toEqual([0, 4, 4]);
  expect(three.presence.ofNetwork('10.9.9.9')).toBe(0);
  one.networks.set(OFFICE, 20);
  step(PRESENCE_SENT_MS);
  expect(three.presence.ofNetwork(OFFICE)).toBe(50);
  two.presence.close();
  step(PRESENCE_KEPT_MS + PRESENCE_SENT_MS);
  expect(three.presence.ofNetwork(OFFICE)).toBe(20);
  one.presence.close();
  step(PRESENCE_KEPT_MS + PRESENCE_SENT_MS);
  expect(three.presence.ofNetwork(OFFICE)).toBe(0);
});

test('a house in one process is awake while somebody is at another, and at rest when nobody is anywhere', () => {
  const [gateway, maker] = processes(2) as [Process, Process];
  step(REST_AFTER_MS);
  expect([gateway.isAtRest, maker.isAtRest]).toEqual([true, true]);
  gateway.isWatched = true;
  step(PRESENCE_SENT_MS);
  expect([gateway.isAtRest, maker.isAtRest]).toEqual([false, false]);
  step(2 * REST_AFTER_MS);
  expect(maker.isAtRest).toBe(false);
  gateway.isWatched = false;
  step(REST_AFTER_MS);
  // Neither keeps the other one awake.
  expect([gateway.isAtRest, maker.isAtRest]).toEqual([true, true]);
  gateway.attendance.called({ tier: 'standard' });
  step(PRESENCE_SENT_MS);
  expect(maker.isAtRest).toBe(false);
  maker.attendance.called({ tier: 'marketMaker' });
  step(2 * REST_AFTER_MS);
  expect(gateway.isAtRest).toBe(true);
});
