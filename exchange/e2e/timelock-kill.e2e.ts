/** Awards that wait for the timelock on the whole program, killed before, at and after the moment at which they take effect. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { momentsOf } from './little-time.ts';
import { join } from './operator.ts';
import { signIn } from './person.ts';
import { BEHIND_A_PROXY } from './program.ts';
import { until } from './until.ts';
import { program, startAgain, withProgram } from './with-program.ts';

const FIRST_CODE = 'first-code-of-the-test';
const TIMELOCK_SECONDS = 3;
/** Milliseconds from the moment of effect to kill -9; the clock is looked at every second. */
const KILLED_AFTER_MS = momentsOf([-2_000, 0, 250, 500, 750, 1_000]);

withProgram({
  env: {
    ...BEHIND_A_PROXY,
    ORRERY_CONSOLE_CODE: FIRST_CODE,
    ORRERY_TIMELOCK_SECONDS: String(TIMELOCK_SECONDS),
    ORRERY_MARKET_MAKER: 'off',
  },
});

test('[A10] kill -9 around the moment at which an approved award takes effect: everybody gets it exactly once', async () => {
  const { url } = program;
  const carol = await signIn(url, { from: '10.8.0.1' });
  const { client: alice } = await join(url, { code: FIRST_CODE, name: 'alice', from: '10.8.0.2' });
  const { code } = await alice.inviteOperator({ name: 'bob', role: 'operator' });
  await until('the invitation opens', async () => (await alice.proposals()).list.every(({ state }) => state === 'DONE'));
  const { client: bob } = await join(url, { code, name: 'bob', from: '10.8.0.3' });
  for (const [index, afterMs] of KILLED_AFTER_MS.entries()) {
    const { proposalId, hash } = await bob.proposeAward({ address: carol.address, points: index + 1, reason: `award ${index + 1}` });
    const { effectiveAt, state } = await alice.approveProposal({ proposalId, hash });
    expect(state).toBe('APPROVED');
    await pause(Math.max(0, Number(effectiveAt) + afterMs - Date.now()));
    await program.kill();
    await startAgain();
    await until('the award is done', async () => (await alice.proposals()).list.every((proposal) => proposal.state === 'DONE'));
  }
  // What would be given a second time has had its time.
  await pause(2_000);
  await carol.refresh();
  const { list } = await carol.client.completedTasks({ walletAddress: carol.address, page: 1, pageSize: 50 });
  expect(list.map(({ reward }) => reward).sort((left, right) => left - right)).toEqual(KILLED_AFTER_MS.map((_, index) => index + 1));
  const { list: rows, brokenAt } = await alice.auditLog({ pageSize: 100 });
  expect(rows.filter(({ action }) => action === 'AWARD')).toHaveLength(KILLED_AFTER_MS.length);
  expect(brokenAt).toBeNull();
});
