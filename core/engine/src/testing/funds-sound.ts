/** What holds of the funds of every state, recomputed from nothing but the snapshot. */
import { assert } from '@orrery/units';
import type { Snapshot } from '../snapshot/snapshot.ts';

export function assertFundsSound({ funds, balances, systemBalances }: Snapshot): void {
  for (const fund of funds) {
    const held = balances.filter(({ asset }) => asset === fund.fund);
    const all = held.reduce((sum, one) => sum + one.free + one.held, 0n);
    assert(all === fund.shares, `Q1: the shares of fund ${fund.fund} are those of its holders`);
    const external = systemBalances.find(({ system, asset }) => system === 'EXTERNAL' && asset === fund.fund)?.free ?? 0n;
    assert(external === -all, 'Q1: shares are issued by EXTERNAL');
    const holders = held.map(({ account }) => account);
    assert(
      fund.holders.length === holders.length && fund.holders.every(({ account }) => holders.includes(account)),
      'Q1: every holder of shares has a high-water mark, and nobody else',
    );
    for (const { account, held: waiting } of held) {
      const redeeming = fund.redemptions.reduce((sum, one) => (one.account === account ? sum + one.shares : sum), 0n);
      assert(waiting === redeeming, `Q1: the shares of ${account} that are held wait for redemption`);
    }
    const leaders = held.find(({ account }) => account === fund.leader);
    assert(fund.end.length > 0 || (leaders !== undefined && (leaders.free + leaders.held) * 20n >= fund.shares), 'Q3: the leader has 5 %');
  }
  const assets = new Set([...funds.map(({ asset }) => asset), ...systemBalances.map(({ asset }) => asset)]);
  for (const asset of assets) {
    const queue = systemBalances.find((one) => one.system === 'FUND_QUEUE' && one.asset === asset)?.free ?? 0n;
    const waits = funds.filter((fund) => fund.asset === asset).flatMap(({ subscriptions }) => subscriptions);
    assert(queue === waits.reduce((sum, { amount }) => sum + amount, 0n), 'Q2: what waits to be subscribed lies in the queue');
  }
}
