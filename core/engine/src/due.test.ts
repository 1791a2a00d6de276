import { describe, expect, test } from 'vitest';
import { atoms, marketId, millis } from '@orrery/units';
import type { Command } from '@orrery/protocol';
import { ORDER_LIFETIME_MS, OTC_REMEMBERED_MS } from '@orrery/rules';
import { createEngine } from './engine.ts';
import { ContractsScene, linearContract } from './testing/contracts-scene.ts';
import { Table } from './testing/tape.ts';
import { parseCommand } from './testing/tape-command.ts';
import { PAY_WINDOW_MS } from './testing/tape-otc.ts';

const HOUR = 3_600_000;
const MARKET = marketId(1);

/** With a position and prices five seconds before an hour ends. */
function scene(): { table: ContractsScene; hour: number } {
  const table = new ContractsScene([linearContract(1, 'BTC')]);
  const hour = table.at - (table.at % HOUR) + HOUR;
  table.at = hour - 60_000;
  table.liquidator();
  const [long, short] = [table.person(atoms(100_000_000_000n)), table.person(atoms(100_000_000_000n))];
  table.all(600_000, 6);
  table.trade(long, short, 100_000, 600_000);
  table.at = hour - 10_000;
  table.all(600_000);
  return { table, hour };
}

describe('what is due', () => {
  test('is funding when the hour has ended, while the prices can be relied on and it is not settled', () => {
    const { table, hour } = scene();
    const interval = millis(hour);
    expect(table.engine.due(millis(hour - 1))).toBeUndefined();
    expect(table.engine.due(interval)).toEqual({ type: 'SettleFunding', market: MARKET, interval });
    expect(table.engine.due(millis(hour + 60_000))).toBeUndefined();
    table.at = hour + 166;
    table.must(table.engine.due(millis(table.at))!);
    expect(table.engine.due(millis(table.at))).toBeUndefined();
    table.replay();
  });

  test('is what accounts have set to a time, in the order of the times', () => {
    const { table, hour } = scene();
    const cancelAt = (at: number): Command => ({ type: 'ScheduleCancel', account: table.person(atoms(0n)), at: millis(at) });
    table.must(cancelAt(hour - 1));
    expect(table.engine.due(millis(hour - 2))).toBeUndefined();
    expect(table.engine.due(millis(hour))).toEqual({ type: 'RunTimers' });
    table.at = hour;
    table.must({ type: 'RunTimers' });
    expect(table.engine.due(millis(hour))?.type).toBe('SettleFunding');
  });

  test('is an order past its lifetime, but for one of a market that is halted', () => {
    const table = new Table();
    table.give(parseCommand('alice', 'buy 5 @ 100'.split(' ')));
    const expiresAt = table.at + ORDER_LIFETIME_MS;
    expect(table.engine.due(millis(expiresAt - 1))).toBeUndefined();
    expect(table.engine.due(millis(expiresAt))).toEqual({ type: 'ExpireOrders' });
    table.give(parseCommand('exchange', ['halt']));
    expect(table.engine.due(millis(expiresAt))).toBeUndefined();
  });

  test('is a window of the OTC desk that is over, and what is long over, a bounded part at a time', () => {
    const table = new Table();
    const give = (who: string, words: string): void => void table.give(parseCommand(who, words.split(' ')));
    give('exchange', 'otc opens');
    give('alice', 'transfer 100 BTC spot>funding t');
    give('alice', 'otc sells 100 BTC @ 7.50 usd 1-500 as a');
    for (const person of ['bob', 'carol']) for (const name of ['a', 'b', 'c']) give(person, `otc takes 1 1 BTC @ 7.50 as ${name}`);
    const deadline = table.at + PAY_WINDOW_MS;
    table.line(`clock ${PAY_WINDOW_MS / 1_000}`);
    expect(table.engine.due(millis(deadline - 1))).toBeUndefined();
    expect(table.engine.due(millis(deadline))).toEqual({ type: 'RunOtcTimers' });
    expect(table.give({ type: 'RunOtcTimers' }).filter(({ type }) => type === 'OtcOrderStepped')).toHaveLength(6);
    expect(table.engine.due(table.at)).toBeUndefined();
    expect(table.engine.due(millis(table.at + OTC_REMEMBERED_MS))).toEqual({ type: 'RunOtcTimers' });
  });

  test('was for the clocks to say before rules 8', () => {
    const table = new Table({ rules: 7 });
    table.give(parseCommand('alice', 'buy 5 @ 100'.split(' ')));
    expect(table.engine.due(millis(table.at + ORDER_LIFETIME_MS))).toBeUndefined();
    expect(createEngine().due(millis(HOUR))).toBeUndefined();
  });
});
