import { expect, test } from 'vitest';
import type { Command } from '@orrery/protocol';
import { accountId, atoms, lots, marketId, orderId, ticks } from '@orrery/units';
import { Table } from './testing/tape.ts';
import { accountOf, addressOf, assetOf } from './testing/tape-people.ts';

const nobody = accountId(99);
const firstOrder = { orderId: orderId(1), clientOrderId: '' };
const money = { asset: assetOf('USDC'), amount: atoms(1n) };
const withdrawalId = `0x${'ab'.repeat(32)}`;

test.each<[reason: string, Command]>([
  ['UnknownAccount account', { type: 'CancelOrder', account: nobody, ...firstOrder }],
  ['UnknownAccount account', { type: 'CancelAllOrders', account: nobody, market: 0 }],
  ['UnknownAccount account', { type: 'AmendOrder', account: nobody, ...firstOrder, price: ticks(100), size: lots(5) }],
  ['UnknownAccount account', { type: 'Transfer', account: nobody, transferId: 't', from: 'spot', to: 'funding', ...money }],
  ['UnknownAccount account', { type: 'RequestWithdrawal', account: nobody, withdrawalId, to: addressOf('carol'), ...money }],
  ['UnknownMarket market', { type: 'CancelAllOrders', account: accountOf('alice'), market: marketId(7) }],
])('%s: %o', (emitted, command) => {
  const [reason, field] = emitted.split(' ');
  expect(new Table().give(command)).toEqual([{ type: 'CommandRejected', reason, field }]);
});
