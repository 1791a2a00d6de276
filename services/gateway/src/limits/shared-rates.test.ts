/** Callers who spread over several processes, beside one bucket that all of them would share. */
import type { Peers } from '@orrery/foundation';
import { expect, test, vi } from 'vitest';
import { Chance } from '../../../../core/engine/src/testing/chance.ts';
import type { Rate } from './limits.ts';
import { Buckets } from './rates.ts';
import { RATES_SENT_MS, SharedRates } from './shared-rates.ts';

const SEED = Number(process.env['ORRERY_SEED'] ?? Math.floor(Math.random() * 1_000_000_000));
const RATE: Rate = { count: 20, perMs: 1_000, burst: 60, by: 'network' };

/** Delivers to all but the sender, some milliseconds later. */
class Wire {
  readonly #listeners = new Map<Peers, (message: string) => void>();
  #inFlight: { readonly at: number; readonly to: Peers; readonly message: string }[] = [];

  join(now: () => number, delay: () => number): Peers {
    const peers: Peers = {
      send: (message) => {
        for (const to of this.#listeners.keys()) if (to !== peers) this.#inFlight.push({ at: now() + delay(), to, message });
      },
      onMessage: (listener) => {
        this.#listeners.set(peers, listener);
        return () => this.#listeners.delete(peers);
      },
    };
    return peers;
  }

  deliver(now: number): void {
    const due = this.#inFlight.filter(({ at }) => at <= now);
    this.#inFlight = this.#inFlight.filter(({ at }) => at > now);
    for (const { to, message } of due) this.#listeners.get(to)?.(message);
  }
}

class World {
  now = 0;
  readonly chance = new Chance(SEED);
  readonly #wire = new Wire();
  readonly processes: readonly { readonly buckets: Buckets; readonly rates: SharedRates }[];

  constructor(count: number) {
    vi.useFakeTimers();
    this.processes = Array.from({ length: count }, () => {
      const buckets = new Buckets(() => this.now, true);
      const peers = this.#wire.join(
        () => this.now,
        () => this.chance.between(1, 50),
      );
      return { buckets, rates: new SharedRates({ buckets, peers }) };
    });
  }

  step(ms: number): void {
    this.now += ms;
    vi.advanceTimersByTime(ms);
    this.#wire.deliver(this.now);
  }

  /** @returns whether the call was taken. */
  call(process: number, owner: string): boolean {
    try {
      this.processes[process]?.buckets.take('public', owner, RATE);
      return true;
    } catch {
      return false;
    }
  }

  close(): void {
    for (const { rates } of this.processes) rates.close();
    vi.useRealTimers();
  }
}

test.each([1, 2, 4])(`who spreads over %d processes has the rate of one after a first burst at each, seed ${SEED}`, (count) => {
  const world = new World(count);
  const seconds = 60;
  let taken = 0;
  for (let ms = 0; ms < seconds * 1_000; ms += 5) {
    world.step(5);
    for (let process = 0; process < count; process += 1) if (world.call(process, 'greedy')) taken += 1;
  }
  const earned = RATE.burst + (seconds * RATE.count * 1_000) / RATE.perMs;
  // At the worst each process gives a burst before it hears of the others; that is paid back by waiting.
  const ahead = (count - 1) * RATE.burst;
  expect(taken).toBeGreaterThanOrEqual(earned - 2);
  expect(taken).toBeLessThanOrEqual(earned + ahead);
  world.close();
});

test(`who calls less often than the rate allows is never refused, wherever the calls land, and whatever others do; seed ${SEED}`, () => {
  const world = new World(3);
  for (let ms = 0; ms < 60_000; ms += 50) {
    world.step(50);
    expect(world.call(world.chance.below(3), 'patient')).toBe(true);
    for (let process = 0; process < 3; process += 1) world.call(process, 'greedy');
  }
  world.close();
});

test('the others hear of a caller only when it has used much, and then of no more than is not forgotten', () => {
  const world = new World(2);
  const heard = vi.spyOn(world.processes[1]!.buckets, 'given');
  const listen = (): void => {
    for (let count = 0; count < 2; count += 1) world.step(RATES_SENT_MS);
  };
  for (let count = 0; count < 400; count += 1) {
    world.step(50);
    expect(world.call(0, 'quiet')).toBe(true);
  }
  listen();
  expect(heard).not.toHaveBeenCalled();
  for (let count = 0; count < RATE.burst; count += 1) expect(world.call(0, 'quiet')).toBe(true);
  listen();
  expect(heard.mock.calls).toEqual([[['public', 'quiet', RATE.burst, RATE.perMs / RATE.count]]]);
  listen();
  expect(heard).toHaveBeenCalledTimes(1);
  world.close();
});
