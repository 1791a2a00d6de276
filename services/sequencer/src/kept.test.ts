import { expect, test } from 'vitest';
import { createEngine } from '@orrery/engine';
import type { Command } from '@orrery/protocol';
import { accountId, marketId } from '@orrery/units';
import { Kept } from './kept.ts';

const cancelAll = (account: number, market: 0 | 1 | 2): Command => ({
  type: 'CancelAllOrders',
  account: accountId(account),
  market: market === 0 ? 0 : marketId(market),
});

test('what waits for a market is kept back, and what its accounts sent later; the others go on', () => {
  const engine = { ...createEngine(), mustWait: (command: Command): boolean => 'market' in command && command.market === 1 };
  const kept = new Kept<{ readonly command: Command }>();
  const sent = [cancelAll(7, 2), cancelAll(7, 1), cancelAll(8, 2), cancelAll(7, 2), cancelAll(8, 1), { type: 'ExpireOrders' } as const];
  const gone = sent.filter((command) => !kept.keeps({ command }, engine));
  expect(gone).toEqual([sent[0], sent[2], sent[5]]);
  expect(kept.all.map(({ command }) => command)).toEqual([sent[1], sent[3], sent[4]]);
});
