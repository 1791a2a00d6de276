/**
 * The whole program is killed with -9 under order load, again and again, its database and chain with it every other time.
 * Every order and cancel that was acknowledged is there afterwards, once; and the journal replayed from its first command
 * comes to every state hash that the program told after its restarts.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '@orrery/api';
import { CallError, ConnectionError, type Client } from '@orrery/sdk';
import { verifyFolder } from '@orrery/sequencer/verify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENGINES, historyDirectory } from '../src/start-heart.ts';
import { keyClient, prepareToTrade, signIn, tradeKey, type KeyOfPerson } from './person.ts';
import { processesIn } from './processes-in.ts';
import { startProgram, type Program } from './program.ts';
import { Dice } from './dice.ts';
import { until } from './until.ts';

const KILLS = Number(process.env['ORRERY_KILLS'] ?? 50);
const SEED = Number(process.env['ORRERY_SEED'] ?? Date.now() % 1_000_000);
const HANDS = 3;
const PAGE = 100;
const SYMBOL = 'ETH_USDC';

let dataDirectory: string;
beforeAll(async () => {
  dataDirectory = await mkdtemp(join(tmpdir(), 'orrery-kill-'));
});
afterAll(() => rm(dataDirectory, { recursive: true, force: true }));

const start = (): Promise<Program> => startProgram({ dataDirectory, env: { ORRERY_MARKET_MAKER: 'off' } });

/** What one trader was told. */
interface Told {
  readonly placed: Map<string, string>;
  readonly canceled: Set<string>;
}

const lost = (error: unknown): boolean => error instanceof ConnectionError || (error instanceof CallError && error.status >= 500);

/** Places and cancels until the program is gone. What was refused for the rate or the balance is simply tried on. */
async function trade({ client, told, dice, name }: { client: Client; told: Told; dice: Dice; name: string }): Promise<void> {
  const { c: last } = await client.ticker({ symbol: SYMBOL });
  for (let count = 0; ; count += 1) {
    const clientOrderId = `${name}-${count}`;
    const price = (Math.round((Number(last) * (970 + dice.below(60))) / 10) / 100).toFixed(2).replace(/\.?0+$/, '');
    try {
      const direction = dice.below(2) === 0 ? ('BUY' as const) : ('SELL' as const);
      const orderId = await client.createOrder({
        symbol: SYMBOL,
        direction,
        tradeType: 'LIMIT',
        price,
        totalAmount: '0.01',
        clientOrderId,
      });
      told.placed.set(orderId, clientOrderId);
      if (dice.below(3) === 0) told.canceled.add(await client.cancelOrder({ orderId }));
    } catch (error) {
      if (lost(error)) return;
      await pause(20);
    }
  }
}

/** One that ended by itself meanwhile is as good as killed. */
function killNow(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function allPages(read: (page: number) => Promise<{ items: readonly Order[]; total: number }>): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await read(page);
    orders.push(...items);
    if (items.length === 0 || orders.length >= total) return orders;
  }
}

/** Everything the trader was told is so, and each order is there once. */
async function checkTold(client: Client, told: Told): Promise<void> {
  const open = await allPages((page) => client.openOrders({ page, size: PAGE }));
  const closed = await until('the history has caught up', async () => {
    const orders = await allPages((page) => client.orderHistory({ page, size: PAGE }));
    const known = new Set([...open, ...orders].map(({ orderId }) => orderId));
    return [...told.placed.keys()].every((orderId) => known.has(orderId)) ? orders : undefined;
  });
  const everything = [...open, ...closed];
  expect(new Set(everything.map(({ orderId }) => orderId)).size).toBe(everything.length);
  expect(new Set(everything.map(({ clientOrderId }) => clientOrderId)).size).toBe(everything.length);
  const openIds = new Set(open.map(({ orderId }) => orderId));
  expect([...told.canceled].filter((orderId) => openIds.has(orderId))).toEqual([]);
}

test(
  `${KILLS} times kill -9 under order load lose no acknowledged order and no acknowledged cancel (seed ${SEED})`,
  { timeout: 1_200_000 },
  async () => {
    const dice = new Dice(SEED);
    let program = await start();
    const keys: KeyOfPerson[] = [];
    for (const _ of ['alice', 'bob']) {
      const person = await signIn(program.url);
      await prepareToTrade(program.url, person);
      keys.push(await tradeKey(person));
    }
    const told: readonly Told[] = keys.map(() => ({ placed: new Map(), canceled: new Set() }));
    const clients = (): readonly Client[] => keys.map((key) => keyClient(program.url, key));
    const anyone = (): Client => keyClient(program.url, keys[0] as KeyOfPerson);
    /** After each restart: what the program says its state is, come back from snapshot and journal. */
    const states = new Map<number, string>();
    for (let round = 0; round < KILLS; round += 1) {
      const before = told.reduce((sum, { placed }) => sum + placed.size, 0);
      const hands = clients().flatMap((client, index) =>
        Array.from({ length: HANDS }, (_, hand) => trade({ client, told: told[index] as Told, dice, name: `r${round}-${index}-${hand}` })),
      );
      await until('an order is acknowledged', () => Promise.resolve(told.reduce((sum, { placed }) => sum + placed.size, 0) > before));
      await pause(dice.below(300));
      await program.kill();
      if (round % 2 === 1) for (const pid of processesIn(dataDirectory)) killNow(pid);
      await Promise.all(hands);
      program = await start();
      const { stateHashSeq, stateHash } = await anyone().status();
      states.set(stateHashSeq, stateHash);
      if (round % 10 === 9) for (const [index, client] of clients().entries()) await checkTold(client, told[index] as Told);
    }
    for (const [index, client] of clients().entries()) await checkTold(client, told[index] as Told);
    expect(await program.stop()).toBe(0);
    const verdict = verifyFolder(historyDirectory(dataDirectory), ENGINES, states);
    const count = (of: (one: Told) => number): number => told.reduce((sum, one) => sum + of(one), 0);
    console.log(
      `kill -9: ${KILLS} times, ${count(({ placed }) => placed.size)} orders and ${count(({ canceled }) => canceled.size)} cancels acknowledged, none lost; ` +
        `replayed to seq ${verdict.seq}, state ${verdict.stateHash}, ${verdict.checked} hashes compared`,
    );
    expect(verdict.checked).toBeGreaterThanOrEqual(KILLS);
  },
);
