/** Traders who use a running program by API key, and record its answers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '@orrery/api';
import { CallError, ConnectionError, type Client } from '@orrery/sdk';
import { until } from '../../../exchange/e2e/until.ts';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';

const PAGE = 100;
const SYMBOL = 'ETH_USDC';
const PAUSE_MS = 20;

/** The answers one trader received. */
export class Memory {
  /** Order ids by the trader's own names. */
  readonly placed = new Map<string, string>();
  readonly canceled = new Set<string>();
}

interface Trading {
  readonly client: Client;
  readonly memory: Memory;
  readonly chance: Chance;
  /** Makes the trader's names for orders: no two hands share one. */
  readonly name: string;
  /** The program was killed: its address belongs to another process from now on. */
  readonly gone: AbortSignal;
}

const isGone = (error: unknown): boolean => error instanceof ConnectionError || (error instanceof CallError && error.status >= 500);

/** Places and cancels until the program is gone. What was refused for the rate or the balance is simply tried on. */
export async function trade({ client, memory, chance, name, gone }: Trading): Promise<void> {
  for (let count = 0; !gone.aborted; count += 1) {
    try {
      const { c: last } = await client.ticker({ symbol: SYMBOL });
      const price = (Math.round((Number(last) * (970 + chance.below(60))) / 10) / 100).toFixed(2).replace(/\.?0+$/, '');
      const direction = chance.oneIn(2) ? 'BUY' : 'SELL';
      const clientOrderId = `${name}-${count}`;
      const orderId = await client.createOrder({
        symbol: SYMBOL,
        direction,
        tradeType: 'LIMIT',
        price,
        totalAmount: '0.01',
        clientOrderId,
      });
      memory.placed.set(clientOrderId, orderId);
      if (chance.oneIn(3)) memory.canceled.add(await client.cancelOrder({ orderId }));
    } catch (error) {
      if (isGone(error)) return;
      await pause(PAUSE_MS);
    }
  }
}

/** The recorded answers that history contradicts, once it has caught up. */
export async function compareMemory(client: Client, { placed, canceled }: Memory): Promise<readonly string[]> {
  const open = await allPages((page) => client.openOrders({ page, size: PAGE }));
  const closed = await until('the history has caught up', async () => {
    const orders = await allPages((page) => client.orderHistory({ page, size: PAGE }));
    const known = new Set([...open, ...orders].map(({ orderId }) => orderId));
    return [...placed.values()].every((orderId) => known.has(orderId)) ? orders : undefined;
  });
  const everything = [...open, ...closed];
  const openIds = new Set(open.map(({ orderId }) => orderId));
  return [
    ...doubles(everything.map(({ orderId }) => orderId)).map((orderId) => `order ${orderId} is there twice`),
    ...doubles(everything.map(({ clientOrderId }) => clientOrderId)).map((name) => `there are two orders ${name}`),
    ...[...canceled].filter((orderId) => openIds.has(orderId)).map((orderId) => `order ${orderId} was cancelled and is open`),
  ];
}

const doubles = (names: readonly string[]): readonly string[] => names.filter((name, index) => names.indexOf(name) !== index);

async function allPages(read: (page: number) => Promise<{ items: readonly Order[]; total: number }>): Promise<readonly Order[]> {
  const orders: Order[] = [];
  for (let page = 1; ; page += 1) {
    const { items, total } = await read(page);
    orders.push(...items);
    if (items.length === 0 || orders.length >= total) return orders;
  }
}
