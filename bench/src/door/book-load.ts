/** Changes of a book that no trade ends: orders that rest in batches, and are cancelled again. */
import { once } from 'node:events';
import type { WebSocket } from 'ws';

interface Answer {
  readonly code: number;
  readonly msg: string;
  readonly data: readonly (string | { readonly code: number; readonly msg: string })[];
}

/** Sends one request on a socket that waits for no other answer. @throws when the exchange refuses it or a part of it. */
export async function ask(socket: WebSocket, request: object): Promise<void> {
  socket.send(JSON.stringify(request));
  const [answer] = (await once(socket, 'message')) as [Buffer];
  const { code, msg, data } = JSON.parse(answer.toString()) as Answer;
  const refused = data?.find((item) => typeof item === 'object' && item.code !== 0);
  if (code !== 0 || refused !== undefined) throw new Error(`the benchmark was refused: ${msg} ${JSON.stringify(refused ?? '')}`);
}

export interface Around {
  readonly symbol: string;
  /** Whole units of the quote coin: bids stand at most 100 below, asks at most 100 above. */
  readonly bid: number;
  readonly ask: number;
}

/** The order of this number, on one of a hundred levels of its side. */
export function restingOrder({ symbol, bid, ask: offer }: Around, index: number): Record<string, string> {
  const isBid = index % 2 === 0;
  const price = (isBid ? bid : offer) + ((Math.imul(index, 0x9e3779b1) >>> 0) % 100) * (isBid ? -1 : 1);
  return { symbol, direction: isBid ? 'BUY' : 'SELL', tradeType: 'LIMIT', price: String(price), totalAmount: '0.0001' };
}
