/**
 * The flow of the book benchmark as commands of the exchange: each passive or marketable order is placed, each cancel cancels.
 * Orders get the ids that the flow gave them, so on one market the engine must end in the very book that the flow expects.
 */
import type { Command } from '@orrery/protocol';
import { accountId, lots, marketId, NO_ATOMS, NO_TICKS, orderId, ppm, ticks } from '@orrery/units';
import { ADD, CANCEL, WIDTH, type Flow } from '../book/flow.ts';
import { opening } from './opening.ts';
import { pack, type OrderStream } from './order-stream.ts';

export interface BookCommandsOptions {
  /** Resting orders are spread over all accounts but the last one, which takes and so never meets itself. */
  readonly accounts: number;
  readonly clientOrderIds: boolean;
}

export function bookStream(flow: Flow, options: BookCommandsOptions): OrderStream {
  const { prefill, operations } = flow;
  return {
    prelude: [...prelude(flow, options)],
    orders: pack(commands(flow, options, prefill, prefill + operations)),
  };
}

function* prelude(flow: Flow, options: BookCommandsOptions): Generator<Command> {
  yield* opening({ accounts: options.accounts, markets: 1 });
  yield* commands(flow, options, 0, flow.prefill);
}

function* commands({ records }: Flow, options: BookCommandsOptions, from: number, to: number): Generator<Command> {
  for (let at = from * WIDTH; at < to * WIDTH; at += WIDTH) yield bookCommand(records.subarray(at, at + WIDTH), options);
}

function bookCommand([kind = 0, side = 0, id = 0, price = 0, size = 0]: Int32Array, options: BookCommandsOptions): Command {
  const maker = accountId(1 + (id % (options.accounts - 1)));
  if (kind === CANCEL) return { type: 'CancelOrder', account: maker, orderId: orderId(id), clientOrderId: '' };
  return {
    type: 'PlaceOrder',
    account: kind === ADD ? maker : accountId(options.accounts),
    market: marketId(1),
    clientOrderId: options.clientOrderIds ? `order-${id}` : '',
    side: side === 0 ? 'buy' : 'sell',
    orderType: 'limit',
    timeInForce: 'GTC',
    price: ticks(price),
    size: lots(size),
    funds: NO_ATOMS,
    triggerPrice: NO_TICKS,
    slippagePpm: ppm(0),
    selfTradePrevention: 'expireTaker',
  };
}
