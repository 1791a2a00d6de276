/** Traders who use a running program by API key, and record its answers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Order } from '@orrery/api';
import { CallError, ConnectionError, type Client } from '@orrery/sdk';
import type { Chance } from '../../../core/engine/src/testing/chance.ts';
import { allPages, lasting } from './patient-reads.ts';

const PAGE = 100;
const SYMBOL = 'ETH_USDC';
const PAUSE_MS = 20;

/** The answers one trader received. */
export class Memory {
  /** Order ids by the trader's own names. */
  readonly placed = new Map<string, string>();
  readonly canceled = new Set<string>();
  /** Reasons by the trader's own names, of orders that no try can have placed. */
  readonly refused = new Map<string, string>();
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
export const compareMemory = (client: Client, memory: Memory): Promise<readonly string[]> =>
  lasting(async () => {
    // An order that closes meanwhile is then in neither, and they are read again.
    const closed = await allPages((page) => client.orderHistory({ page, size: PAGE }));
    return contradictions(memory, { closed, open: await allPages((page) => client.openOrders({ page, size: PAGE })) });
  });

type Known = Pick<Order, 'orderId' | 'clientOrderId'>;

/** @returns one sentence for each answer that these orders do not bear out */
export function contradictions(
  { placed, canceled, refused }: Memory,
  { open, closed }: { readonly open: readonly Known[]; readonly closed: readonly Known[] },
): readonly string[] {
  const everything = [...open, ...closed];
  const openIds = new Set(open.map(({ orderId }) => orderId));
  const idOf = new Map(everything.map(({ clientOrderId, orderId }) => [clientOrderId, orderId]));
  return [
    ...doubles(everything.map(({ orderId }) => orderId)).map((orderId) => `order ${orderId} is there twice`),
    ...doubles(everything.map(({ clientOrderId }) => clientOrderId)).map((name) => `there are two orders ${name}`),
    ...[...placed].flatMap(([name, orderId]) => {
      const found = idOf.get(name);
      return found === orderId
        ? []
        : [`${name} was answered as order ${orderId}, and is ${found === undefined ? 'not there' : `order ${found}`}`];
    }),
    ...[...canceled].filter((orderId) => openIds.has(orderId)).map((orderId) => `order ${orderId} was cancelled and is open`),
    ...[...refused].flatMap(([name, reason]) =>
      idOf.has(name) ? [`${name} was refused (${reason}), and is order ${String(idOf.get(name))}`] : [],
    ),
  ];
}

function doubles(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.filter((name) => seen.has(name) || !seen.add(name));
}
