/** Positions that are being reversed: each under an id of its own, from the direction that the person saw. How much that is, the exchange decides then. */
import { answerOf, ask } from '../../../platform/data/calls.ts';
import { openIntents } from '../../../kit/storage/open-intents.ts';
import type { OpenIntent } from '../../../kit/storage/open-intents.ts';
import { change } from '../account.ts';

export interface Reversal {
  /** As the exchange names the contract. */
  readonly symbol: string;
  readonly from: 'LONG' | 'SHORT';
}

export function parseReversal(json: unknown): Reversal | undefined {
  if (typeof json !== 'object' || json === null) return undefined;
  const { symbol, from } = json as Readonly<Record<string, unknown>>;
  return typeof symbol === 'string' && (from === 'LONG' || from === 'SHORT') ? { symbol, from } : undefined;
}

export const openReversals = openIntents<Reversal>({ name: 'openReversals', parse: parseReversal });

/** Sent again it does nothing: the position of that direction is gone by then. */
export async function sendReversal({ account: as, id: clientOrderId, body }: OpenIntent<Reversal>): Promise<void> {
  await change('reversePosition', { ...body, clientOrderId }, { as });
}

const LOOKED_THROUGH = 100;

/** By its market order. */
export async function isReversalKnown({ id: clientOrderId }: OpenIntent<Reversal>): Promise<boolean> {
  const open = await answerOf('futuresOrder', { query: { clientOrderId } });
  if (open.status === 200) return true;
  const { items } = await ask('futuresOrderHistory', { query: { page: 1, size: LOOKED_THROUGH } });
  return items.some((order) => order.clientOrderId === clientOrderId);
}
