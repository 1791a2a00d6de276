/** The market-maker, the managers of funds and the liquidator of two processes: one acts, whatever stands still. */
import type { Lease } from '@orrery/foundation';
import type { Command } from '@orrery/protocol';
import { accountId, type AccountId, assetId, atoms } from '@orrery/units';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { guardedHeart, startLeasedPart } from './leased-part.ts';
import { leasedHeart } from './leased-heart.ts';
import type { ProgramHeart } from './program-heart.ts';
import { type LeasedProcess, twoProcesses, type TwoProcesses } from './testing/two-processes.ts';

const [MAKER, ALICE] = [accountId(5), accountId(6)];

let processes: TwoProcesses;
let done: string[];
let quoters: Quoter[];

/** A part that acts when the test says so: by the heart under its lease, and as a client whose calls reach the heart through the gateway. */
class Quoter {
  readonly #name: string;
  readonly #guarded = new Map<AccountId, Lease>();
  readonly #gateway: ProgramHeart;
  readonly #leased: ProgramHeart;
  readonly troubles: unknown[] = [];
  readonly stop: () => Promise<void>;
  isRunning = false;
  /** Under the hold with which it was begun. */
  moveMoney: () => Promise<unknown> = () => Promise.resolve();

  constructor(name: string, lease: Lease) {
    this.#name = name;
    const heart = {
      submit: ({ type }: Command) => (done.push(`${name} ${type}`), Promise.resolve({ events: [] })),
    } as unknown as ProgramHeart;
    this.#gateway = guardedHeart(heart, this.#guarded);
    this.#leased = leasedHeart(heart);
    const part = startLeasedPart({
      lease,
      run: async (signal) => {
        this.#guarded.set(MAKER, lease);
        this.isRunning = true;
        const wanted = Promise.withResolvers<void>();
        const moved = wanted.promise.then(() => this.#leased.submit(transferOf(MAKER)));
        this.moveMoney = () => (wanted.resolve(), moved);
        moved.catch(() => undefined);
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        this.isRunning = false;
      },
      onTrouble: (error) => this.troubles.push(error),
    });
    this.stop = () => part.stop();
  }

  static async of(name: string, { leases }: LeasedProcess): Promise<Quoter> {
    return new Quoter(name, await leases.open('market-maker'));
  }

  quote(account = MAKER): Promise<unknown> {
    return this.#gateway.submit({ type: 'CancelAll', account } as unknown as Command);
  }

  toString(): string {
    return `${this.#name} ${this.isRunning ? 'runs' : 'waits'}`;
  }
}

const transferOf = (account: AccountId): Command => ({
  type: 'Transfer',
  account,
  transferId: 'stock',
  asset: assetId(1),
  amount: atoms(1n),
  from: 'funding',
  to: 'spot',
});

beforeEach(async () => {
  processes = await twoProcesses();
  done = [];
  quoters = [await Quoter.of('one', processes.one), await Quoter.of('other', processes.other)];
});
afterEach(async () => {
  for (const quoter of quoters) await quoter.stop();
  await processes.close();
});

const states = (): string[] => quoters.map(String);

test('of two processes one runs it, and the other one when the first was killed', async () => {
  await vi.waitFor(() => expect(states()).toEqual(['one runs', 'other waits']));
  await processes.pass(60);
  expect(states()).toEqual(['one runs', 'other waits']);
  processes.one.isKilled = true;
  await processes.pass(24);
  await vi.waitFor(() => expect(states()[1]).toBe('other runs'));
});

test('a process that stood still for longer than its lease sends nothing more, and its part ends', async () => {
  const [one, other] = quoters as [Quoter, Quoter];
  await vi.waitFor(() => expect(states()).toEqual(['one runs', 'other waits']));
  await one.quote();
  processes.one.isKilled = true;
  await processes.pass(24);
  await vi.waitFor(() => expect(states()[1]).toBe('other runs'));
  // It goes on: what its thread had sent lies in its gateway, and what it had begun under its lease goes on too.
  await expect(one.quote()).rejects.toMatchObject({ failure: 'readOnly', outcomeUnknown: false });
  await expect(one.moveMoney()).rejects.toThrow('the lease of market-maker is lost');
  await other.quote();
  await other.moveMoney();
  expect(done).toEqual(['one CancelAll', 'other CancelAll', 'other Transfer']);
  await vi.waitFor(() => expect(states()).toEqual(['one waits', 'other runs']));
  expect(one.troubles).toEqual([]);
});

test('commands of everybody else pass in both', async () => {
  const [one, other] = quoters as [Quoter, Quoter];
  await vi.waitFor(() => expect(states()).toEqual(['one runs', 'other waits']));
  await one.quote(ALICE);
  await other.quote(ALICE);
  expect(done).toEqual(['one CancelAll', 'other CancelAll']);
});

test('a part that is stopped ends, and is not begun again', async () => {
  await vi.waitFor(() => expect(states()).toEqual(['one runs', 'other waits']));
  for (const quoter of quoters) await quoter.stop();
  await processes.one.leases.stop();
  await processes.pass(24);
  expect(states()).toEqual(['one waits', 'other waits']);
});
