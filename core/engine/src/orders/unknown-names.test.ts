import { expect, test } from 'vitest';
import type { Command } from '@orrery/protocol';
import { accountId, lots, marketId, orderId, ticks } from '@orrery/units';
import { Table } from '../testing/tape.ts';
import { accountOf } from '../testing/tape-people.ts';

const nobody = accountId(99);
const firstOrder = { orderId: orderId(1), clientOrderId: '' };

test.each<[reason: string, Command]>([
  ['UnknownAccount account', { type: 'CancelOrder', account: nobody, ...firstOrder }],
  ['UnknownAccount account', { type: 'CancelAllOrders', account: nobody, market: 0 }],
  ['UnknownAccount account', { type: 'AmendOrder', account: nobody, ...firstOrder, price: ticks(100), size: lots(5) }],
  ['UnknownMarket market', { type: 'CancelAllOrders', account: accountOf('alice'), market: marketId(7) }],
])('%s: %o', (told, command) => {
  const [reason, field] = told.split(' ');
  expect(new Table().give(command)).toEqual([{ type: 'CommandRejected', reason, field }]);
});
